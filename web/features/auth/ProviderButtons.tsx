import { useTranslation } from 'react-i18next'
import type { PublicSettings } from '#shared/api'
import { paths } from '../../lib/paths.js'
import { withBase } from '../../lib/site.js'

interface Props extends Pick<PublicSettings, 'providers'> {
  /** Where to go afterwards: a path of the app. */
  next: string
}

/** Whether people sign in or up with a password here. */
export const hasPasswordSignIn = (providers: PublicSettings['providers']): boolean =>
  providers.some(({ kind }) => kind === 'password')

/** Further ways to sign in, which the operator set up: each leads to another site and back. */
export function ProviderButtons({ providers, next }: Props) {
  const { t } = useTranslation('people')
  const others = providers.filter(({ kind }) => kind === 'redirect')
  if (others.length === 0) return null
  return (
    <div className="stack">
      {hasPasswordSignIn(providers) && <p className="centered muted">{t('sign-in.or')}</p>}
      {others.map(({ id, label }) => (
        <a
          key={id}
          className="button whole"
          href={withBase(`/api/v1/authentication/${encodeURIComponent(id)}/start?${new URLSearchParams({ next })}`)}
        >
          <bdi>{t('sign-in.with', { provider: label })}</bdi>
        </a>
      ))}
    </div>
  )
}

/** Where nobody has a password here: what leads to signing in elsewhere. */
export function ExternalSignIn({ providers, next }: Props) {
  const { t } = useTranslation('people')
  return (
    <div className="card">
      {providers.some(({ kind }) => kind === 'header') && (
        <>
          <p>{t('sign-in.in-front')}</p>
          {/* Not within the app: the proxy is to see it. */}
          <a
            className="button primary large whole"
            href={withBase(`${paths.signIn}?${new URLSearchParams({ to: next })}`)}
          >
            {t('sign-in.action')}
          </a>
        </>
      )}
      <ProviderButtons providers={providers} next={next} />
    </div>
  )
}
