import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { ErrorNotice } from '../../components/ErrorNotice.js'
import { Link } from '../../components/Link.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { Field } from '../../forms/Field.js'
import { PasswordInput } from '../../forms/PasswordInput.js'
import { useFocusOnFirstField } from '../../forms/use-focus-on-first-field.js'
import { useForm } from '../../forms/use-form.js'
import { paths } from '../../lib/paths.js'
import { sessionStore, useSession } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'
import { useRedirectError } from '../../lib/use-redirect-error.js'
import { signIn } from './auth-api.js'
import { ExternalSignIn, hasPasswordSignIn, ProviderButtons } from './ProviderButtons.js'
import { externalReturnPath, returnPath } from './return-path.js'
import { SetUpHint } from './SetUpHint.js'
import { SignedInPage } from './SignedInPage.js'

export default function SignInPage() {
  const { t } = useTranslation('auth')
  const { settings } = useSettings()
  const { search } = useLocation()
  const form = useSignInForm()
  const session = useSession()
  if (session && !form.isSigningIn) return <SignedInPage session={session} error={form.error} />
  return (
    <Page
      heading={t('sign-in.heading')}
      hasError={form.error !== null}
      lede={
        settings.signUp && (
          <>
            {t('sign-in.no-account')} <Link to={paths.signUp + search}>{t('sign-up.action')}</Link>
          </>
        )
      }
    >
      {settings.disable_users && form.error === null && (
        <Notice kind="info">{t('common:errors.auth.users_disabled')}</Notice>
      )}
      <SetUpHint />
      <ErrorNotice error={form.error} />
      {hasPasswordSignIn(settings.providers) ? (
        <SignInForm form={form} />
      ) : (
        <ExternalSignIn providers={settings.providers} next={externalReturnPath(search)} />
      )}
    </Page>
  )
}

function useSignInForm() {
  const { retry } = useSettings()
  const { search } = useLocation()
  const navigate = useNavigate()
  const [values, setValues] = useState({ username: '', password: '' })
  const [isSigningIn, setSigningIn] = useState(false)
  const form = useForm<keyof typeof values>({
    invalid: [
      ...(values.username.trim() === '' ? (['username'] as const) : []),
      ...(values.password === '' ? (['password'] as const) : []),
    ],
    initialError: useRedirectError(),
    async send() {
      setSigningIn(true)
      try {
        await signIn({ username: values.username.trim(), password: values.password })
      } catch (error) {
        setSigningIn(false)
        form.ref.current?.querySelector<HTMLInputElement>('[name=password]')?.select()
        throw error
      }
      sessionStore.notify()
      // The settings depend on who is signed in.
      retry()
      await navigate(returnPath(search), { replace: true })
    },
  })
  const inputProps = (name: keyof typeof values) => form.inputProps(name, values, setValues)
  return { ...form, isSigningIn, inputProps }
}

function SignInForm({ form }: { form: ReturnType<typeof useSignInForm> }) {
  const { t } = useTranslation('auth')
  const { settings } = useSettings()
  const { search } = useLocation()
  useFocusOnFirstField(form.ref)
  return (
    <form ref={form.ref} className="card" noValidate onSubmit={form.onSubmit}>
      <Field label={t('username')} error={form.isInvalid('username') ? t('sign-in.username-missing') : null}>
        {(control) => (
          <input
            {...control}
            {...form.inputProps('username')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            required
          />
        )}
      </Field>
      <Field label={t('password')} error={form.isInvalid('password') ? t('sign-in.password-missing') : null}>
        {(control) => (
          <PasswordInput {...control} {...form.inputProps('password')} autoComplete="current-password" required />
        )}
      </Field>
      <button type="submit" className="button primary large whole" aria-disabled={form.isSending}>
        {t(form.isSending ? 'sign-in.busy' : 'sign-in.action')}
      </button>
      {settings.passwordReset && (
        <p className="centered">
          <Link to={paths.forgotPassword}>{t('reset.link')}</Link>
        </p>
      )}
      <ProviderButtons providers={settings.providers} next={externalReturnPath(search)} />
    </form>
  )
}
