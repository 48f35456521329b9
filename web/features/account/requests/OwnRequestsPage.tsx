import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData, useRevalidator } from 'react-router'
import type { OwnRequest } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { ConfirmButton } from '../../../components/ConfirmButton.js'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Link } from '../../../components/Link.js'
import { Page } from '../../../components/Page.js'
import { Pagination } from '../../../components/Pagination.js'
import { RelativeTime } from '../../../components/RelativeTime.js'
import { type Column, Table } from '../../../components/Table.js'
import { formatNumber, isolateLtr } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { type ListPage, loadListPage } from '../../../lib/pagination.js'
import { paths } from '../../../lib/paths.js'
import { requestApi } from '../../../lib/request-api.js'
import { requireSession } from '../../../lib/session/require-session.js'
import { useSettings } from '../../../lib/settings.js'
import { useFocusAfterRemoval } from '../use-focus-after-removal.js'

/** The user's open requests, newest first. */
export const loader = requireSession(({ request }) => loadListPage(request, requestApi.list))

/** The start of the id: titles are encrypted. */
const shortId = ({ id }: OwnRequest): string => id.slice(0, 12)

export default function OwnRequestsPage() {
  const { t } = useTranslation('requests')
  const page = useLoaderData<ListPage<OwnRequest>>()
  const requests = page.items
  const { settings } = useSettings()
  const { revalidate } = useRevalidator()
  const [closed, setClosed] = useState('')
  const [error, setError] = useState<unknown>(null)
  const container = useRef<HTMLDivElement>(null)
  const focusAfter = useFocusAfterRemoval(requests, container, 'td > button', 'a')
  const close = async (request: OwnRequest, index: number) => {
    setError(null)
    try {
      await requestApi.close(request.id)
    } catch (cause) {
      // Already closed or expired.
      if (!(cause instanceof ApiError && cause.code === 'secret_request.not_found')) return setError(cause)
    }
    setClosed(shortId(request))
    focusAfter(index)
    await revalidate()
  }
  const columns = useRequestColumns(close)
  return (
    <Page wide heading={t('own.heading')} lede={t('own.lede')}>
      <p className="status" role="status">
        {closed !== '' && t('own.closed', { name: isolateLtr(closed) })}
      </p>
      <ErrorNotice error={error} />
      <div ref={container} className="stack">
        {requests.length === 0 ? (
          <p className="card centered">{t('own.none')}</p>
        ) : (
          <Table name={t('own.heading')} columns={columns} items={requests} getKey={({ id }) => id} />
        )}
        {settings.requests && (
          <p>
            <Link className="button" to={paths.request}>
              {t('own.new')}
            </Link>
          </p>
        )}
      </div>
      <Pagination
        page={page}
        label={t('account:secrets.pages')}
        previous={t('account:secrets.previous')}
        next={t('account:secrets.next')}
      />
    </Page>
  )
}

function useRequestColumns(onClose: (request: OwnRequest, index: number) => void): Column<OwnRequest>[] {
  const { t } = useTranslation('requests')
  return [
    { name: t('own.request'), render: (request) => <code dir="ltr">{shortId(request)}</code> },
    { name: t('own.created'), render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { name: t('common:facts.expires'), render: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
    {
      name: t('own.received'),
      render: ({ submissions, maxSubmissions }) =>
        t('own.of', {
          received: formatNumber(submissions, language),
          max: formatNumber(maxSubmissions, language),
        }),
    },
    {
      name: t('collect.state'),
      render: ({ submissions, maxSubmissions }) => (
        <span className="badge">{t(submissions < maxSubmissions ? 'own.waiting' : 'own.complete')}</span>
      ),
    },
    {
      name: t('collect.actions'),
      render: (request, index) => (
        <ConfirmButton
          label={t('close.action')}
          name={t('own.close-of', { name: isolateLtr(shortId(request)) })}
          heading={t('close.question')}
          explanation={t('close.explanation')}
          cancelLabel={t('common:burn.keep')}
          confirmLabel={t('close.action')}
          onConfirm={() => onClose(request, index)}
        />
      ),
    },
  ]
}
