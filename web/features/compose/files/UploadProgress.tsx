import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveGuard } from '../../../components/LeaveTransferDialog.js'
import { TransferStatus } from '../../../components/TransferProgress.js'
import type { Sent } from './upload-files.js'

interface Props {
  sent: Sent
  onCancel(): void
}

/** What stands in the place of the button while files are on their way. */
export function Sending({ sent, onCancel }: Props) {
  const { t } = useTranslation('files')
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that had the focus is gone.
  useEffect(() => heading.current?.focus(), [])
  const label = t(sent.done < sent.total ? 'sending.heading' : 'sending.creating')
  return (
    <section className="stack transfer" aria-label={t('sending.heading')}>
      <div className="between">
        <h2 ref={heading} tabIndex={-1}>
          {label}
        </h2>
        <button type="button" className="button" onClick={onCancel}>
          {t('cancel')}
        </button>
      </div>
      <TransferStatus label={label} reading={sent} />
      <LeaveGuard explanation={t('sending.leave')} />
    </section>
  )
}
