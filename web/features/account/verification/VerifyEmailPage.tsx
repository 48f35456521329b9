import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { ApiError } from '#shared/client/client'
import { isolateLtr } from '../../../lib/format.js'
import { paths } from '../../../lib/paths.js'
import { verifyEmail } from '../account-api.js'
import { EmailLinkPage } from '../EmailLinkPage.js'

/** Confirms an e-mail address. The link of an e-mail opens it, with a token after `#`. */
export default function VerifyEmailPage() {
  const { t } = useTranslation('account')
  const token = useLocation().hash.slice(1)
  return (
    <EmailLinkPage
      token={token}
      heading={t('verification.heading')}
      lede={t('verification.lede')}
      action={t('verification.action')}
      // Not always the address of the user who is signed in.
      act={async () => t('verification.confirmed', { email: isolateLtr((await verifyEmail({ token })).email) })}
      isBroken={(error) => error instanceof ApiError && error.code === 'auth.verification_link'}
      brokenText={t('common:errors.auth.verification_link')}
      next={{ to: paths.account, label: t('title') }}
    />
  )
}
