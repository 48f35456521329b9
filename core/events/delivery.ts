/** Delivers stored events: at least once, in order for each subject, by one process at a time for each subscriber. */
import { randomBytes } from 'node:crypto'
import type { DeliveryOutcome, DeliveryUpdate, OutboxEntry, OutboxStore, Subscriber } from '../contracts/outbox.js'
import type { LeaseStore } from '../contracts/storage.js'
import { errorName, type Log } from '../lib/log.js'
import { deliverEvent } from './deliver-event.js'
import { createWait, type DeliveryPace } from './delivery-pace.js'
import { createPause } from './delivery-pause.js'
import { toEvent, toUpdate } from './delivery-update.js'

/** How often each process looks for events. */
const POLL_MS = 1000
/** Number of events that are delivered at once. All of them end in a few seconds, long before the lease. */
const BATCH = 16
/** Number of events that are read at once, because the database looks at all waiting ones each time. */
const WINDOW = 16 * BATCH
/** When a process dies, another one continues after this time. */
const LEASE_MS = 60_000
/** How long a process does not look for events of a subscriber after another one had its lease. */
const LEASED_MS = 5000

interface Deps {
  store: Pick<OutboxStore, 'listDue' | 'recordAttempts'>
  leases: LeaseStore
  subscribers: Subscriber[]
  pace: Pick<DeliveryPace, 'isBusy'>
  log: Log
  /** Epoch ms. */
  now: () => number
}

export interface Delivery {
  /** Delivers what is due, and resolves when nothing is left to do. Never rejects. */
  run(): Promise<void>
  /** Aborts running attempts. Their events stay pending, and their leases end at once. */
  stop(): Promise<void>
}

/** Starts to look for events every second. Without subscribers it does nothing. */
export function startDelivery(deps: Deps): Delivery {
  const stopped = new AbortController()
  const workers = deps.subscribers.map((subscriber) => createWorker(deps, subscriber, stopped.signal))
  const run = async () => void (await Promise.all(workers.map((worker) => worker.run())))
  const timer = workers.length > 0 ? setInterval(run, POLL_MS).unref() : undefined
  return {
    run,
    async stop() {
      clearInterval(timer)
      stopped.abort()
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

function createWorker(deps: Deps, subscriber: Subscriber, stopped: AbortSignal) {
  const { store, leases, pace, log, now } = deps
  const { name } = subscriber
  const lease = createLease(leases, `events:${name}`, now)
  const pause = createPause(now)
  const wait = createWait(pace, now)
  let running: Promise<void> | null = null
  let isFailing = false

  async function deliverDue(): Promise<void> {
    while (!stopped.aborted && !pause.isActive() && !lease.isElsewhere() && !wait.mustWait()) {
      // Where another process delivers, looking at the events that wait for a subscriber would take longer than asking for its lease.
      if (lease.wasElsewhere() && !(await lease.hold())) return wait.end()
      const wasHeld = lease.isHeld()
      const entries = await store.listDue(name, now(), WINDOW)
      if (entries.length === 0 || !(await lease.hold())) return wait.end()
      // Without the lease, another process may have delivered some of them.
      await deliverWindow(wasHeld ? entries : await store.listDue(name, now(), WINDOW))
    }
  }

  /** `entries`: of different subjects, so that their order does not matter. */
  async function deliverWindow(entries: OutboxEntry[]): Promise<void> {
    for (let from = 0; from < entries.length; from += BATCH) {
      if (stopped.aborted || pause.isActive() || !(await lease.hold())) return
      await deliverBatch(entries.slice(from, from + BATCH))
    }
  }

  async function deliverBatch(entries: OutboxEntry[]): Promise<void> {
    const outcomes = await Promise.all(
      entries.map(async (entry) => ({ entry, ...(await deliverEvent(subscriber, toEvent(entry), stopped)) })),
    )
    // An attempt that was aborted says nothing about the subscriber.
    const settled = outcomes.filter(({ isDelivered }) => isDelivered || !stopped.aborted)
    await recordOutcomes(deps, settled)
    // A subscriber that refuses one event for good is there for the others.
    const failed = settled.find(({ isDelivered, isPermanent }) => !isDelivered && !isPermanent)
    if (settled.some(({ isDelivered, isPermanent }) => isDelivered || isPermanent)) pause.end()
    else if (failed) pause.start()
    // Once per outage.
    if (failed && !isFailing) log.warn('event delivery failed', { subscriber: name, result: failed.result })
    isFailing = failed !== undefined
  }

  return {
    run() {
      running ??= deliverDue()
        .catch((error) => log.warn('event delivery stopped', { subscriber: name, error: errorName(error) }))
        .finally(() => {
          running = null
        })
      return running
    },
    async stop() {
      await running
      await lease.release()
    },
  }
}

async function recordOutcomes(
  { store, log, now }: Deps,
  outcomes: (DeliveryOutcome & { entry: OutboxEntry })[],
): Promise<void> {
  // One time for all, so that equal results are stored together.
  const at = now()
  const updates = outcomes.map(({ entry, ...outcome }) => toUpdate(entry, outcome, at))
  if (updates.length > 0) await store.recordAttempts(updates)
  const entries = outcomes.map(({ entry }) => entry)
  reportDead(log, entries, updates)
}

/** The lease of the process that delivers for a subscriber. */
function createLease(leases: LeaseStore, name: string, now: () => number) {
  const holder = randomBytes(16).toString('hex')
  /** Epoch ms; 0: this process does not have the lease. */
  let end = 0
  let nextTryAt = 0
  return {
    /** True: another process had it a moment ago. */
    isElsewhere: () => now() < nextTryAt,
    /** True: another process had it when this one asked last. */
    wasElsewhere: () => nextTryAt > 0,
    isHeld: () => end > now(),
    /** False: another process has the lease. Renews it early enough for the next batch. */
    async hold(): Promise<boolean> {
      if (end - now() > LEASE_MS / 2) return true
      const next = now() + LEASE_MS
      end = (await leases.acquire(name, holder, next, now())) ? next : 0
      nextTryAt = end > 0 ? 0 : now() + LEASED_MS
      return end > 0
    },
    async release(): Promise<void> {
      if (end > 0) await leases.acquire(name, holder, now(), now())
      end = 0
    },
  }
}

function reportDead(log: Log, entries: OutboxEntry[], updates: DeliveryUpdate[]): void {
  for (const { id, state, attempts, result } of updates) {
    const entry = state === 'dead' && entries.find((each) => each.id === id)
    if (!entry) continue
    const { subscriber, type } = entry
    log.error('event not delivered', { subscriber, event: id, type, attempts, result })
  }
}
