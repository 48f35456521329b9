import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { loginChanged } from '../../login.js'
import { Field } from '../../parts/Field.js'
import { Link } from '../../parts/Link.js'
import { Notice } from '../../parts/Notice.js'
import { Page } from '../../parts/Page.js'
import { PasswordInput } from '../../parts/PasswordInput.js'
import { paths } from '../../paths.js'
import { useSettings } from '../../settings.js'
import { signIn } from './calls.js'
import { FailureNotice } from './FailureNotice.js'
import { useFailureInAddress } from './failure-in-address.js'
import { asksPassword, OnlyElsewhere, Providers } from './Providers.js'
import { returnPath, returnPathOutside } from './return-path.js'
import { SetUpHint } from './SetUpHint.js'
import { useSubmit } from './use-submit.js'

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
