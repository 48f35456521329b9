import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { ApiError } from '#shared/client/client'
import { errorMessage } from '../lib/error-message.js'
import { paths } from '../lib/paths.js'
import { endSession } from '../lib/session/end-session.js'
import { FocusedNotice } from './FocusedNotice.js'
import { Link } from './Link.js'

/** Shows an error, with a link to the sign-in page when the session has ended since the page was loaded. */
export function ErrorNotice({ error, children }: { error: unknown; children?: ReactNode }) {
  const needsSignIn = error instanceof ApiError && error.code === 'auth.required'
  useEffect(() => {
    if (needsSignIn) endSession()
  }, [needsSignIn])
  return (
    <FocusedNotice error={error}>
      {error !== null && errorMessage(error)}
      {children && <> {children}</>}
      {needsSignIn && <SignInLink />}
    </FocusedNotice>
  )
}

/** Leads back to this page. */
function SignInLink() {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  return (
    <>
      {' '}
      <Link to={`${paths.signIn}?to=${encodeURIComponent(pathname + search)}`}>{t('frame.sign-in')}</Link>
    </>
  )
}
