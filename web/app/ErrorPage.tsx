import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { ApiError } from '#shared/client/client'
import { Page } from '../components/Page.js'
import { errorMessage } from '../lib/error-message.js'
import { paths } from '../lib/paths.js'
import { withBase } from '../lib/site.js'

/** Shown when a page or its loader throws. Both buttons reload the app. */
export function ErrorPage() {
  const { t } = useTranslation()
  const error = useRouteError()
  return (
    <Page heading={t('error.heading')} lede={t('error.explanation')}>
      <p>{errorMessage(error)}</p>
      <p className="actions">
        <button type="button" className="button primary" onClick={() => location.reload()}>
          {t('error.reload')}
        </button>
        <a className="button" href={withBase(paths.home)}>
          {t('error.home')}
        </a>
      </p>
      <details>
        <summary>{t('error.details')}</summary>
        <p>
          <code dir="ltr">{detailsOf(error)}</code>
        </p>
      </details>
    </Page>
  )
}

/** HTTP/2 has no reason phrases. */
const REASONS: Record<number, string> = { 400: 'Bad Request', 404: 'Not Found', 405: 'Method Not Allowed' }

/** Enough to find the error in a log. */
function detailsOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText || (REASONS[error.status] ?? '')}`.trim()
  if (error instanceof ApiError) {
    const { statusCode, error: name, code, requestId } = error.body
    return [`${statusCode} ${name}`, code, requestId].filter(Boolean).join(' · ')
  }
  return error instanceof Error ? error.name : 'Error'
}
