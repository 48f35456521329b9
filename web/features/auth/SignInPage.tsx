import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { ErrorNotice } from '../../components/ErrorNotice.js'
import { Link } from '../../components/Link.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { InputField } from '../../forms/InputField.js'
import { PasswordField } from '../../forms/PasswordField.js'
import { useFocusOnFirstField } from '../../forms/use-focus-on-first-field.js'
import { paths } from '../../lib/paths.js'
import { useSession } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'
import { ExternalSignIn, hasPasswordSignIn, ProviderButtons } from './ProviderButtons.js'
import { hasPasskeys } from './passkey-part.js'
import { externalReturnPath } from './return-path.js'
import { SetUpHint } from './SetUpHint.js'
import { SignedIn } from './SignedIn.js'
import { usePasskeyOffer } from './use-passkey-offer.js'
import { type SignInForm as SignInFormState, useSignInForm } from './use-sign-in-form.js'

export default function SignInPage() {
  const { t } = useTranslation('auth')
  const { settings } = useSettings()
  const { search } = useLocation()
  const form = useSignInForm()
  const session = useSession()
  if (session && !form.isSigningIn) return <SignedIn session={session} error={form.error} />
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

function SignInForm({ form }: { form: SignInFormState }) {
  const { t } = useTranslation('auth')
  const { settings } = useSettings()
  const { search } = useLocation()
  useFocusOnFirstField(form.ref)
  usePasskeyOffer(!form.isSending, form.acceptPasskey)
  return (
    <form ref={form.ref} className="card" noValidate onSubmit={form.onSubmit}>
      <InputField
        label={t('username')}
        error={form.isInvalid('username') ? t('sign-in.username-missing') : null}
        {...form.inputProps('username')}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        required
      />
      <PasswordField
        label={t('password')}
        error={form.isInvalid('password') ? t('sign-in.password-missing') : null}
        {...form.inputProps('password')}
        autoComplete="current-password"
        required
      />
      <button type="submit" className="button primary large whole" aria-disabled={form.isSending}>
        {t(form.isSigningIn ? 'sign-in.busy' : 'sign-in.action')}
      </button>
      {settings.passwordReset && (
        <p className="centered">
          <Link to={paths.forgotPassword}>{t('reset.link')}</Link>
        </p>
      )}
      <ProviderButtons providers={settings.providers} next={externalReturnPath(search)}>
        {hasPasskeys() ? (
          <button type="button" className="button whole" aria-disabled={form.isSending} onClick={form.askForPasskey}>
            {t('sign-in.with-passkey')}
          </button>
        ) : null}
      </ProviderButtons>
    </form>
  )
}
