import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { ErrorNotice } from '../../components/ErrorNotice.js'
import { InputField } from '../../forms/InputField.js'
import { PasswordField } from '../../forms/PasswordField.js'
import type { AccountField } from '../../forms/validate-account.js'
import { formatRange } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { useSettings } from '../../lib/settings.js'
import { ProviderButtons } from './ProviderButtons.js'
import { externalReturnPath } from './return-path.js'
import type { SignUpFormState } from './use-sign-up-form.js'

export function SignUpForm({ form }: { form: SignUpFormState }) {
  const { t } = useTranslation('auth')
  const { settings } = useSettings()
  const { search } = useLocation()
  const limits = formatRange(form.range, language)
  const errorOf = (name: AccountField) => form.fieldError(name, t(`sign-up.wrong.${name}`, limits))
  return (
    <>
      <ErrorNotice error={form.formError} />
      <form ref={form.ref} className="card" noValidate onSubmit={form.onSubmit}>
        <InputField
          label={t('email')}
          hint={settings.organizationEmail && form.error === null && t('common:errors.auth.email_domain')}
          error={errorOf('email')}
          {...form.inputProps('email')}
          type="email"
          autoComplete="email"
          dir="ltr"
        />
        <InputField
          label={t('username')}
          hint={t('sign-up.username-rule')}
          error={errorOf('username')}
          {...form.inputProps('username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
        />
        <PasswordField
          autoComplete="new-password"
          {...form.inputProps('password')}
          label={t('password')}
          hint={t('sign-up.password-rule', limits)}
          error={errorOf('password')}
        />
        <button type="submit" className="button primary large whole" aria-disabled={form.isSending}>
          {t(form.isSending ? 'sign-up.busy' : 'sign-up.action')}
        </button>
        <ProviderButtons providers={settings.providers} next={externalReturnPath(search)} />
      </form>
    </>
  )
}
