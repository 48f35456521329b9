import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { FailureNotice } from '../../components/ErrorNotice.js'
import { Link } from '../../components/Link.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { Field } from '../../forms/Field.js'
import { PasswordInput } from '../../forms/PasswordInput.js'
import { useSubmit } from '../../forms/use-form.js'
import { paths } from '../../lib/paths.js'
import { loginChanged } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'
import { useFailureInAddress } from '../../lib/use-redirect-error.js'
import { signIn } from './auth-api.js'
import { asksPassword, OnlyElsewhere, Providers } from './ProviderButtons.js'
import { returnPath, returnPathOutside } from './return-path.js'
import { SetUpHint } from './SetUpHint.js'

export default function SignIn() {
  const { t } = useTranslation('people')
  const { settings, retry } = useSettings()
  const { search } = useLocation()
  const navigate = useNavigate()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const { submit, isBusy, failure } = useSubmit(async () => {
    try {
      await signIn({ username: username.trim(), password })
    } catch (error) {
      form.current?.querySelector<HTMLInputElement>('[name=password]')?.select()
      throw error
    }
    loginChanged()
    // What this caller may do has changed.
    retry()
    await navigate(returnPath(search), { replace: true })
  }, useFailureInAddress())
  const heading = t('sign-in.heading')
  const isAsking = asksPassword(settings.providers)
  return (
    <Page
      heading={heading}
      title={failure === null ? heading : t('error-title', { title: heading })}
      lede={
        settings.signUp && (
          <>
            {t('sign-in.no-account')} <Link to={paths.signUp + search}>{t('sign-up.action')}</Link>
          </>
        )
      }
    >
      {settings.disable_users && <Notice kind="info">{t('common:errors.auth.users_disabled')}</Notice>}
      <SetUpHint />
      <FailureNotice failure={failure} />
      {!isAsking && <OnlyElsewhere providers={settings.providers} next={returnPathOutside(search)} />}
      {isAsking && (
        <form ref={form} className="card" onSubmit={submit}>
          <Field label={t('username')}>
            {(control) => (
              <input
                {...control}
                name="username"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                dir="ltr"
                required
                value={username}
                onChange={({ target }) => setUsername(target.value)}
              />
            )}
          </Field>
          <Field label={t('password')}>
            {(control) => (
              <PasswordInput
                {...control}
                name="password"
                autoComplete="current-password"
                required
                value={password}
                onChange={({ target }) => setPassword(target.value)}
              />
            )}
          </Field>
          <button type="submit" className="button primary large whole" aria-disabled={isBusy}>
            {t(isBusy ? 'sign-in.busy' : 'sign-in.action')}
          </button>
          <Providers providers={settings.providers} next={returnPathOutside(search)} />
        </form>
      )}
    </Page>
  )
}
