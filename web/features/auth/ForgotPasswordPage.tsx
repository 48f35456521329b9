import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../../components/ErrorNotice.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { InputField } from '../../forms/InputField.js'
import { useForm } from '../../forms/use-form.js'
import { isEmail } from '../../forms/validate-account.js'
import { requestPasswordReset } from './auth-api.js'

/** Asks for a link with which a user sets a new password. It says the same for every address. */
export default function ForgotPasswordPage() {
  const { t } = useTranslation('auth')
  const [values, setValues] = useState({ email: '' })
  const [isSent, setSent] = useState(false)
  const form = useForm<'email'>({
    invalid: isEmail(values.email) ? [] : ['email'],
    async send() {
      await requestPasswordReset({ email: values.email.trim() })
      setSent(true)
    },
  })
  return (
    <Page heading={t('reset.forgot')} lede={!isSent && t('reset.lede')}>
      {isSent ? (
        <Notice kind="info" role="status">
          {t('reset.sent')}
        </Notice>
      ) : (
        <>
          <ErrorNotice error={form.error} />
          <form ref={form.ref} className="card" noValidate onSubmit={form.onSubmit}>
            <InputField
              label={t('email')}
              error={form.isInvalid('email') ? t('sign-up.wrong.email') : null}
              {...form.inputProps('email', values, setValues)}
              type="email"
              autoComplete="email"
              dir="ltr"
              required
            />
            <button type="submit" className="button primary large whole" aria-disabled={form.isSending}>
              {t('reset.send')}
            </button>
          </form>
        </>
      )}
    </Page>
  )
}
