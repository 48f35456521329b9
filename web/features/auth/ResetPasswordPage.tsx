import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { ErrorNotice } from '../../components/ErrorNotice.js'
import { Link } from '../../components/Link.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { Field } from '../../forms/Field.js'
import { PasswordInput } from '../../forms/PasswordInput.js'
import { useForm } from '../../forms/use-form.js'
import { isPasswordLength, passwordRange } from '../../forms/validate-account.js'
import { errorMessage } from '../../lib/error-message.js'
import { formatNumber } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { paths } from '../../lib/paths.js'
import { useSettings } from '../../lib/settings.js'
import { resetPassword } from './auth-api.js'

/** Sets a new password. The link of an e-mail opens it, with a token after `#`. */
export default function ResetPasswordPage() {
  const { t } = useTranslation('people')
  const { settings } = useSettings()
  const { hash } = useLocation()
  const [values, setValues] = useState({ newPassword: '' })
  const [isDone, setDone] = useState(false)
  const range = passwordRange(settings.limits, false)
  const limits = { min: formatNumber(range.min, language), max: formatNumber(range.max, language) }
  const form = useForm<'newPassword'>({
    invalid: isPasswordLength(values.newPassword, range) ? [] : ['newPassword'],
    serverFields: ['newPassword'],
    async send() {
      await resetPassword({ token: hash.slice(1), newPassword: values.newPassword })
      setDone(true)
    },
  })
  const refused = form.errorField === 'newPassword' ? errorMessage(form.error) : null
  return (
    <Page heading={t('reset.heading')}>
      {isDone ? (
        <>
          <Notice kind="good" role="status">
            {t('reset.done')}
          </Notice>
          <p className="actions">
            <Link className="button primary" to={paths.signIn}>
              {t('sign-in.action')}
            </Link>
          </p>
        </>
      ) : (
        <>
          <ErrorNotice error={form.formError} />
          <form ref={form.ref} className="card" noValidate onSubmit={form.onSubmit}>
            <Field
              label={t('password')}
              hint={t('sign-up.password-rule', limits)}
              error={form.isInvalid('newPassword') ? t('sign-up.wrong.password', limits) : refused}
            >
              {(control) => (
                <PasswordInput
                  {...control}
                  {...form.inputProps('newPassword', values, setValues)}
                  autoComplete="new-password"
                  required
                />
              )}
            </Field>
            <button type="submit" className="button primary large whole" aria-disabled={form.isSending}>
              {t('reset.save')}
            </button>
          </form>
        </>
      )}
    </Page>
  )
}
