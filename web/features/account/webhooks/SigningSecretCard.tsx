import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { CreatedWebhook } from '#shared/api'
import { CopyButton } from '../../../components/CopyButton.js'
import { Notice } from '../../../components/Notice.js'
import { sanitizeName } from '../../../lib/format.js'
import { formatDateTime } from '../../../lib/format-time.js'
import { language } from '../../../lib/i18n.js'

interface Props {
  webhook: CreatedWebhook
  /** False: the webhook existed before, and its secret is new. */
  isNew: boolean
  onDone(): void
}

/** Shows a new signing secret, and takes the focus. It cannot be shown again. */
export function SigningSecretCard({ webhook: { name, secret, previousSecretUntil }, isNew, onDone }: Props) {
  const { t } = useTranslation('webhooks')
  const place = useRef<HTMLElement>(null)
  useEffect(() => place.current?.focus(), [])
  const shownName = sanitizeName(name)
  return (
    <section ref={place} tabIndex={-1} className="card stack failure">
      <Notice
        kind="good"
        role="status"
        heading={isNew ? t('account:tokens.ready', { name: shownName }) : t('rotated', { name: shownName })}
      >
        {t('once')}{' '}
        {previousSecretUntil !== null && t('overlap', { date: formatDateTime(previousSecretUntil, language) })}
      </Notice>
      <h2>{t('secret')}</h2>
      <code className="link-box" translate="no">
        {secret}
      </code>
      <div className="actions">
        <CopyButton text={secret} primary>
          {t('copy')}
        </CopyButton>
        <button type="button" className="button" onClick={onDone}>
          {t('account:tokens.done')}
        </button>
      </div>
    </section>
  )
}
