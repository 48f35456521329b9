import { useTranslation } from 'react-i18next'
import { Field } from '../../../forms/Field.js'
import { HiddenUsername } from '../../../forms/HiddenUsername.js'
import { NewPasswordField } from '../../../forms/NewPasswordField.js'
import { PasswordInput } from '../../../forms/PasswordInput.js'
import type { Form } from '../../../forms/use-form.js'
import { formatRange } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { useAccount } from '../../../lib/session/require-session.js'
import type { PasswordName, usePasswords } from './use-passwords.js'

interface Props {
  form: Pick<Form<PasswordName>, 'fieldError' | 'inputProps' | 'isInvalid'>
  passwords: ReturnType<typeof usePasswords>
  /** Shown at the new password. */
  hint?: 'new-hint' | 'new-wrong'
}

/** The current and the new password of the account. */
export function PasswordFields({ form, passwords: { values, setValues, range }, hint = 'new-wrong' }: Props) {
  const { t } = useTranslation('account')
  const { username } = useAccount()
  const limits = formatRange(range, language)
  return (
    <>
      <HiddenUsername username={username} />
      <Field label={t('settings.current')} error={form.fieldError('currentPassword', t('settings.current-missing'))}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.inputProps('currentPassword', values, setValues)}
            dir="ltr"
            autoComplete="current-password"
            required
          />
        )}
      </Field>
      <NewPasswordField
        {...form.inputProps('newPassword', values, setValues)}
        dir="ltr"
        label={t('settings.new')}
        hint={!form.isInvalid('newPassword') && t(`settings.${hint}`, limits)}
        error={form.fieldError('newPassword', t('settings.new-wrong', limits))}
        required
      />
    </>
  )
}
