/**
 * Delivers the events of the webhooks of users, by one process at a time. A webhook that fails or hangs delays neither the
 * webhooks of other users nor those of plugins.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { DeliveryOutcome, OutboxStore } from '../contracts/outbox.js'
import type { LeaseStore } from '../contracts/storage.js'
import type { UserWebhook } from '../contracts/user-webhooks.js'
import type { Delivery } from '../events/delivery.js'
import { createWait, type DeliveryPace } from '../events/delivery-pace.js'
import { createPause, type DeliveryPause } from '../events/delivery-pause.js'
import { toEvent, toUpdate } from '../events/delivery-update.js'
import { toSubscriber, type UserWebhookIndex } from '../events/user-webhook-index.js'
import { errorName, type Log } from '../lib/log.js'
import { recordHealth, type SendDeps, sendToWebhook } from './send-to-webhook.js'

/** How often each process looks for events. */
const POLL_MS = 1000
const LEASE = 'events:user-webhooks'
/** When a process dies, another one continues after this time. Longer than an attempt. */
const LEASE_MS = 60_000
/** Number of events of one webhook that are delivered in a second. */
const BATCH = 8
/** Number of webhooks that are served at once. */
const ACTIVE_MAX = 64
/** The same for the webhooks of one user, so that hanging receivers of one user leave room for others. */
const ACTIVE_PER_USER = 2
const PAUSES_MAX = 10_000

interface Deps extends SendDeps {
  outbox: Pick<OutboxStore, 'listDue' | 'recordAttempts'>
  leases: LeaseStore
  index: Pick<UserWebhookIndex, 'isEmpty'>
  pace: Pick<DeliveryPace, 'isBusy'>
  log: Log
}

/** Starts to look for events every second. `run` delivers one batch to each webhook with due events. */
export function startUserDelivery(deps: Deps): Delivery {
  const { store, leases, index, pace, log, now } = deps
  const stopped = new AbortController()
  const holder = randomBytes(16).toString('hex')
  const wait = createWait(pace, now)
  const pauses = new LRUCache<string, DeliveryPause>({ max: PAUSES_MAX })
  /** Running deliveries by webhook, with their user. */
  const active = new Map<string, { userId: string; done: Promise<void> }>()
  let starting: Promise<void> | null = null
  let hasLease = false

  async function startDue(): Promise<void> {
    if (stopped.signal.aborted || index.isEmpty() || wait.mustWait()) return
    const isReady = (id: string) => !active.has(id) && !pauses.get(id)?.isActive()
    const ids = (await store.listDue(now())).filter(isReady)
    if (ids.length === 0) return wait.end()
    hasLease = await leases.acquire(LEASE, holder, now() + LEASE_MS, now())
    if (!hasLease) return wait.end()
    for (const id of rotate(ids)) {
      if (stopped.signal.aborted || active.size >= ACTIVE_MAX) return
      const webhook = await store.get(id)
      if (webhook && countOf(webhook.userId) < ACTIVE_PER_USER) startOne(webhook)
    }
  }

  const countOf = (userId: string) => [...active.values()].filter((each) => each.userId === userId).length

  function startOne(webhook: UserWebhook): void {
    const { id, userId } = webhook
    const done = deliverBatch({ ...deps, pauses }, webhook, stopped.signal)
      .catch((error) => log.warn('webhook delivery stopped', { webhook: id, error: errorName(error) }))
      .finally(() => active.delete(id))
    active.set(id, { userId, done })
  }

  const waitForActive = () => Promise.all([...active.values()].map(({ done }) => done))

  async function run(): Promise<void> {
    starting ??= startDue()
      .catch((error) => log.warn('webhook delivery stopped', { error: errorName(error) }))
      .finally(() => {
        starting = null
      })
    await starting
    await waitForActive()
  }

  const timer = setInterval(run, POLL_MS).unref()
  return {
    run,
    async stop() {
      clearInterval(timer)
      stopped.abort()
      await starting
      await waitForActive()
      if (hasLease) await leases.acquire(LEASE, holder, now(), now())
    },
  }
}

async function deliverBatch(
  { pauses, ...deps }: Deps & { pauses: LRUCache<string, DeliveryPause> },
  webhook: UserWebhook,
  stopped: AbortSignal,
): Promise<void> {
  const { outbox, store, now } = deps
  const entries = await outbox.listDue(toSubscriber(webhook.id), now(), BATCH)
  const outcomes = await Promise.all(
    entries.map(async (entry) => ({ entry, ...(await sendToWebhook(deps, webhook, toEvent(entry), stopped)) })),
  )
  // An attempt that was aborted says nothing about the receiver.
  const settled = outcomes.filter(({ isDelivered }) => isDelivered || !stopped.aborted)
  if (settled.length === 0) return
  await outbox.recordAttempts(settled.map(({ entry, ...outcome }) => toUpdate(entry, outcome, now())))
  await recordHealth(store, webhook, settled, now())
  updatePause(pauses, webhook.id, settled, now)
}

function updatePause(
  pauses: LRUCache<string, DeliveryPause>,
  id: string,
  outcomes: DeliveryOutcome[],
  now: () => number,
): void {
  if (outcomes.some(({ isDelivered, isPermanent }) => isDelivered || isPermanent)) return void pauses.delete(id)
  const pause = pauses.get(id) ?? createPause(now)
  pause.start()
  pauses.set(id, pause)
}

/** Starts at a random place, so that no webhook is always the last one. */
function rotate(ids: string[]): string[] {
  const first = randomInt(ids.length)
  return [...ids.slice(first), ...ids.slice(0, first)]
}
