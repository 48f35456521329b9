import { randomInt } from 'node:crypto'
import { interceptCalls, type SqliteConnection } from '#plugins/knex/connection/knex-internals'

/** Limits of the random pause before a retry, in ms. A transaction takes about as long. */
const PAUSE_MIN = 1
const PAUSE_MAX = 3

/**
 * Makes `run` and `all` retry for `timeoutMs` while another process has the lock of the database. A retry is safe:
 * SQLite rejects a locked statement before it changes anything. The busy timeout of SQLite would sleep for up to 100 ms
 * and block a thread of the pool.
 */
export function retryLocked(connection: SqliteConnection, timeoutMs: number): void {
  interceptCalls(connection, ({ done, run }) => {
    const end = performance.now() + timeoutMs
    const attempt = () => {
      run(function (error, rows) {
        if (!isLocked(error) || performance.now() >= end) return done.call(this, error, rows)
        setTimeout(attempt, randomInt(PAUSE_MIN, PAUSE_MAX + 1))
      })
    }
    attempt()
  })
}

const isLocked = (error: (Error & { code?: string }) | null) => error?.code === 'SQLITE_BUSY'
