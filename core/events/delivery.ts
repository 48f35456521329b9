/**
 * Delivers stored events: at least once, in order for each subject, by one process at a time for each channel. A target
 * that fails or hangs delays no other one.
 */
import type { Subscriber } from '../contracts/channels.js'
import type { DeliveryOutcome, DurableEvent, OutboxEntry } from '../contracts/outbox.js'
import type { Storage } from '../contracts/storage.js'
import { describeCause } from '../lib/error-codes.js'
import { createLease } from '../lib/lease.js'
import { errorName, type Log } from '../lib/log.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { createWait, type DeliveryPace } from './delivery-pace.js'
import { createPauses, type DeliveryPauses, toUpdate } from './delivery-retries.js'
import { forgetAddress } from './short-lived-events.js'

/** How often each process looks for events. */
const POLL_MS = 1000
/** Number of targets of a channel that are served at once. */
const ACTIVE_MAX = 64
/** The same for the targets of one user, so that hanging receivers of one user leave room for others. */
const ACTIVE_PER_USER = 2
/** Events that are delivered to a channel at once. All of them end in a few seconds, long before the lease. */
const BATCH = 16

/** Time limit of one attempt. */
const ATTEMPT_MS = 15_000
/** In characters. */
const RESULT_MAX = 255

/** A receiver with its own order, retries and pauses. */
export interface Target {
  /** Its name in the outbox. */
  subscriber: string
  /** Its owner; null: the operator. */
  userId: string | null
  deliver: Subscriber['deliver']
  /** Called after attempts that show whether the receiver works. */
  recordHealth?(isWorking: boolean): Promise<void>
}

/** The targets of a channel, to which one process delivers at a time. */
export interface TargetGroup {
  /** Name of the channel. */
  name: string
  /** Number of events that a target gets at once. */
  batch: number
  /** Number of events that are read at once, because the database looks at all waiting ones each time. */
  window: number
  /** False: a target gets one window of events per second. */
  drains: boolean
  /** Targets that may have due events, and that are ready for them. */
  listTargets(now: EpochMs, isReady: (subscriber: string) => boolean): Iterable<Target> | AsyncIterable<Target>
}

/** A channel with a single target. */
export const toGroup = ({ name, deliver }: Subscriber): TargetGroup => ({
  name,
  batch: BATCH,
  window: 16 * BATCH,
  drains: true,
  listTargets: (_now, isReady) => (isReady(name) ? [{ subscriber: name, userId: null, deliver }] : []),
})

interface Parts {
  storage: Pick<Storage, 'outbox' | 'leases'>
  groups: TargetGroup[]
  pace: Pick<DeliveryPace, 'isBusy'>
  log: Log
  now: () => EpochMs
}

export interface Delivery {
  /** Delivers due events, and resolves when none are left. Never rejects. */
  run(): Promise<void>
  /** Aborts running attempts. Their events stay pending, and their leases end at once. */
  stop(): Promise<void>
}

/** Starts to look for events every second. Without targets it does nothing. */
export function startDelivery({ groups, ...parts }: Parts): Delivery {
  const stopped = new AbortController()
  const workers = groups.map((group) => createWorker(parts, group, stopped.signal))
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

type Work = Omit<Parts, 'groups'>

function createWorker(parts: Work, group: TargetGroup, stopped: AbortSignal) {
  const { storage, pace, log, now } = parts
  const lease = createLease(storage.leases, `events:${group.name}`, now)
  const wait = createWait(pace, now)
  const pauses = createPauses(now)
  /** Running deliveries by subscriber. */
  const active = new Map<string, { userId: string | null; done: Promise<void> }>()
  let starting: Promise<void> | null = null

  const countOf = (userId: string | null) => [...active.values()].filter((each) => each.userId === userId).length
  const warn = (error: unknown) => log.warn('event delivery stopped', { channel: group.name, ...describeCause(error) })

  /** Acquires the lease before each read: without it, another process may have delivered the events that were read. */
  async function startDue(): Promise<void> {
    if (stopped.aborted || wait.mustWait()) return
    if (!(await lease.claim())) return wait.end()
    const isReady = (subscriber: string) => !active.has(subscriber) && !pauses.isActive(subscriber)
    for await (const target of group.listTargets(now(), isReady)) {
      if (stopped.aborted || active.size >= ACTIVE_MAX) return
      if (countOf(target.userId) < ACTIVE_PER_USER) startTarget(target)
    }
    if (active.size === 0) wait.end()
  }

  function startTarget(target: Target): void {
    const { subscriber, userId } = target
    const done = deliverDue(target)
      .catch(warn)
      .finally(() => active.delete(subscriber))
    active.set(subscriber, { userId, done })
  }

  async function deliverDue(target: Target): Promise<void> {
    const { batch, window, drains } = group
    const mayGoOn = async () => !stopped.aborted && !pauses.isActive(target.subscriber) && (await lease.claim())
    do {
      const entries = await storage.outbox.listDue(target.subscriber, now(), window)
      if (entries.length === 0) return wait.end()
      for (let from = 0; from < entries.length; from += batch) {
        if (!(await mayGoOn())) return
        await deliverBatch({ ...parts, pauses, stopped }, target, entries.slice(from, from + batch))
      }
    } while (drains && !wait.mustWait() && (await mayGoOn()))
  }

  const waitForActive = () => Promise.all([...active.values()].map(({ done }) => done))

  return {
    async run() {
      starting ??= startDue()
        .catch(warn)
        .finally(() => {
          starting = null
        })
      await starting
      await waitForActive()
    },
    async stop() {
      await starting
      await waitForActive()
      await lease.release()
    },
  }
}

/** `entries`: of different subjects, so that their order does not matter. */
async function deliverBatch(
  { pauses, stopped, ...work }: Work & { pauses: DeliveryPauses; stopped: AbortSignal },
  target: Target,
  entries: OutboxEntry[],
): Promise<void> {
  const { subscriber, userId } = target
  const attempts = await Promise.all(
    entries.map(async (entry) => ({ entry, outcome: await attemptDelivery(target, toEvent(entry), stopped) })),
  )
  // An attempt that was aborted says nothing about the receiver.
  const settled = attempts.filter(({ outcome }) => outcome.isDelivered || !stopped.aborted)
  if (settled.length === 0) return
  await recordAttempts(work, settled, userId === null)
  const failure = findFailure(settled.map(({ outcome }) => outcome))
  if (failure !== undefined) await target.recordHealth?.(failure === null)
  if (!failure) return pauses.end(subscriber)
  // Once per outage. Users see their outages in the delivery log.
  if (pauses.start(subscriber) && userId === null)
    work.log.warn('event delivery failed', { subscriber, result: failure.result })
}

/**
 * Attempts one delivery. Never rejects: an error, and no result in time, count as failed. `stopped`: ends the attempt
 * at once, also if the receiver ignores its signal.
 */
export async function attemptDelivery(
  { deliver }: Pick<Subscriber, 'deliver'>,
  event: DurableEvent,
  stopped?: AbortSignal,
): Promise<DeliveryOutcome> {
  const timeout = AbortSignal.timeout(ATTEMPT_MS)
  const signal = AbortSignal.any([timeout, ...(stopped ? [stopped] : [])])
  try {
    signal.throwIfAborted()
    const outcome = await Promise.race([deliver(event, signal), rejectOnAbort(signal)])
    return { ...outcome, result: outcome.result.slice(0, RESULT_MAX) }
  } catch (error) {
    return { isDelivered: false, result: timeout.aborted ? 'timeout' : errorName(error) }
  }
}

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

/**
 * A failure of a receiver that accepts nothing; null for a working receiver. Undefined if all failures are permanent:
 * then the state of the receiver is unknown.
 */
function findFailure(outcomes: DeliveryOutcome[]): DeliveryOutcome | null | undefined {
  if (outcomes.some(({ isDelivered }) => isDelivered)) return null
  return outcomes.find(({ isPermanent }) => !isPermanent)
}

/** Also logs the events of the operator that are given up. */
async function recordAttempts(
  { storage, log, now }: Work,
  attempts: { entry: OutboxEntry; outcome: DeliveryOutcome }[],
  isLogged: boolean,
): Promise<void> {
  // One time for all, so that equal results are stored together.
  const at = now()
  const updates = attempts.map(({ entry, outcome }) => ({
    entry,
    ...forgetAddress(entry, toUpdate(entry, outcome, at)),
  }))
  await storage.outbox.recordAttempts(updates.map(({ entry: _, ...update }) => update))
  for (const { entry, state, attempts, result } of updates) {
    const { subscriber, id: event, type } = entry
    if (isLogged && state === 'dead') log.error('event not delivered', { subscriber, event, type, attempts, result })
  }
}

const toEvent = ({ id, type, createdAt, data }: OutboxEntry): DurableEvent =>
  ({ id, type, at: createdAt, data: JSON.parse(data) }) as DurableEvent
