import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../forms/Field.js'
import { NewPasswordField } from '../../forms/NewPasswordField.js'
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
      <Field label={t('account.username')} hint={t('account.username-rule')} error={errorOf('username')}>
        {(control) => (
          <input
            {...control}
            {...inputProps('username')}
            autoComplete={isForOther ? 'off' : 'username'}
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
          />
        )}
      </Field>
      <Field label={t('account.email')} error={errorOf('email')}>
        {(control) => (
          <input
            {...control}
            {...inputProps('email')}
            type="email"
            autoComplete={isForOther ? 'off' : 'email'}
            dir="ltr"
          />
        )}
      </Field>
      {children}
      {range && (
        <NewPasswordField
          {...inputProps('password')}
          label={t('account.password')}
          hint={t('account.password-rule', limits)}
          error={errorOf('password')}
        />
      )}
    </>
  )
}
