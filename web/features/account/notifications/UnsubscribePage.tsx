import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { ApiError } from '#shared/client/client'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Link } from '../../../components/Link.js'
import { Notice } from '../../../components/Notice.js'
import { Page } from '../../../components/Page.js'
import { accountPaths } from '../../../lib/account-paths.js'
import { unsubscribe } from '../account-api.js'

/**
 * Turns notifications off. The link of a notification opens it, with a token after `#`. Nothing is sent before a click.
 */
export default function UnsubscribePage() {
  const { t } = useTranslation('account')
  const token = decodeToken(useLocation().hash)
  const [state, setState] = useState<'open' | 'busy' | 'done' | 'broken'>(token === '' ? 'broken' : 'open')
  const [error, setError] = useState<unknown>(null)
  const turnOff = async () => {
    if (state === 'busy') return
    setError(null)
    setState('busy')
    try {
      await unsubscribe(token)
      setState('done')
    } catch (cause) {
      const isBroken = cause instanceof ApiError && cause.status === 404
      setState(isBroken ? 'broken' : 'open')
      if (!isBroken) setError(cause)
    }
  }
  const isOver = state === 'done' || state === 'broken'
  return (
    <Page heading={t('notifications.off')} lede={!isOver && t('notifications.explanation')}>
      {state === 'done' && (
        <Notice kind="good" role="status">
          {t('notifications.done')}
        </Notice>
      )}
      {state === 'broken' && (
        <Notice kind="bad" role="alert">
          {t('notifications.broken')}
        </Notice>
      )}
      <ErrorNotice error={error} />
      <p className="actions">
        {isOver ? (
          <Link className="button primary" to={accountPaths.settings}>
            {t('settings.heading')}
          </Link>
        ) : (
          <button type="button" className="button primary" aria-disabled={state === 'busy'} onClick={turnOff}>
            {t('notifications.off')}
          </button>
        )}
      </p>
    </Page>
  )
}

/** Invalid encodings become an empty token, like a link without one. */
function decodeToken(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}
