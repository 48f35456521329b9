import { useTranslation } from 'react-i18next'
import type { PublicSettings } from '#shared/api'
import { address } from '../../site.js'

/** Further ways to sign in, which the operator set up: each leads to another site and back, to the path `next`. */
export function Providers({ providers, next }: Pick<PublicSettings, 'providers'> & { next: string }) {
  const { t } = useTranslation('people')
  const others = providers.filter(({ kind }) => kind === 'redirect')
  if (others.length === 0) return null
  return (
    <div className="stack">
      <p className="centered muted">{t('sign-in.or')}</p>
      {others.map(({ id, label }) => (
        <a
          key={id}
          className="button whole"
          href={address(`/api/v1/authentication/${encodeURIComponent(id)}/start?${new URLSearchParams({ next })}`)}
        >
          <bdi>{t('sign-in.with', { provider: label })}</bdi>
        </a>
      ))}
    </div>
  )
}
