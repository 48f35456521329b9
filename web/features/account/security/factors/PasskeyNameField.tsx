import { useTranslation } from 'react-i18next'
import { PASSKEY_NAME_MAX } from '#shared/account-limits'
import { Field } from '../../../../forms/Field.js'
import type { Form } from '../../../../forms/use-form.js'

interface Props {
  form: Form<'name'>
  values: { name: string }
  onChange(values: { name: string }): void
}

export function PasskeyNameField({ form, values, onChange }: Props) {
  const { t } = useTranslation('security')
  return (
    <Field
      label={t('account:tokens.name')}
      hint={t('passkeys.name-hint')}
      error={form.fieldError('name', t('passkeys.name-missing'))}
    >
      {(control) => (
        <input
          {...control}
          {...form.inputProps('name', values, onChange)}
          autoComplete="off"
          required
          maxLength={PASSKEY_NAME_MAX}
        />
      )}
    </Field>
  )
}
