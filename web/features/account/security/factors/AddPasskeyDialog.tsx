import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PASSKEY_NAME_MAX } from '#shared/account-limits'
import { FocusedNotice } from '../../../../components/FocusedNotice.js'
import { FormDialog } from '../../../../forms/FormDialog.js'
import { useFormDialog } from '../../../../forms/use-form-dialog.js'
import { createPasskey, PasskeyError } from './create-passkey.js'
import { addPasskey } from './factors-api.js'
import { PasskeyNameField } from './PasskeyNameField.js'

interface Props {
  /** Such as the name of this browser. */
  suggestedName: string
  /** `recoveryCodes`: created with the account's first factor. */
  onAdded(name: string, recoveryCodes: string[] | null): void
  onClosed(): void
}

/** Asks for a name, then the browser creates the passkey. */
export function AddPasskeyDialog({ suggestedName, onAdded, onClosed }: Props) {
  const { t } = useTranslation('security')
  const [values, setValues] = useState({ name: suggestedName.slice(0, PASSKEY_NAME_MAX) })
  const name = values.name.trim()
  const form = useFormDialog<'name'>({
    invalid: name === '' ? ['name'] : [],
    serverFields: ['name'],
    async send() {
      const passkey = await createPasskey()
      const { recoveryCodes } = await addPasskey({ name, passkey })
      onAdded(name, recoveryCodes)
    },
  })
  const failure = form.error instanceof PasskeyError ? form.error : null
  return (
    <FormDialog
      form={failure ? { ...form, formError: null } : form}
      heading={t('passkeys.add')}
      explanation={<p className="hint">{t('intro.explanation')}</p>}
      cancelLabel={t('account:tokens.cancel')}
      submitLabel={t('passkeys.add')}
      busyLabel={t('passkeys.adding')}
      onClosed={onClosed}
    >
      <FocusedNotice error={failure}>{failure && t(`passkeys.${failure.reason}`)}</FocusedNotice>
      <PasskeyNameField form={form} values={values} onChange={setValues} />
    </FormDialog>
  )
}
