import { randomInt } from 'node:crypto'
import type { Connection, Done } from './prepared-statements.js'

/** In ms, of a random pause between two attempts. A transaction takes about as long. */
const PAUSE_MIN = 1
const PAUSE_MAX = 3

/**
 * Lets `run` and `all` try again for `timeoutMs` while another process has the lock of the database. SQLite refuses such a statement
 * before it does anything. Its own busy timeout pauses for up to 100 ms between two attempts, and a thread of the pool waits with it.
 */
export function retryLocked(connection: Connection, timeoutMs: number): void {
  for (const method of ['run', 'all'] as const) {
    const runOnce: Connection['all'] = connection[method].bind(connection)
    connection[method] = (...args: [sql: string, ...rest: unknown[]]) => {
      const done = args.pop() as Done
      const end = performance.now() + timeoutMs
      const attempt = () => {
        runOnce(...args, function (this: unknown, error: Error | null, rows: unknown) {
          if (!isLocked(error) || performance.now() >= end) return done.call(this, error, rows)
          setTimeout(attempt, randomInt(PAUSE_MIN, PAUSE_MAX + 1))
        })
      }
      attempt()
    }
  }
}

const isLocked = (error: (Error & { code?: string }) | null) => error?.code === 'SQLITE_BUSY'
