import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { ApiError } from '#shared/client/client'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Link } from '../../../components/Link.js'
import { Notice } from '../../../components/Notice.js'
import { Page } from '../../../components/Page.js'
import { paths } from '../../../lib/paths.js'
import { verifyEmail } from '../account-api.js'

/** Confirms an e-mail address. The link of an e-mail opens it, with a token after `#`. Nothing is sent before a click. */
export default function VerifyEmailPage() {
  const { t } = useTranslation('account')
  const { hash } = useLocation()
  const [state, setState] = useState<'open' | 'busy' | 'done' | 'broken'>('open')
  const [error, setError] = useState<unknown>(null)
  const confirm = async () => {
    if (state === 'busy') return
    setError(null)
    setState('busy')
    try {
      await verifyEmail({ token: hash.slice(1) })
      setState('done')
    } catch (cause) {
      setState(cause instanceof ApiError && cause.code === 'auth.verification_link' ? 'broken' : 'open')
      setError(cause)
    }
  }
  const isOver = state === 'done' || state === 'broken'
  return (
    <Page heading={t('verification.heading')} lede={!isOver && t('verification.lede')}>
      {state === 'done' && (
        <Notice kind="good" role="status">
          {t('verification.done')}
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
