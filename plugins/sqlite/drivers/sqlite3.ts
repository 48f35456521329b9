/** The driver `sqlite3`: a native module that runs each statement in the thread pool of libuv. */
import { createRequire } from 'node:module'
import type { SqliteConnection } from '#plugins/knex/connection/knex-internals'
import { type Connection, keepStatements } from './prepared-statements.js'
import { retryLocked } from './retry-locked.js'

interface Sqlite3 {
  Database: new (filename: string, done: (error: Error | null) => void) => Connection
}

/** Null if the package or its binary is missing, or does not load in this Node.js. */
export function findSqlite3(): Sqlite3 | null {
  try {
    return createRequire(import.meta.url)('sqlite3')
  } catch {
    return null
  }
}

export function openSqlite3({ Database }: Sqlite3, filename: string, lockTimeoutMs: number): Promise<SqliteConnection> {
  return new Promise((resolve, reject) => {
    const connection = new Database(filename, (error) => (error ? reject(error) : resolve(connection)))
    keepStatements(connection)
    retryLocked(connection, lockTimeoutMs)
  })
}
