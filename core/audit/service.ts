/** What happened, for administrators: gathered, and written within a second. Nobody waits for it, and nothing fails by it. */
import { randomBytes } from 'node:crypto'
import type { Audit, AuditEntry, AuditStore, Note } from '../contracts/audit.js'
import { isAppError } from '../errors.js'
import type { Log } from '../log.js'
import { neighbourhoodOf } from '../network.js'
import { ACTIONS } from './actions.js'
import { countAlike } from './alike.js'

const FLUSH_MS = 1000
/** Most entries in one call of the store. */
const BATCH = 200
/** Most entries that wait for a store that does not answer; what comes on top is counted, and told later. */
const WAITING_MAX = 10_000
/** Longest subject, in characters. */
const SUBJECT_MAX = 255

interface Parts {
  store: Pick<AuditStore, 'append'>
  log: Log
  /** Epoch ms. */
  now: () => number
}

export interface AuditService {
  /** Resolves at once. */
  note: Audit
  /** Writes what waits. Never rejects: what the store does not take goes on waiting. */
  flush(): Promise<void>
  /** Writes everything, the counts of this minute too; nothing is noted afterwards. */
  stop(): Promise<void>
}

export function auditService({ store, log, now }: Parts): AuditService {
  const waiting: AuditEntry[] = []
  const alike = countAlike()
  let dropped = 0
  let notes = 0
  let isFailing = false
  let running: Promise<void> = Promise.resolve()

  function add(entry: Omit<AuditEntry, 'id'>): void {
    if (waiting.length < WAITING_MAX) waiting.push({ id: newId(entry.at, notes++), ...entry })
    else dropped++
  }

  async function note(given: Note): Promise<void> {
    const entry = toEntry(given, now())
    if (ACTIONS[given.action] === 'each') add(entry)
    else alike.count(entry).forEach(add)
  }

  async function write(): Promise<void> {
    alike.over(now()).forEach(add)
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      try {
        await store.append(batch)
        isFailing = false
      } catch (error) {
        // Told once, however long the store is away.
        if (!isFailing) log.error('the audit log is not written', { error: nameOf(error), waiting: waiting.length })
        isFailing = true
        if (comesBack(error)) return
        // Written before, when only the answer got lost; or nothing that the store will ever take.
        if (!isAppError(error, 'storage.conflict')) dropped += batch.length
      }
      waiting.splice(0, batch.length)
      if (dropped > 0 && !isFailing) tellDropped()
    }
  }

  function tellDropped(): void {
    const entry = { actor: null, subject: null, address: null, detail: { entries: dropped } }
    dropped = 0
    add({ at: now(), action: 'audit.dropped', ...entry })
  }

  const flush = () => {
    running = running.then(write)
    return running
  }

  const timer = setInterval(flush, FLUSH_MS)
  timer.unref()
  return {
    note,
    flush,
    async stop() {
      clearInterval(timer)
      alike.over(Number.POSITIVE_INFINITY).forEach(add)
      await flush()
    },
  }
}

function toEntry({ action, caller, subject = null, detail = {} }: Note, at: number): Omit<AuditEntry, 'id'> {
  const { username: actor } = caller
  return { at, action, actor, subject: subject && plain(subject), address: neighbourhoodOf(caller.address), detail }
}

/** In the order in which they were noted, also within a millisecond. */
function newId(at: number, count: number): string {
  const digits = (value: number, length: number) => value.toString(36).padStart(length, '0').slice(-length)
  return digits(at, 9) + digits(count, 4) + randomBytes(8).toString('hex')
}

const comesBack = (error: unknown): boolean =>
  isAppError(error, 'storage.unavailable') || isAppError(error, 'storage.full')

/** One line of text that every engine stores. */
const plain = (text: string): string => text.toWellFormed().replace(/\p{C}/gu, '').slice(0, SUBJECT_MAX)

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
