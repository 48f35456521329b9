import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../forms/FormDialog.js'
import { useFormDialog } from '../../../forms/use-form-dialog.js'
import { endUserSessions } from '../admin-api.js'

interface Props {
  username: string
  onEnded(): void
  onClosed(): void
}

export function EndSessionsDialog({ username, onEnded, onClosed }: Props) {
  const { t } = useTranslation('admin')
  const form = useFormDialog({
    invalid: [],
    async send() {
      await endUserSessions(username)
      onEnded()
    },
  })
  return (
    <FormDialog
      isDangerous
      form={form}
      heading={t('end-sessions.heading', { username })}
      explanation={<p>{t('end-sessions.explanation')}</p>}
      cancelLabel={t('cancel')}
      submitLabel={t('end-sessions.action')}
      busyLabel={t('end-sessions.busy')}
      onClosed={onClosed}
    />
  )
}
