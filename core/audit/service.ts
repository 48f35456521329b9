/** The audit log: entries are queued in memory and written within a second. No caller waits for it or fails because of it. */
import { randomBytes } from 'node:crypto'
import type { Audit, AuditEntry, AuditStore, Note } from '../contracts/audit.js'
import { isAppError } from '../errors.js'
import { createFlusher } from '../lib/flusher.js'
import { errorName, type Log } from '../log.js'
import { anonymizeIp } from '../network.js'
import { ACTIONS } from './actions.js'
import { createAggregator } from './alike.js'

const FLUSH_MS = 1000
/** Limit of entries in one call of the store. */
const BATCH = 200
/** Limit of entries that wait for a store that is down. Further entries are dropped and counted. */
const QUEUE_MAX = 10_000
/** In characters. */
const SUBJECT_MAX = 255

interface Deps {
  store: Pick<AuditStore, 'append'>
  log: Log
  /** Epoch ms. */
  now: () => number
}

export interface AuditService {
  /** Adds an entry to the queue and resolves at once. */
  note: Audit
  /** Writes the queue. Never rejects: entries that could not be written stay in the queue. */
  flush(): Promise<void>
  /** Stops the timer and writes the queue, including the aggregated entries of this minute. */
  stop(): Promise<void>
}

export function auditService({ store, log, now }: Deps): AuditService {
  const queue: AuditEntry[] = []
  const aggregator = createAggregator()
  let dropped = 0
  /** Number of entries so far, part of their ids. */
  let count = 0
  let isFailing = false

  function enqueue(entry: Omit<AuditEntry, 'id'>): void {
    if (queue.length < QUEUE_MAX) queue.push({ id: createId(entry.at, count++), ...entry })
    else dropped++
  }

  async function note(given: Note): Promise<void> {
    const entry = toEntry(given, now())
    if (ACTIONS[given.action] === 'each') enqueue(entry)
    else aggregator.count(entry).forEach(enqueue)
  }

  async function write(): Promise<void> {
    aggregator.takeEnded(now()).forEach(enqueue)
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH)
      const outcome = await append(batch)
      if (outcome === 'retry') return
      queue.splice(0, batch.length)
      if (outcome === 'rejected') dropped += batch.length
      if (dropped > 0 && !isFailing) enqueueDropped()
    }
  }

  /** `rejected`: the store will never accept these entries. */
  async function append(batch: AuditEntry[]): Promise<'written' | 'retry' | 'rejected'> {
    try {
      await store.append(batch)
      isFailing = false
      return 'written'
    } catch (error) {
      // Once per outage.
      if (!isFailing) log.error('audit log not written', { error: errorName(error), waiting: queue.length })
      isFailing = true
      if (isTransient(error)) return 'retry'
      // A conflict means that the batch was written before and only the response was lost.
      return isAppError(error, 'storage.conflict') ? 'written' : 'rejected'
    }
  }

  function enqueueDropped(): void {
    const entry = { actor: null, subject: null, address: null, detail: { entries: dropped } }
    dropped = 0
    enqueue({ at: now(), action: 'audit.dropped', ...entry })
  }

  const flusher = createFlusher(FLUSH_MS, write)
  return {
    note,
    flush: flusher.flush,
    stop() {
      aggregator.takeEnded(Number.POSITIVE_INFINITY).forEach(enqueue)
      return flusher.stop()
    },
  }
}

function toEntry({ action, caller, subject = null, detail = {} }: Note, at: number): Omit<AuditEntry, 'id'> {
  const { username: actor, address } = caller
  return { at, action, actor, subject: subject && sanitize(subject), address: anonymizeIp(address), detail }
}

/** Ids sort in the order of creation, also within a millisecond. */
function createId(at: number, count: number): string {
  const digits = (value: number, length: number) => value.toString(36).padStart(length, '0').slice(-length)
  return digits(at, 9) + digits(count, 4) + randomBytes(8).toString('hex')
}

const isTransient = (error: unknown): boolean =>
  isAppError(error, 'storage.unavailable') || isAppError(error, 'storage.full')

/** A single line of text that every database can store. */
const sanitize = (text: string): string => text.toWellFormed().replace(/\p{C}/gu, '').slice(0, SUBJECT_MAX)
