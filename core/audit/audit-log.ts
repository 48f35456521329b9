/**
 * The audit log: entries are queued in memory and written within a second. Callers neither wait for it nor fail because
 * of it.
 */

import type { Audit, AuditEntry, AuditStore, Note } from '../contracts/audit.js'
import type { AuditSinkState } from '../contracts/audit-sink.js'
import { isAppError } from '../lib/errors.js'
import { createFlusher } from '../lib/flusher.js'
import { anonymizeIp } from '../lib/ip.js'
import type { Log } from '../lib/log.js'
import { createOutageLog } from '../lib/outage-log.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { auditLevel } from '../shared/event-catalog.js'
import { createAggregator } from './aggregate-entries.js'
import { createAuditQueue } from './audit-queue.js'
import type { AuditSinkQueue } from './audit-sink-queue.js'

const FLUSH_MS = 1000
/** Limit of entries in one call of the store. */
const BATCH = 200
/** In characters. */
const SUBJECT_MAX = 255

interface Parts {
  store: Pick<AuditStore, 'append' | 'list'>
  /** Further receivers of the entries. Default: none. */
  sinks?: AuditSinkQueue[]
  log: Log
  now: () => EpochMs
}

export interface AuditLog extends Audit {
  /** Newest first, including the entries of the queue. Throws AppError `storage.unavailable`. */
  list: AuditStore['list']
  /** Writes the queue. Never rejects: entries that could not be written stay in the queue. */
  flush(): Promise<void>
  /** State of each sink. */
  sinks(): AuditSinkState[]
  /** Stops the timer and writes the queue and the sinks, including the aggregated entries of this minute. */
  stop(): Promise<void>
}

export function createAuditLog({ store, sinks = [], log, now }: Parts): AuditLog {
  const queue = createAuditQueue()
  const aggregator = createAggregator()
  const outage = createOutageLog({
    log,
    level: 'error',
    failed: 'audit log not written',
    recovered: 'audit log written again',
    now,
  })

  function publish(given: Omit<AuditEntry, 'id'>): void {
    const entry = queue.add(given)
    for (const sink of sinks) sink.add(entry)
  }

  async function note(given: Note): Promise<void> {
    const entry = toEntry(given, now())
    if (auditLevel(given.action) === 'each') publish(entry)
    else aggregator.count(entry).forEach(publish)
  }

  async function write(): Promise<void> {
    aggregator.takeEnded(now()).forEach(publish)
    while (queue.size() > 0) {
      const batch = queue.peek(BATCH)
      const outcome = await append(batch)
      if (outcome === 'retry') return
      queue.remove(batch.length, outcome === 'rejected')
      if (!outage.isFailing()) queue.addDropped(now())
    }
  }

  /** `rejected`: the store will never accept these entries. */
  async function append(batch: AuditEntry[]): Promise<'written' | 'retry' | 'rejected'> {
    try {
      await store.append(batch)
      outage.succeed()
      return 'written'
    } catch (error) {
      outage.fail(error, { waiting: queue.size() })
      if (isTransient(error)) return 'retry'
      // A conflict means that the batch was written before and only the response was lost.
      return isAppError(error, 'storage.conflict') ? 'written' : 'rejected'
    }
  }

  const flusher = createFlusher(FLUSH_MS, write)
  return {
    note,
    async list(filter, page) {
      await flusher.flush()
      return store.list(filter, page)
    },
    flush: flusher.flush,
    sinks: () => sinks.map(({ state }) => state()),
    async stop() {
      aggregator.takeEnded(Number.POSITIVE_INFINITY).forEach(publish)
      await Promise.all([flusher.stop(), ...sinks.map(({ stop }) => stop())])
    },
  }
}

function toEntry({ action, caller, subject = null, detail = {} }: Note, at: number): Omit<AuditEntry, 'id'> {
  const { username: actor, address } = caller
  return { at, action, actor, subject: subject && sanitize(subject), address: anonymizeIp(address), detail }
}

const isTransient = (error: unknown): boolean =>
  isAppError(error, 'storage.unavailable') || isAppError(error, 'storage.full')

/** A single line of text that every database can store. */
const sanitize = (text: string): string => text.toWellFormed().replace(/\p{C}/gu, '').slice(0, SUBJECT_MAX)
