import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useSettings } from '../../../settings.js'
import { address } from '../../../site.js'

/** Other sites that can sign somebody in to this account: each link leads there and back. */
export function Connections() {
  const { t } = useTranslation('account')
  const { settings } = useSettings()
  const id = useId()
  const others = settings.providers.filter(({ kind }) => kind === 'redirect')
  if (others.length === 0) return null
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{t('providers.heading')}</h2>
      <p className="hint">{t('providers.explanation')}</p>
      <p className="actions">
        {others.map(({ id, label }) => (
          <a key={id} className="button" href={address(`/api/v1/authentication/${encodeURIComponent(id)}/connect`)}>
            <bdi>{t('providers.connect', { provider: label })}</bdi>
          </a>
        ))}
      </p>
    </section>
  )
}
