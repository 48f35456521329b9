/**
 * Limits the events that wait for each subscriber. While too many wait, further ones are stored as dead with the result
 * `queue full`, up to a share of the limit. Each process decides from a count that it refreshes in the background, so
 * that creates and views run no statement for it: the limit can be exceeded by the events of a few seconds.
 */

import type { EventQueueState, OutboxStore } from '../contracts/outbox.js'
import { describeCause } from '../lib/error-codes.js'
import type { Log } from '../lib/log.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import type { DeliveryPace } from './delivery-pace.js'

/** How often each process checks whether it has to count the waiting events. */
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
/** Share of a limit that each process stores as dead while the queue is full, so that dead events have a bound, too. */
export const DEAD_SHARE = 0.1
/** Shortest time between two log lines about one subscriber. */
const LOG_MS = 60_000

/** State of a new event: it waits, or is stored as dead because too many wait, or is only counted. */
export type Admission = 'pending' | 'dead' | 'none'

interface Parts {
  store: Pick<OutboxStore, 'countPending'>
  /** Names of the subscribers. */
  subscribers: string[]
  /** Maximum number of waiting events of each subscriber. */
  max: number
  pace: Pick<DeliveryPace, 'isBusy'>
  log: Log
  now: () => EpochMs
}

export interface EventLimit {
  /** Call it once for each new event of a subscriber. */
  admit(subscriber: string): Admission
  /** Each queue as this process knows it. */
  queues(): EventQueueState[]
  /** Counts the waiting events where it is time to. Never rejects. */
  run(): Promise<void>
  stop(): Promise<void>
}

/** The waiting events of one subscriber. */
interface Queue {
  subscriber: string
  /** At the last count. */
  waiting: number
  /** Null: never counted. */
  countedAt: EpochMs | null
  /** Events that this process has admitted since the last count. */
  admitted: number
  isFull: boolean
  /** Events that this process has stored as dead since the queue is full. */
  dead: number
  /** Events that found the queue full since this process was started, and how many of them the log has reported. */
  dropped: number
  reported: number
  loggedAt: number
}

/** Starts to check the queues every second. Without subscribers it does nothing. */
export function startEventLimit({ subscribers, ...parts }: Parts): EventLimit {
  const queues = new Map(subscribers.map((subscriber) => [subscriber, createQueue(subscriber)]))
  const deadMax = Math.ceil(parts.max * DEAD_SHARE)
  let running: Promise<void> | null = null
  let isFailing = false
  const checkAll = async () => {
    try {
      for (const queue of queues.values()) await checkQueue(parts, queue)
      isFailing = false
    } catch (error) {
      // Once per outage.
      if (!isFailing) parts.log.warn('waiting events not counted', { ...describeCause(error) })
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
    admit(subscriber) {
      const queue = queues.get(subscriber)
      return queue ? admitEvent(queue, deadMax) : 'pending'
    },
    queues: () => [...queues.values()].map(({ subscriber, waiting, dropped }) => ({ subscriber, waiting, dropped })),
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

const createQueue = (subscriber: string): Queue => ({
  subscriber,
  waiting: 0,
  countedAt: null,
  admitted: 0,
  isFull: false,
  dead: 0,
  dropped: 0,
  reported: 0,
  loggedAt: Number.NEGATIVE_INFINITY,
})

function admitEvent(queue: Queue, deadMax: number): Admission {
  if (!queue.isFull) {
    queue.admitted++
    return 'pending'
  }
  queue.dropped++
  if (queue.dead >= deadMax) return 'none'
  queue.dead++
  return 'dead'
}

async function checkQueue(parts: Omit<Parts, 'subscribers'>, queue: Queue): Promise<void> {
  if (isCountDue(parts, queue)) await countWaiting(parts, queue)
  const isLogDue = parts.now() - queue.loggedAt >= LOG_MS
  if (isLogDue && queue.dropped > queue.reported) logQueue(parts, queue, 'event queue still full')
}

type Limit = Pick<Parts, 'now' | 'max' | 'pace'>

function isCountDue({ now, max, pace }: Limit, { countedAt, isFull, waiting, admitted }: Queue): boolean {
  if (countedAt === null) return true
  const room = Math.max(0, max - waiting)
  if (!isFull && admitted > room * ROOM_SHARE) return true
  const longest = pace.isBusy() ? BUSY_COUNT_MAX_MS : COUNT_MAX_MS
  const wait = isFull ? FULL_MS : Math.min(longest, (room / EVENTS_PER_SECOND) * 1000)
  return now() - countedAt >= wait
}

async function countWaiting(parts: Omit<Parts, 'subscribers'>, queue: Queue): Promise<void> {
  const { store, max, now } = parts
  const { subscriber, admitted } = queue
  queue.waiting = await store.countPending(subscriber, max)
  queue.admitted -= admitted
  queue.countedAt = now()
  if (!queue.isFull && queue.waiting >= max) {
    queue.isFull = true
    queue.dead = 0
    if (now() - queue.loggedAt >= LOG_MS) logQueue(parts, queue, 'event queue full, further events are given up')
  } else if (queue.isFull && queue.waiting < max * REOPEN_SHARE) {
    queue.isFull = false
    logQueue(parts, queue, 'event queue has room again')
  }
}

/** `dropped`: since the last line. */
function logQueue({ log, max, now }: Pick<Parts, 'log' | 'max' | 'now'>, queue: Queue, message: string): void {
  const { subscriber, waiting, dropped, reported } = queue
  log.warn(message, { subscriber, waiting, limit: max, dropped: dropped - reported })
  queue.reported = dropped
  queue.loggedAt = now()
}
