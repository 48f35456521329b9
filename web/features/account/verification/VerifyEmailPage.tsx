import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { ApiError } from '#shared/client/client'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Link } from '../../../components/Link.js'
import { Notice } from '../../../components/Notice.js'
import { Page } from '../../../components/Page.js'
import { isolateLtr } from '../../../lib/format.js'
import { paths } from '../../../lib/paths.js'
import { verifyEmail } from '../account-api.js'

/**
 * Confirms an e-mail address. The link of an e-mail opens it, with a token after `#`. Nothing is sent before a click.
 */
export default function VerifyEmailPage() {
  const { t } = useTranslation('account')
  const token = useLocation().hash.slice(1)
  const [state, setState] = useState<'open' | 'busy' | 'broken'>(token === '' ? 'broken' : 'open')
  /** Not always the address of the user who is signed in. */
  const [email, setEmail] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const confirm = async () => {
    if (state === 'busy') return
    setError(null)
    setState('busy')
    try {
      setEmail((await verifyEmail({ token })).email)
    } catch (cause) {
      const isBroken = cause instanceof ApiError && cause.code === 'auth.verification_link'
      setState(isBroken ? 'broken' : 'open')
      if (!isBroken) setError(cause)
    }
  }
  const isOver = email !== null || state === 'broken'
  return (
    <Page heading={t('verification.heading')} lede={!isOver && t('verification.lede')}>
      {email !== null && (
        <Notice kind="good" role="status">
          {t('verification.confirmed', { email: isolateLtr(email) })}
        </Notice>
      )}
      {state === 'broken' && (
        <Notice kind="bad" role="alert">
          {t('common:errors.auth.verification_link')}
        </Notice>
      )}
      <ErrorNotice error={error} />
      <p className="actions">
        {isOver ? (
          <Link className="button primary" to={paths.account}>
            {t('title')}
          </Link>
        ) : (
          <button type="button" className="button primary" aria-disabled={state === 'busy'} onClick={confirm}>
            {t('verification.action')}
          </button>
        )}
      </p>
    </Page>
  )
}
