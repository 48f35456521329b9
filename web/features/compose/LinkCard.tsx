import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/CopyButton.js'
import { formatDateTimeWithZone } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import type { CreatedLink } from './created-link.js'
import { LinkActions } from './LinkActions.js'

/** The link, and ways to copy and share it. */
export function LinkCard({ secret: { link, url, key, expiresAt, maxViews } }: { secret: CreatedLink }) {
  const { t } = useTranslation('home')
  const id = useId()
  const date = formatDateTimeWithZone(expiresAt, language)
  const message =
    maxViews === null ? t('message.kept', { link, date }) : t('message.counted', { count: maxViews, link, date })
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{t('link.label')}</h2>
      <code className="link-box">{link}</code>
      <LinkActions link={link} />
      <details>
        <summary>{t('message.heading')}</summary>
        <p className="message" dir="auto">
          {message}
        </p>
        <CopyButton text={message}>{t('message.copy')}</CopyButton>
      </details>
      {key !== null && (
        <details>
          <summary>{t('separate-key.heading')}</summary>
          <p className="hint">{t('separate-key.explanation')}</p>
          <h3>{t('separate-key.link')}</h3>
          <code className="link-box">{url}</code>
          <CopyButton text={url}>{t('separate-key.copy-link')}</CopyButton>
          <h3>{t('separate-key.key')}</h3>
          <code className="link-box">{key}</code>
          <CopyButton text={key}>{t('separate-key.copy-key')}</CopyButton>
        </details>
      )}
    </section>
  )
}
