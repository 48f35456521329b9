import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { OwnSecret } from '#shared/api'
import { Dialog } from '../../../components/Dialog.js'
import { formatNumber } from '../../../lib/format.js'
import { formatDateTime, formatRelativeTime } from '../../../lib/format-time.js'
import { language } from '../../../lib/i18n.js'
import { formatViews } from './format-views.js'
import { RecipientTable } from './RecipientTable.js'
import { SecretOptions } from './SecretOptions.js'

interface Props {
  secret: OwnSecret
  name: string
  onClosed(): void
}

/** The server's facts about a secret, in a dialog. */
export function SecretDetails({ secret, name, onClosed }: Props) {
  const { t } = useTranslation('account')
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const { createdAt, expiresAt, allowedIp, receipt } = secret
  return (
    <Dialog dialog={dialog} labelledBy={id} onClosed={onClosed}>
      <div className="dialog stack">
        <h2 id={id}>
          <bdi>{name}</bdi>
        </h2>
        <dl className="facts">
          <dt>{t('secrets.created')}</dt>
          <dd>
            <Time at={createdAt} />
          </dd>
          <dt>{t('secrets.expires')}</dt>
          <dd>
            <Time at={expiresAt} />
          </dd>
          <dt>{t('history.views')}</dt>
          <dd>{formatViews(secret)}</dd>
          {receipt && <ReceiptRows receipt={receipt} />}
          {allowedIp !== null && (
            <>
              <dt>{t('tokens.address')}</dt>
              <dd>
                <code dir="ltr">{allowedIp}</code>
              </dd>
            </>
          )}
        </dl>
        {secret.recipientViews.length > 0 && <RecipientTable views={secret.recipientViews} />}
        <SecretOptions options={secret} />
        <div className="actions end">
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {t('tokens.done')}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function ReceiptRows({ receipt }: { receipt: NonNullable<OwnSecret['receipt']> }) {
  const { t } = useTranslation('account')
  const { viewedAt, wrongPasswords, refusedAddresses } = receipt
  return (
    <>
      {viewedAt !== null && (
        <>
          <dt>{t('receipt:opened')}</dt>
          <dd>
            <Time at={viewedAt} />
          </dd>
        </>
      )}
      <dt>{t('receipt:wrong-passwords')}</dt>
      <dd>{formatNumber(wrongPasswords, language)}</dd>
      <dt>{t('receipt:refused-addresses')}</dt>
      <dd>{formatNumber(refusedAddresses, language)}</dd>
    </>
  )
}

function Time({ at }: { at: number }) {
  const { t } = useTranslation('account')
  const relative = formatRelativeTime(at, Date.now(), language)
  return t('common:facts.date', { date: formatDateTime(at, language), relative })
}
