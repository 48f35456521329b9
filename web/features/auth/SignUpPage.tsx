import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { Link } from '../../components/Link.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { paths } from '../../lib/paths.js'
import { useSession } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'
import { ExternalSignIn, hasPasswordSignIn } from './ProviderButtons.js'
import { externalReturnPath } from './return-path.js'
import { SetUpHint } from './SetUpHint.js'
import { SignedIn } from './SignedIn.js'
import { SignUpForm } from './SignUpForm.js'
import { useSignUpForm } from './use-sign-up-form.js'

export default function SignUpPage() {
  const { t } = useTranslation('auth')
  const { settings } = useSettings()
  const { search } = useLocation()
  const form = useSignUpForm()
  const session = useSession()
  if (session && !form.isSigningUp) return <SignedIn session={session} />
  const heading = t('sign-up.heading')
  const lede = (
    <>
      {t('sign-up.have-account')} <Link to={paths.signIn + search}>{t('sign-in.action')}</Link>
    </>
  )
  if (!hasPasswordSignIn(settings.providers)) {
    return (
      <Page heading={heading} lede={lede}>
        <SetUpHint />
        <ExternalSignIn providers={settings.providers} next={externalReturnPath(search)} />
      </Page>
    )
  }
  if (!settings.signUp) {
    return (
      <Page heading={heading} lede={lede}>
        <Notice kind="info">
          {t(settings.disable_users ? 'common:errors.auth.users_disabled' : 'common:errors.auth.sign_up_disabled')}
        </Notice>
        <SetUpHint />
      </Page>
    )
  }
  return (
    <Page heading={heading} hasError={form.hasProblems} lede={lede}>
      <SignUpForm form={form} />
    </Page>
  )
}
