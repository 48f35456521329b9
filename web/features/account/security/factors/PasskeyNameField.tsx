import { useTranslation } from 'react-i18next'
import { PASSKEY_NAME_MAX } from '#shared/account-limits'
import { InputField } from '../../../../forms/InputField.js'
import type { Form } from '../../../../forms/use-form.js'

interface Props {
  form: Form<'name'>
  values: { name: string }
  onChange(values: { name: string }): void
}

export function PasskeyNameField({ form, values, onChange }: Props) {
  const { t } = useTranslation('security')
  return (
    <InputField
      label={t('account:tokens.name')}
      hint={t('passkeys.name-hint')}
      error={form.fieldError('name', t('passkeys.name-missing'))}
      {...form.inputProps('name', values, onChange)}
      required
      maxLength={PASSKEY_NAME_MAX}
    />
  )
}
