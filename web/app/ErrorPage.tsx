import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { ApiError, NetworkError } from '#shared/client/client'
import { Lazy } from '../components/Lazy.js'
import { Link } from '../components/Link.js'
import { Page } from '../components/Page.js'
import { createdLinks } from '../features/compose/created-link.js'
import { useDraft } from '../features/compose/draft/draft-store.js'
import { createdRequests } from '../features/compose/request/created-requests.js'
import { errorMessage } from '../lib/error-message.js'
import { createLazyPart, OutdatedError } from '../lib/lazy-part.js'
import { paths } from '../lib/paths.js'
import { withBase } from '../lib/site.js'
import { serverPage } from './server-page.js'

const notFoundPart = createLazyPart(() => import('./NotFoundPage.js'))

/**
 * Shown when a page or its loader throws. The buttons reload the app: the router keeps a part that could not be loaded
 * as failed.
 */
export function ErrorPage() {
  const { t } = useTranslation()
  const error = useRouteError()
  if (error instanceof OutdatedError) return <OutdatedPage />
  if (error instanceof NetworkError) {
    return (
      <Page centered heading={t(navigator.onLine ? 'errors.unreachable' : 'error.offline')} lede={t('shell.failed')}>
        <p className="actions">
          <ReloadButton />
        </p>
      </Page>
    )
  }
  if (isNotFound(error)) return <Lazy part={notFoundPart}>{({ default: NotFoundPage }) => <NotFoundPage />}</Lazy>
  return (
    <Page centered heading={t('error.heading')} lede={t('error.explanation')}>
      <p>{errorMessage(error)}</p>
      <p className="actions">
        <ReloadButton />
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

/**
 * The server has another build than this page. Loads the requested page from the server, unless that would delete a
 * draft or the links of a created secret or request, to which Back leads, or the page came from there just now.
 */
function OutdatedPage() {
  const { t } = useTranslation()
  const { text, files } = useDraft()
  const hasDraft = text !== '' || files.length > 0
  const [isFirstPage] = useState(() => serverPage.isConnected)
  const canReload = !hasDraft && createdLinks.size + createdRequests.size === 0 && !isFirstPage
  useEffect(() => {
    if (canReload) location.reload()
  }, [canReload])
  return (
    <Page centered heading={t('outdated.heading')} lede={hasDraft && t('outdated.draft')}>
      <p className="actions">
        {hasDraft && (
          <Link className="button primary" to={paths.home}>
            {t('outdated.back')}
          </Link>
        )}
        <ReloadButton isPrimary={!hasDraft} />
      </p>
    </Page>
  )
}

/** The page or its data does not exist, or this server does not offer the page. */
const isNotFound = (error: unknown): boolean =>
  (isRouteErrorResponse(error) || error instanceof ApiError) && error.status === 404

function ReloadButton({ isPrimary = true }: { isPrimary?: boolean }) {
  const { t } = useTranslation()
  return (
    <button type="button" className={isPrimary ? 'button primary' : 'button'} onClick={() => location.reload()}>
      {t('error.reload')}
    </button>
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
