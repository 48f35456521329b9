import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData, useRevalidator } from 'react-router'
import type { OwnRequest } from '#shared/api'
import { ConfirmButton } from '../../../components/ConfirmButton.js'
import { EmptyState } from '../../../components/EmptyState.js'
import { Link } from '../../../components/Link.js'
import { Outcome } from '../../../components/Outcome.js'
import { Page } from '../../../components/Page.js'
import { RelativeTime } from '../../../components/RelativeTime.js'
import { type Column, Table } from '../../../components/Table.js'
import { forgetCollectLink, listKeptRequests } from '../../../lib/collect-links/kept-collect-links.js'
import { formatNumber } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { type ListPage, loadListPage } from '../../../lib/pagination.js'
import { paths } from '../../../lib/paths.js'
import { requestApi } from '../../../lib/request-api.js'
import { readLabels } from '../../../lib/secret-labels.js'
import { requireSession } from '../../../lib/session/require-session.js'
import { sessionStore } from '../../../lib/session/session-store.js'
import { useSettings } from '../../../lib/settings.js'
import { useAttempt } from '../../../lib/use-attempt.js'
import { ListPages } from '../ListPages.js'
import { ListSearch, useListSearch } from '../ListSearch.js'
import { SecretName } from '../secrets/SecretName.js'
import { secretName } from '../secrets/secret-name.js'
import { useFocusAfterRemoval } from '../use-focus-after-removal.js'

interface Loaded {
  page: ListPage<OwnRequest>
  /** Ids of the requests whose collect links are kept in this browser. */
  kept: Set<string>
}

/** The user's open requests, newest first. */
export const loader = requireSession(async ({ request }): Promise<Loaded> => {
  const username = sessionStore.current()?.username ?? ''
  const [page, kept] = await Promise.all([
    loadListPage(request, requestApi.list),
    listKeptRequests(username, Date.now()),
  ])
  return { page, kept }
})

export default function OwnRequestsPage() {
  const { t } = useTranslation('requests')
  const { page, kept } = useLoaderData<Loaded>()
  const [labels] = useState(readLabels)
  const requests = page.items
  const search = useListSearch(requests, ({ id }) => requestName(id, labels))
  const { found } = search
  const { settings } = useSettings()
  const { revalidate } = useRevalidator()
  const [closed, setClosed] = useState('')
  const { error, attempt } = useAttempt()
  const container = useRef<HTMLDivElement>(null)
  const focusAfter = useFocusAfterRemoval(requests, container, 'td > .actions > .danger', 'a')
  const close = async (request: OwnRequest, index: number) => {
    if (!(await attempt(() => requestApi.close(request.id), 'secret_request.not_found'))) return
    await forgetCollectLink(request.id)
    setClosed(requestName(request.id, labels))
    focusAfter(index)
    await revalidate()
  }
  const columns = useRequestColumns(labels, kept, close)
  const newRequest = settings.requests && (
    <Link className="button" to={paths.request}>
      {t('own.new')}
    </Link>
  )
  return (
    <Page wide heading={t('own.heading')} lede={t('own.lede')}>
      <Outcome message={closed !== '' && t('own.closed', { name: closed })} error={error} />
      <div ref={container} className="stack">
        {requests.length === 0 ? (
          <EmptyState title={t('own.none')}>{newRequest}</EmptyState>
        ) : (
          <>
            <ListSearch search={search} />
            {found.length > 0 && (
              <Table name={t('own.heading')} columns={columns} items={found} getKey={({ id }) => id} />
            )}
            {newRequest && <p>{newRequest}</p>}
          </>
        )}
      </div>
      <ListPages page={page} />
    </Page>
  )
}

/** Titles are encrypted, so the server does not know them. */
const requestName = (id: string, labels: Map<string, string>): string => secretName({ id, title: null }, labels.get(id))

function useRequestColumns(
  labels: Map<string, string>,
  kept: Set<string>,
  onClose: (request: OwnRequest, index: number) => void,
): Column<OwnRequest>[] {
  const { t } = useTranslation('requests')
  return [
    {
      name: t('own.request'),
      render: ({ id }) => (
        <span id={id}>
          <SecretName id={id} label={labels.get(id)} />
        </span>
      ),
    },
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
      render: ({ submissions, unopened }) =>
        unopened > 0 ? (
          <span className="badge strong">{t('account:menu.unopened', { amount: unopened })}</span>
        ) : (
          <span className="badge">{t(submissions === 0 ? 'own.nothing' : 'own.opened')}</span>
        ),
    },
    {
      name: t('collect.actions'),
      render: (request, index) => (
        <div className="actions">
          {kept.has(request.id) && <OpenLink request={request} />}
          <ConfirmButton
            label={t('close.action')}
            name={t('own.close-of', { name: requestName(request.id, labels) })}
            heading={t('close.question')}
            explanation={t('close.explanation')}
            cancelLabel={t('common:burn.keep')}
            confirmLabel={t('close.action')}
            onConfirm={() => onClose(request, index)}
          />
        </div>
      ),
    },
  ]
}

/** The address has no key: the page reads the link that this browser keeps. */
function OpenLink({ request: { id, unopened } }: { request: OwnRequest }) {
  const { t } = useTranslation('requests')
  const linkId = useId()
  return (
    <Link
      id={linkId}
      className={unopened > 0 ? 'button primary' : 'button'}
      to={paths.collect.replace(':requestId', id)}
      aria-labelledby={`${linkId} ${id}`}
    >
      {unopened > 0 ? t('own.open', { amount: formatNumber(unopened, language) }) : t('collect.open')}
    </Link>
  )
}
