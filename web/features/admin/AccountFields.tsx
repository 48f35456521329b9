import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../forms/Field.js'
import { PasswordInput } from '../../forms/PasswordInput.js'
import type { Form } from '../../forms/use-form.js'
import type { AccountField, AccountValues, PasswordRange } from '../../forms/validate-account.js'
import { errorMessage } from '../../lib/error-message.js'
import { formatNumber } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'

interface Props {
  form: Pick<Form<AccountField>, 'error' | 'errorField' | 'isInvalid' | 'inputProps'>
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
  const limits = { min: formatNumber(range?.min ?? 0, language), max: formatNumber(range?.max ?? 0, language) }
  const inputProps = (name: AccountField) => ({ ...form.inputProps(name, values, change), required: true })
  const errorOf = (name: AccountField) => {
    if (form.isInvalid(name)) return t(`account.wrong.${name}`, limits)
    return form.errorField === name ? errorMessage(form.error) : null
  }
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
        <Field label={t('account.password')} hint={t('account.password-rule', limits)} error={errorOf('password')}>
          {(control) => <PasswordInput {...control} {...inputProps('password')} autoComplete="new-password" />}
        </Field>
      )}
    </>
  )
}
