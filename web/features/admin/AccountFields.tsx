import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { InputField } from '../../forms/InputField.js'
import { PasswordField } from '../../forms/PasswordField.js'
import type { Form } from '../../forms/use-form.js'
import type { AccountField, AccountValues, PasswordRange } from '../../forms/validate-account.js'
import { formatRange } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'

interface Props {
  form: Pick<Form<AccountField>, 'fieldError' | 'inputProps'>
  values: AccountValues
  change(values: AccountValues): void
  /** Null: there is no password field. */
  range: PasswordRange | null
  /** The account of another person: browsers must neither fill in nor store the values. */
  isForOther?: boolean
  /** Between the e-mail address and the password. */
  children?: ReactNode
}

/** Username, e-mail address and password of a new account. */
export function AccountFields({ form, values, change, range, isForOther, children }: Props) {
  const { t } = useTranslation('admin')
  const limits = formatRange(range ?? { min: 0, max: 0 }, language)
  const inputProps = (name: AccountField) => ({ ...form.inputProps(name, values, change), required: true })
  const errorOf = (name: AccountField) => form.fieldError(name, t(`account.wrong.${name}`, limits))
  return (
    <>
      <InputField
        label={t('account.username')}
        hint={t('account.username-rule')}
        error={errorOf('username')}
        {...inputProps('username')}
        autoComplete={isForOther ? 'off' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
      />
      <InputField
        label={t('account.email')}
        error={errorOf('email')}
        {...inputProps('email')}
        type="email"
        autoComplete={isForOther ? 'off' : 'email'}
        dir="ltr"
      />
      {children}
      {range && (
        <PasswordField
          autoComplete="new-password"
          {...inputProps('password')}
          label={t('account.password')}
          hint={t('account.password-rule', limits)}
          error={errorOf('password')}
        />
      )}
    </>
  )
}
