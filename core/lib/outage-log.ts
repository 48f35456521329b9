import type { EpochMs } from '../shared/epoch-ms.js'
import { describeCause } from './error-codes.js'
import type { Log, LogFields } from './log.js'

export interface OutageLog {
  /** Logs the first failure of an outage with its cause, and counts the others. */
  fail(error: unknown, fields?: LogFields): void
  /** Call after each success. Ends an outage and logs the number of failures and the duration. */
  succeed(): void
  isFailing(): boolean
}

interface Options {
  log: Log
  level: 'warn' | 'error'
  /** Message of the first failure. */
  failed: string
  /** Message of the first success after an outage. */
  recovered: string
  now: () => EpochMs
}

/** Logs each outage of a repeated background task twice: at its start and at its end. */
export function createOutageLog({ log, level, failed, recovered, now }: Options): OutageLog {
  let outage: { since: number; failures: number } | null = null
  return {
    fail(error, fields = {}) {
      if (!outage) log[level](failed, { ...describeCause(error), ...fields })
      outage ??= { since: now(), failures: 0 }
      outage.failures++
    },
    succeed() {
      if (outage) log.info(recovered, { failures: outage.failures, seconds: Math.round((now() - outage.since) / 1000) })
      outage = null
    },
    isFailing: () => outage !== null,
  }
}
