import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../../forms/FormDialog.js'
import { useFormDialog } from '../../../../forms/use-form-dialog.js'
import { renamePasskey } from './factors-api.js'
import { PasskeyNameField } from './PasskeyNameField.js'

interface Props {
  passkey: { id: string; name: string }
  onRenamed(): void
  onClosed(): void
}

export function RenamePasskeyDialog({ passkey, onRenamed, onClosed }: Props) {
  const { t } = useTranslation('security')
  const [values, setValues] = useState({ name: passkey.name })
  const name = values.name.trim()
  const form = useFormDialog<'name'>({
    invalid: name === '' ? ['name'] : [],
    serverFields: ['name'],
    async send() {
      await renamePasskey({ id: passkey.id, name })
      onRenamed()
    },
  })
  return (
    <FormDialog
      form={form}
      heading={t('passkeys.rename-of', { name: passkey.name })}
      cancelLabel={t('account:tokens.cancel')}
      submitLabel={t('account:secrets.save')}
      busyLabel={t('account:settings.busy')}
      onClosed={onClosed}
    >
      <PasskeyNameField form={form} values={values} onChange={setValues} />
    </FormDialog>
  )
}
