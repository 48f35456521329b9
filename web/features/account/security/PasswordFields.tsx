import { useTranslation } from 'react-i18next'
import { PasswordField } from '../../../forms/PasswordField.js'
import type { Form } from '../../../forms/use-form.js'
import { formatRange } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { CurrentPasswordField } from '../CurrentPasswordField.js'
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
  const limits = formatRange(range, language)
  return (
    <>
      <CurrentPasswordField form={form} {...form.inputProps('currentPassword', values, setValues)} />
      <PasswordField
        autoComplete="new-password"
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
