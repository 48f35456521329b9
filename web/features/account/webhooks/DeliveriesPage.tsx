import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData, useRevalidator } from 'react-router'
import type { Webhook, WebhookDelivery } from '#shared/api'
import { EmptyState } from '../../../components/EmptyState.js'
import { Link } from '../../../components/Link.js'
import { Outcome } from '../../../components/Outcome.js'
import { Page } from '../../../components/Page.js'
import { RelativeTime } from '../../../components/RelativeTime.js'
import { type Column, Table } from '../../../components/Table.js'
import { accountPaths } from '../../../lib/account-paths.js'
import { sanitizeName } from '../../../lib/format.js'
import { type ListPage, loadListPage } from '../../../lib/pagination.js'
import { requireSession } from '../../../lib/session/require-session.js'
import { useAttempt } from '../../../lib/use-attempt.js'
import { ListPages } from '../ListPages.js'
import { webhookApi } from './webhook-api.js'

interface Log {
  id: string
  /** Undefined: deleted in the meantime. */
  webhook: Webhook | undefined
  page: ListPage<WebhookDelivery>
}

/** The deliveries of one webhook, newest first. */
export const loader = requireSession(async ({ request, params: { webhookId: id = '' } }): Promise<Log> => {
  const [webhooks, page] = await Promise.all([
    webhookApi.list(),
    loadListPage(request, (range) => webhookApi.deliveries(id, range)),
  ])
  return { id, webhook: webhooks.find((each) => each.id === id), page }
})

export default function DeliveriesPage() {
  const { t } = useTranslation('webhooks')
  const { id, webhook, page } = useLoaderData<Log>()
  const { revalidate } = useRevalidator()
  const [isQueued, setQueued] = useState(false)
  const { error, attempt } = useAttempt()
  const redeliver = async (delivery: WebhookDelivery) => {
    setQueued(false)
    if (!(await attempt(() => webhookApi.redeliver(id, delivery.id)))) return
    setQueued(true)
    await revalidate()
  }
  const columns = useDeliveryColumns(redeliver)
  return (
    <Page wide heading={t('log')} lede={sanitizeName(webhook?.name ?? '')}>
      <Outcome message={isQueued && t('queued')} error={error} />
      {page.items.length === 0 ? (
        <EmptyState title={t('log-none')}>{null}</EmptyState>
      ) : (
        <Table name={t('log')} columns={columns} items={page.items} getKey={(delivery) => delivery.id} />
      )}
      <ListPages page={page} />
      <p>
        <Link className="button" to={accountPaths.webhooks}>
          {t('back')}
        </Link>
      </p>
    </Page>
  )
}

function useDeliveryColumns(onRedeliver: (delivery: WebhookDelivery) => void): Column<WebhookDelivery>[] {
  const { t } = useTranslation('webhooks')
  return [
    {
      name: t('event-label'),
      render: ({ type, subject }) => (
        <>
          {t(`event.${type}`)} <code dir="ltr">{subject.split(':')[1]?.slice(0, 12)}</code>
        </>
      ),
    },
    { name: t('time'), render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { name: t('state-label'), render: ({ state }) => <span className="badge">{t(`delivery.${state}`)}</span> },
    {
      name: t('result'),
      render: ({ result }) => (
        <bdi>{result === 'unreachable' ? t('common:errors.unreachable') : sanitizeName(result ?? '–')}</bdi>
      ),
    },
    {
      name: t('account:tokens.actions'),
      render: (delivery) => (
        <button
          type="button"
          className="button"
          aria-label={t('redeliver-of', { event: t(`event.${delivery.type}`) })}
          onClick={() => onRedeliver(delivery)}
        >
          {t('redeliver')}
        </button>
      ),
    },
  ]
}
