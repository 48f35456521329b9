import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CreatedWebhook, PingedWebhook, Webhook } from '#shared/api'
import { ConfirmButton } from '../../../components/ConfirmButton.js'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Link } from '../../../components/Link.js'
import { Notice } from '../../../components/Notice.js'
import { accountPaths } from '../../../lib/account-paths.js'
import { isolateLtr, sanitizeName } from '../../../lib/format.js'
import { useAttempt } from '../../../lib/use-attempt.js'
import { webhookApi } from './webhook-api.js'

interface Props {
  webhook: Webhook
  onRotate(rotated: CreatedWebhook): void
  /** Called before the card is removed. */
  onDelete(): void
}

/** A webhook with its actions. */
export function WebhookCard({ webhook, onRotate, onDelete }: Props) {
  const { t } = useTranslation('webhooks')
  const id = useId()
  const [pinged, setPinged] = useState<PingedWebhook | null>(null)
  const { error, attempt } = useAttempt()
  const name = sanitizeName(webhook.name)
  const act = async (action: () => Promise<void>) => {
    setPinged(null)
    await attempt(action)
  }
  return (
    <section className="card stack" aria-labelledby={id}>
      <h2 id={id}>
        <bdi>{name}</bdi>{' '}
        {webhook.state !== 'working' && <span className="badge warn">{t(`state.${webhook.state}`)}</span>}
      </h2>
      <ErrorNotice error={error} />
      {webhook.state === 'failed' && <Notice kind="warn">{t('failed-hint')}</Notice>}
      <Facts webhook={webhook} />
      <PingResult name={name} pinged={pinged} />
      <div className="actions">
        <button
          type="button"
          className="button"
          onClick={() => act(async () => setPinged(await webhookApi.ping(webhook.id)))}
        >
          {t('ping')}
        </button>
        <Link className="button" to={`${accountPaths.webhooks}/${webhook.id}`}>
          {t('log')}
        </Link>
        <ConfirmButton
          isDangerous={false}
          label={t('rotate')}
          name={t('rotate')}
          heading={t('rotate')}
          explanation={t('rotate-consequence', { name })}
          cancelLabel={t('account:tokens.keep')}
          confirmLabel={t('rotate')}
          onConfirm={() => act(async () => onRotate(await webhookApi.rotate(webhook.id)))}
        />
        <ConfirmButton
          label={t('account:tokens.delete')}
          name={t('account:tokens.delete-of', { name })}
          heading={t('question')}
          explanation={t('consequence', { name })}
          cancelLabel={t('account:tokens.keep')}
          confirmLabel={t('account:tokens.delete')}
          onConfirm={() =>
            act(async () => {
              await webhookApi.remove(webhook.id)
              onDelete()
            })
          }
        />
      </div>
    </section>
  )
}

function Facts({ webhook: { url, events } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  return (
    <dl className="facts">
      <dt>{t('url')}</dt>
      <dd>
        <code dir="ltr" translate="no">
          {sanitizeName(url)}
        </code>
      </dd>
      <dt>{t('events')}</dt>
      <dd>
        {events.length === 0 ? (
          t('all')
        ) : (
          <ul>
            {events.map((type) => (
              <li key={type}>{t(`event.${type}`)}</li>
            ))}
          </ul>
        )}
      </dd>
    </dl>
  )
}

/** The result of the last test. */
function PingResult({ name, pinged }: { name: string; pinged: PingedWebhook | null }) {
  const { t } = useTranslation('webhooks')
  const values = { name, result: isolateLtr(sanitizeName(pinged?.result ?? '')) }
  const failure = pinged?.result === 'unreachable' ? t('ping-unreachable', { name }) : t('ping-failed', values)
  return (
    <div role="status">
      {pinged && (
        <Notice kind={pinged.delivered ? 'good' : 'bad'}>{pinged.delivered ? t('pinged', values) : failure}</Notice>
      )}
    </div>
  )
}
