/** The library through which the server uses SQLite. Connections of all drivers have the calls of `sqlite3`. */
import { isBuiltin } from 'node:module'
import { OperatorError } from '#core'
import { isExecutable } from '#core/lib/package-files'
import type { SqliteConnection } from '#plugins/knex/connection/knex-internals'
import { openNodeSqlite } from './node-sqlite.js'
import { findSqlite3, openSqlite3 } from './sqlite3.js'

export const DRIVER_NAMES = ['sqlite3', 'node:sqlite'] as const
export type DriverName = (typeof DRIVER_NAMES)[number]

export interface SqliteDriver {
  name: DriverName
  /**
   * Opens a file, or `:memory:`. A statement waits up to `lockTimeoutMs` for the lock of another process. Errors have
   * the codes of `sqlite3`, such as SQLITE_BUSY.
   */
  open(filename: string, lockTimeoutMs: number): Promise<SqliteConnection>
}

/** Null if it does not work here. `DRIVER_NAMES` begins with the preferred one. */
const DRIVERS: Record<DriverName, () => SqliteDriver | null> = {
  'node:sqlite': () => (isBuiltin('node:sqlite') ? { name: 'node:sqlite', open: openNodeSqlite } : null),
  sqlite3() {
    const module = findSqlite3()
    return module && { name: 'sqlite3', open: (...args) => openSqlite3(module, ...args) }
  },
}

/** Without `name`: the preferred driver. Throws an OperatorError if it does not work here. */
export function chooseDriver(name?: DriverName): SqliteDriver {
  for (const each of name ? [name] : DRIVER_NAMES) {
    const driver = DRIVERS[each]()
    if (driver) return driver
  }
  if (isExecutable()) {
    const hint = 'remove the setting sqlite.driver, or install the npm package'
    throw new OperatorError('The executable contains node:sqlite and no sqlite3.', { hint, isSetting: true })
  }
  if (name === 'node:sqlite') {
    const hint = 'use Node.js 22.13 or newer, or set sqlite.driver to sqlite3'
    throw new OperatorError(`Node.js ${process.versions.node} does not have node:sqlite.`, { hint, isSetting: true })
  }
  throw new OperatorError('The binary of sqlite3 is missing or was made for another version of Node.js.', {
    hint: 'npm rebuild sqlite3, or use Node.js 22.13 or newer, which contains SQLite',
  })
}
