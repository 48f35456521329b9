/**
 * The queue between the audit log and one sink. A sink that fails or hangs delays no request and loses entries only
 * when the queue is full.
 */
import type { AuditEntry } from '../contracts/audit.js'
import type { AuditSink, AuditSinkState } from '../contracts/audit-sink.js'
import type { Log } from '../lib/log.js'
import { createOutageLog } from '../lib/outage-log.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { withTimeout } from '../shared/with-timeout.js'

/** Limit of entries in one write. */
const BATCH = 200
/** The delay after a failed write doubles up to this maximum. */
const RETRY_MAX_MS = 30_000
const LIMITS = {
  /** Waiting entries. Further entries are dropped and counted. */
  queueMax: 10_000,
  /** Time limit of one write. */
  writeMs: 10_000,
  /** Time limit of the writes when the process stops. */
  stopMs: 3000,
  /** Delay after the first failed write. */
  retryMs: 500,
}

interface Parts {
  /** Name of the plugin. */
  name: string
  sink: AuditSink
  log: Log
  now: () => EpochMs
  /** Default: `LIMITS`. */
  limits?: Partial<typeof LIMITS>
}

export interface AuditSinkQueue {
  /** Returns at once. */
  add(entry: AuditEntry): void
  state(): AuditSinkState
  /** Writes the waiting entries in a limited time, and logs how many are lost. Never rejects. */
  stop(): Promise<void>
}

export function createAuditSinkQueue({ name, sink, log, now, limits }: Parts): AuditSinkQueue {
  const { queueMax, writeMs, stopMs, retryMs } = { ...LIMITS, ...limits }
  const writer = createWriter({ name, sink, log, now }, writeMs)
  const pause = createPause()
  const waiting: AuditEntry[] = []
  /** `unreported`: dropped entries that are not yet reported to the sink. */
  const dropped = { all: 0, unreported: 0 }
  let running: Promise<void> | null = null
  let isStopping = false

  async function run(): Promise<void> {
    // Entries of one request are written together.
    await pause.wait(0)
    let delay = retryMs
    while (waiting.length > 0) {
      const isWritten = await writeBatch()
      if (!isWritten && isStopping) break
      if (!isWritten) await pause.wait(delay)
      delay = isWritten ? retryMs : Math.min(delay * 2, RETRY_MAX_MS)
    }
    running = null
  }

  async function writeBatch(): Promise<boolean> {
    const batch = waiting.slice(0, BATCH)
    if (!(await writer.write(batch))) return false
    waiting.splice(0, batch.length)
    if (dropped.unreported > 0) {
      const detail = { entries: dropped.unreported, sink: name }
      log.error('audit entries dropped', detail)
      waiting.push(toDroppedEntry(batch.at(-1) as AuditEntry, now(), detail))
    }
    dropped.unreported = 0
    return true
  }

  return {
    add(entry) {
      if (waiting.length < queueMax) {
        waiting.push(entry)
        running ??= run()
        return
      }
      dropped.all++
      dropped.unreported++
    },
    state: () => ({ sink: name, waiting: waiting.length, dropped: dropped.all, isFailing: writer.isFailing() }),
    async stop() {
      isStopping = true
      pause.end()
      await withTimeout(stopMs, Promise.resolve(running)).catch(() => {})
      const entries = waiting.splice(0).length + dropped.unreported
      if (entries > 0) log.error('audit entries not written to a sink', { sink: name, entries })
    },
  }
}

function createWriter({ name, sink, log, now }: Omit<Parts, 'limits'>, writeMs: number) {
  const outage = createOutageLog({
    log,
    level: 'error',
    failed: `audit sink ${name} failed`,
    recovered: `audit sink ${name} works again`,
    now,
  })
  return {
    isFailing: outage.isFailing,
    /** False: the batch has to be written again. Never rejects. */
    async write(batch: AuditEntry[]): Promise<boolean> {
      try {
        await withTimeout(writeMs, sink.write(batch))
      } catch (error) {
        outage.fail(error)
        return false
      }
      outage.succeed()
      return true
    },
  }
}

/** The id follows from the id of the last written entry. */
const toDroppedEntry = ({ id }: AuditEntry, at: number, detail: AuditEntry['detail']): AuditEntry => ({
  id: `${id}-dropped`,
  at,
  action: 'audit.dropped',
  actor: null,
  subject: null,
  address: null,
  detail,
})

/** A delay that can be ended early. It does not keep the process alive. */
function createPause() {
  let end = () => {}
  return {
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        timer.unref()
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    end: () => end(),
  }
}
