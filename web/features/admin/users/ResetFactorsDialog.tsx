import { useTranslation } from 'react-i18next'
import type { ListedUser } from '#shared/api'
import { FormDialog } from '../../../forms/FormDialog.js'
import { useFormDialog } from '../../../forms/use-form-dialog.js'
import { adminApi } from '../admin-api.js'

interface Props {
  user: ListedUser
  onReset(): void
  onClosed(): void
}

/** Removes the second factors of a user who has lost them. */
export function ResetFactorsDialog({ user: { username }, onReset, onClosed }: Props) {
  const { t } = useTranslation('admin')
  const form = useFormDialog({
    invalid: [],
    async send() {
      await adminApi.resetFactors(username)
      onReset()
    },
  })
  return (
    <FormDialog
      isDangerous
      form={form}
      heading={t('reset-factors.heading', { username })}
      explanation={
        <>
          <p>{t('reset-factors.explanation', { username })}</p>
          <p>{t('reset-factors.check', { username })}</p>
        </>
      }
      cancelLabel={t('cancel')}
      submitLabel={t('reset-factors.action')}
      busyLabel={t('reset-factors.busy')}
      onClosed={onClosed}
    />
  )
}
