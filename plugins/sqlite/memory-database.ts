import type { Knex } from 'knex'
import type { Storage } from '#core'
import { knexStorage } from '#plugins/knex'
import { connect } from './connection.js'
import type { SqliteDriver } from './drivers/sqlite-driver.js'

/** Value of the option `file` for a database in memory, as SQLite names it. */
export const IN_MEMORY = ':memory:'

export interface MemoryDatabase {
  db: Knex
  storage: Storage
  close(): Promise<void>
}

/** Opens a database in the memory of this process, which is lost when it is closed. For trials and tests. */
export function openMemoryDatabase(batchSize?: number, driver?: SqliteDriver): MemoryDatabase {
  const db = connect(IN_MEMORY, 0, driver)
  const storage = {
    ...knexStorage(db, { hasTriggers: true, ...(batchSize !== undefined && { batchSize }) }),
    location: 'in memory',
  }
  return { db, storage, close: () => db.destroy() }
}
