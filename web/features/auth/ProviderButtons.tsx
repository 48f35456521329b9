import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicSettings } from '#shared/api'
import { paths } from '../../lib/paths.js'
import { withBase } from '../../lib/site.js'

interface Props extends Pick<PublicSettings, 'providers'> {
  /** The path of the app to return to. */
  next: string
}

/** Whether users can sign in with a password. */
export const hasPasswordSignIn = (providers: PublicSettings['providers']): boolean =>
  providers.some(({ kind }) => kind === 'password')

/** Links to the external sign-in providers of the instance. `children`: other ways beside the password. */
export function ProviderButtons({ providers, next, children = null }: Props & { children?: ReactNode }) {
  const { t } = useTranslation('auth')
  const others = providers.filter(({ kind }) => kind === 'redirect')
  if (others.length === 0 && children === null) return null
  return (
    <div className="stack">
      {hasPasswordSignIn(providers) && <p className="centered muted">{t('sign-in.or')}</p>}
      {children}
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

/** Replaces the password form when users cannot sign in with a password. */
export function ExternalSignIn({ providers, next }: Props) {
  const { t } = useTranslation('auth')
  return (
    <div className="card">
      {providers.some(({ kind }) => kind === 'header') && (
        <>
          <p>{t('sign-in.through-proxy')}</p>
          {/* A full page load, so that the proxy sees the request. */}
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
