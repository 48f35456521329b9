import { useTranslation } from 'react-i18next'
import { LeaveGuard as Guard } from './UnsavedChangesDialog.js'

/** Asks whoever leaves while files are under way. */
export function LeaveGuard({ explanation }: { explanation: string }) {
  const { t } = useTranslation('files')
  return (
    <Guard heading={t('leave.question')} explanation={explanation} keep={t('leave.stay')} act={t('leave.confirm')} />
  )
}
