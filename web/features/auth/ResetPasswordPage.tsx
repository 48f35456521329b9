import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { ResetAccess } from '#shared/api'
import { ErrorNotice } from '../../components/ErrorNotice.js'
import { Link } from '../../components/Link.js'
import { Loading } from '../../components/Loading.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { HiddenUsername } from '../../forms/HiddenUsername.js'
import { KeepFields } from '../../forms/lock-out/KeepFields.js'
import { formatKept, NOTHING_KEPT } from '../../forms/lock-out/kept-access.js'
import { PasswordField } from '../../forms/PasswordField.js'
import { useFocusOnFirstField } from '../../forms/use-focus-on-first-field.js'
import { useForm } from '../../forms/use-form.js'
import { isPasswordLength } from '../../forms/validate-account.js'
import { formatRange } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { paths } from '../../lib/paths.js'
import { useSettings } from '../../lib/settings.js'
import { useLoaded } from '../../lib/use-loaded.js'
import { listResetAccess, resetPassword } from './auth-api.js'

/**
 * Sets a new password and ends all access, except the access that the user keeps. The link of an e-mail opens it, with
 * a token after `#`.
 */
export default function ResetPasswordPage() {
  const { t } = useTranslation('auth')
  const token = useLocation().hash.slice(1)
  if (token !== '') return <Reset token={token} />
  return (
    <Page hasError heading={t('reset.heading')}>
      <Notice kind="bad" role="alert">
        {t('common:errors.auth.reset_link')}
      </Notice>
      <NewLink />
    </Page>
  )
}

function Reset({ token }: { token: string }) {
  const { t } = useTranslation('auth')
  const { value: access, error } = useLoaded(useCallback(() => listResetAccess(token), [token]))
  /** Names of the kept access; null: not reset yet. */
  const [kept, setKept] = useState<string | null>(null)
  return (
    <Page heading={t('reset.heading')} hasError={error !== null}>
      <ErrorNotice error={error} />
      {error !== null && <NewLink />}
      {kept === null ? (
        access && <ResetForm token={token} access={access} onDone={setKept} />
      ) : (
        <PasswordChanged kept={kept} />
      )}
      {access === null && error === null && <Loading />}
    </Page>
  )
}

function NewLink() {
  const { t } = useTranslation('auth')
  return (
    <p className="actions">
      <Link className="button primary" to={paths.forgotPassword}>
        {t('reset.forgot')}
      </Link>
    </p>
  )
}

interface FormProps {
  token: string
  access: ResetAccess
  /** `kept`: names of the kept access. */
  onDone(kept: string): void
}

function ResetForm({ token, access, onDone }: FormProps) {
  const { t } = useTranslation('auth')
  const { limits } = useSettings().settings
  const [values, setValues] = useState({ newPassword: '' })
  const [kept, setKept] = useState(NOTHING_KEPT)
  const range = { min: access.passwordMin, max: limits.passwordMax }
  const rule = formatRange(range, language)
  const form = useForm<'newPassword'>({
    invalid: isPasswordLength(values.newPassword, range) ? [] : ['newPassword'],
    serverFields: ['newPassword'],
    async send() {
      await resetPassword({ token, newPassword: values.newPassword, keep: kept })
      onDone(formatKept(access, kept))
    },
  })
  useFocusOnFirstField(form.ref)
  return (
    <>
      <ErrorNotice error={form.formError} />
      <form ref={form.ref} className="card" noValidate onSubmit={form.onSubmit}>
        <HiddenUsername username={access.username} />
        <PasswordField
          autoComplete="new-password"
          {...form.inputProps('newPassword', values, setValues)}
          label={t('password')}
          hint={t('sign-up.password-rule', rule)}
          error={form.fieldError('newPassword', t('sign-up.wrong.password', rule))}
          required
        />
        <KeepFields access={access} kept={kept} onChange={setKept} />
        <button type="submit" className="button primary large whole" aria-disabled={form.isSending}>
          {t('reset.save')}
        </button>
      </form>
    </>
  )
}

function PasswordChanged({ kept }: { kept: string }) {
  const { t } = useTranslation('auth')
  return (
    <>
      <Notice kind="good" role="status">
        {t('reset.done')}
        {kept !== '' && <p>{t('access:kept', { names: kept })}</p>}
      </Notice>
      <p className="actions">
        <Link className="button primary" to={paths.signIn}>
          {t('sign-in.action')}
        </Link>
      </p>
    </>
  )
}
