import type { Knex } from 'knex'
import { AppError } from '#core'
import { createTable, integer, string, TABLES, type Table, table, time } from '#migrations'
import { isDuplicate } from '../connection/database-errors.js'

/**
 * Creates the tables of the migrator. Another process may create them at the same time. Throws AppError
 * `storage.unavailable` when they are missing, but the database has a table with the name of one of ours.
 */
export async function createMigrationTables(db: Knex): Promise<void> {
  if (!(await db.schema.hasTable('migrations'))) await assertNoForeignTables(db)
  for (const [name, own] of Object.entries(OWN_TABLES)) {
    if (await db.schema.hasTable(name)) continue
    await createTable(db, name, own).catch(async (error) => {
      if (!(await db.schema.hasTable(name))) throw error
    })
  }
  if (await db('migration_lock').first('id')) return
  await db('migration_lock')
    .insert({ id: 1, held_until: 0 })
    .catch((error) => {
      if (!isDuplicate(error)) throw error
    })
}

/** A repeated migration keeps existing tables, so they must not belong to another program. */
async function assertNoForeignTables(db: Knex): Promise<void> {
  for (const name of Object.keys(TABLES)) {
    if (!(await db.schema.hasTable(name))) continue
    // Another process creates the table of the migrations before all others.
    if (await db.schema.hasTable('migrations')) return
    const message = `The database has a table "${name}" that Mayfly did not create. Use an empty database.`
    throw new AppError('storage.unavailable', { message })
  }
}

const OWN_TABLES: Record<string, Table> = {
  migrations: table({ columns: { name: string(64), ran_at: time() }, key: ['name'], backup: null }),
  migration_lock: table({ columns: { id: integer(), held_until: time() }, key: ['id'], backup: null }),
}
