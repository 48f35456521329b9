/**
 * Limits the events that wait for each subscriber. While too many wait, further ones are counted instead of stored, and the
 * subscriber receives one summary of them. Each process decides from a count that it refreshes in the background, so that creates and
 * views run no statement for it: the limit can be exceeded by the events of a few seconds.
 */
import type { DroppedEventStore, DroppedEvents, DurableEventType, EventQueueState } from '../contracts/outbox.js'
import { errorName, type Log } from '../lib/log.js'
import type { DeliveryPace } from './delivery-pace.js'
import { mergeDropped } from './dropped-events.js'
import { createEventIds } from './event-ids.js'

/** How often each process stores its counts of dropped events, and checks whether it has to count the waiting ones. */
const TICK_MS = 1000
/** Time between two counts of a full queue. */
const FULL_MS = 5000
/** Longest time between two counts. */
const COUNT_MAX_MS = 30_000
/** The same while the process is busy, because a count moves new events. Longer by more than deliveries wait. */
const BUSY_COUNT_MAX_MS = 45_000
/** Events per second of the whole instance that the time between two counts allows for. */
const EVENTS_PER_SECOND = 2000
/** A process counts again when it has stored this share of the room that was left. */
const ROOM_SHARE = 1 / 8
/** A full queue accepts events again below this share of its limit. */
const REOPEN_SHARE = 0.9
/** A summary is delivered when no process has added to it for this time. */
const QUIET_MS = 5000
/** Shortest time between two log lines about one subscriber. */
const LOG_MS = 60_000

interface Deps {
  /** Undefined: the storage cannot limit events. */
  store: DroppedEventStore | undefined
  /** Their names. */
  subscribers: string[]
  /** Maximum number of waiting events of each subscriber. */
  max: number
  pace: Pick<DeliveryPace, 'isBusy'>
  log: Log
  /** Epoch ms. */
  now: () => number
}

export interface EventLimit {
  /** False: too many events wait for this subscriber, so this one was counted as dropped. */
  admit(subscriber: string, type: DurableEventType, at: number): boolean
  /** Each queue as this process knows it. */
  queues(): EventQueueState[]
  /** Stores the counts of this process, and counts the waiting events where it is time to. Never rejects. */
  run(): Promise<void>
  /** Stores the counts of this process. */
  stop(): Promise<void>
}

/** The waiting events of one subscriber. */
interface Queue {
  subscriber: string
  /** At the last count. */
  waiting: number
  /** Epoch ms; null: never counted. */
  countedAt: number | null
  /** Events that this process has admitted since the last count. */
  admitted: number
  isFull: boolean
  /** A summary waits for its delivery. */
  hasSummary: boolean
  /** Dropped events that are not in the summary yet. */
  unsaved: DroppedEvents | null
  /** Dropped by this process since its start, and how many of them the log has reported. */
  dropped: number
  reported: number
  loggedAt: number
}

interface Context extends Omit<Deps, 'store' | 'subscribers'> {
  store: DroppedEventStore
  createId: (at: number) => string
}

/** Starts to check the queues every second. Without subscribers, and without `store`, it does nothing. */
export function startEventLimit({ store, subscribers, ...deps }: Deps): EventLimit {
  const queues = new Map(store ? subscribers.map((subscriber) => [subscriber, createQueue(subscriber)]) : [])
  const context = store && { ...deps, store, createId: createEventIds() }
  let running: Promise<void> | null = null
  let isFailing = false
  const checkAll = async () => {
    try {
      for (const queue of queues.values()) if (context) await checkQueue(context, queue)
      isFailing = false
    } catch (error) {
      // Once per outage.
      if (!isFailing) deps.log.warn('waiting events not counted', { error: errorName(error) })
      isFailing = true
    }
  }
  const run = () => {
    running ??= checkAll().finally(() => {
      running = null
    })
    return running
  }
  const timer = queues.size > 0 ? setInterval(run, TICK_MS).unref() : undefined
  return {
    run,
    admit(subscriber, type, at) {
      const queue = queues.get(subscriber)
      return !queue || admitEvent(queue, type, at)
    },
    queues: () => [...queues.values()].map(({ subscriber, waiting, dropped }) => ({ subscriber, waiting, dropped })),
    async stop() {
      clearInterval(timer)
      await running
      for (const queue of queues.values()) if (context) await saveDropped(context.store, queue)
    },
  }
}

const createQueue = (subscriber: string): Queue => ({
  ...{ subscriber, waiting: 0, countedAt: null, admitted: 0, isFull: false, hasSummary: false, unsaved: null },
  ...{ dropped: 0, reported: 0, loggedAt: Number.NEGATIVE_INFINITY },
})

function admitEvent(queue: Queue, type: DurableEventType, at: number): boolean {
  if (!queue.isFull) {
    queue.admitted++
    return true
  }
  queue.dropped++
  addUnsaved(queue, { count: 1, firstAt: at, lastAt: at, types: { [type]: 1 } })
  return false
}

function addUnsaved(queue: Queue, dropped: DroppedEvents): void {
  queue.unsaved = queue.unsaved ? mergeDropped(queue.unsaved, dropped) : dropped
}

async function checkQueue(context: Context, queue: Queue): Promise<void> {
  await saveDropped(context.store, queue)
  if (isCountDue(context, queue)) await countWaiting(context, queue)
  const isLogDue = context.now() - queue.loggedAt >= LOG_MS
  if (isLogDue && queue.dropped > queue.reported) logQueue(context, queue, 'events dropped')
}

/** Counts that could not be stored are kept for the next time. */
async function saveDropped(store: DroppedEventStore, queue: Queue): Promise<void> {
  const { unsaved } = queue
  if (!unsaved) return
  queue.unsaved = null
  try {
    await store.add(queue.subscriber, unsaved)
  } catch (error) {
    addUnsaved(queue, unsaved)
    throw error
  }
}

function isCountDue({ now, max, pace }: Context, { countedAt, isFull, hasSummary, waiting, admitted }: Queue): boolean {
  if (countedAt === null) return true
  const room = Math.max(0, max - waiting)
  if (!isFull && admitted > room * ROOM_SHARE) return true
  const longest = pace.isBusy() ? BUSY_COUNT_MAX_MS : COUNT_MAX_MS
  const wait = isFull ? FULL_MS : hasSummary ? TICK_MS : Math.min(longest, (room / EVENTS_PER_SECOND) * 1000)
  return now() - countedAt >= wait
}

async function countWaiting(context: Context, queue: Queue): Promise<void> {
  const { store, max, now, createId } = context
  const { subscriber, admitted } = queue
  queue.waiting = await store.countPending(subscriber, max)
  queue.admitted -= admitted
  queue.countedAt = now()
  if (!queue.isFull && queue.waiting >= max) await startDropping(context, queue)
  else if (queue.isFull && queue.waiting < max * REOPEN_SHARE) {
    queue.isFull = false
    logQueue(context, queue, 'event queue has room again')
  }
  if (queue.isFull) return
  queue.hasSummary = (await store.release(subscriber, createId(now()), now(), now() - QUIET_MS)) === 'counting'
}

/** Creates the summary first, so that a process that is killed now can lose counts, and never the fact that events were dropped. */
async function startDropping(context: Context, queue: Queue): Promise<void> {
  const at = context.now()
  await context.store.add(queue.subscriber, { count: 0, firstAt: at, lastAt: at, types: {} })
  queue.isFull = true
  if (at - queue.loggedAt >= LOG_MS) logQueue(context, queue, 'event queue full, further events are dropped')
}

function logQueue({ log, max, now }: Context, queue: Queue, message: string): void {
  const { subscriber, waiting, dropped, reported } = queue
  log.warn(message, { subscriber, waiting, limit: max, dropped: dropped - reported })
  queue.reported = dropped
  queue.loggedAt = now()
}
