import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData, useRevalidator } from 'react-router'
import type { CreatedWebhook, Webhook } from '#shared/api'
import { EmptyState } from '../../../components/EmptyState.js'
import { Page } from '../../../components/Page.js'
import { sanitizeName } from '../../../lib/format.js'
import { requireSession } from '../../../lib/session/require-session.js'
import { useSettings } from '../../../lib/settings.js'
import { useDeferredState } from '../../../lib/use-deferred-state.js'
import { useFocusAfterClose } from '../use-focus-after-close.js'
import { NewWebhookForm } from './NewWebhookForm.js'
import { SigningSecretCard } from './SigningSecretCard.js'
import { WebhookCard } from './WebhookCard.js'
import { webhookApi } from './webhook-api.js'

/** The user's webhooks, newest first. */
export const loader = requireSession(() => webhookApi.list())

/** A signing secret that is shown once. */
interface Shown {
  webhook: CreatedWebhook
  isNew: boolean
}

export default function WebhooksPage() {
  const { t } = useTranslation('webhooks')
  const webhooks = useLoaderData<Webhook[]>()
  const reload = useReload()
  const [isAsking, setAsking] = useDeferredState(false)
  const [shown, setShown] = useDeferredState<Shown | null>(null)
  const [deleted, setDeleted] = useState('')
  const isClosed = !isAsking && shown === null
  const button = useFocusAfterClose(isClosed)
  const show = async (next: Shown) => {
    setAsking(false)
    setShown(next)
    await reload()
  }
  const removed = async ({ name }: Webhook) => {
    button.current?.focus()
    setDeleted(sanitizeName(name))
    await reload()
  }
  const newButton = (
    <button ref={button} type="button" className="button" onClick={() => setAsking(true)}>
      {t('new')}
    </button>
  )
  return (
    <Page wide heading={t('heading')} lede={t('lede')}>
      <p className="status" role="status">
        {deleted !== '' && t('account:tokens.deleted', { name: deleted })}
      </p>
      {shown && <SigningSecretCard key={shown.webhook.secret} {...shown} onDone={() => setShown(null)} />}
      {isAsking && (
        <NewWebhookForm onCreate={(webhook) => show({ webhook, isNew: true })} onCancel={() => setAsking(false)} />
      )}
      {isClosed && webhooks.length === 0 && <EmptyState title={t('none')}>{newButton}</EmptyState>}
      {isClosed && webhooks.length > 0 && <p>{newButton}</p>}
      {webhooks.map((webhook) => (
        <WebhookCard
          key={webhook.id}
          webhook={webhook}
          onRotate={(rotated) => show({ webhook: rotated, isNew: false })}
          onDelete={() => removed(webhook)}
        />
      ))}
    </Page>
  )
}

/** Loads the webhooks again, and the settings: "Notify me" on the form needs a webhook. */
function useReload(): () => Promise<void> {
  const { revalidate } = useRevalidator()
  const { retry } = useSettings()
  return async () => {
    retry()
    await revalidate()
  }
}
