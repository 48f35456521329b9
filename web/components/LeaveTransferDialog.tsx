import { useTranslation } from 'react-i18next'
import { UnsavedChangesDialog } from './UnsavedChangesDialog.js'

/** Asks before the user leaves the page during an upload or a download. */
export function LeaveTransferDialog({ explanation }: { explanation: string }) {
  const { t } = useTranslation()
  return (
    <UnsavedChangesDialog
      heading={t('leave.question')}
      explanation={explanation}
      cancelLabel={t('leave.stay')}
      confirmLabel={t('leave.confirm')}
    />
  )
}
