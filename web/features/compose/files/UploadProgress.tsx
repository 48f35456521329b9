import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveTransferDialog } from '../../../components/LeaveTransferDialog.js'
import { TransferProgress } from '../../../components/TransferProgress.js'
import type { UploadStatus } from './upload-files.js'

interface Props {
  sent: UploadStatus
  onCancel(): void
  /** Texts for an upload that creates no link. */
  texts?: { creating: string; leave: string } | undefined
}

/** Replaces the submit button during an upload. */
export function UploadProgress({ sent, onCancel, texts }: Props) {
  const { t } = useTranslation('files')
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that had the focus was removed.
  useEffect(() => heading.current?.focus(), [])
  const label = sent.done < sent.total ? t('sending.heading') : (texts?.creating ?? t('sending.creating'))
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
      <TransferProgress label={label} state={sent} />
      <LeaveTransferDialog explanation={texts?.leave ?? t('sending.leave')} />
    </section>
  )
}
