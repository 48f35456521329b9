import type { Knex } from 'knex'
import { createTable } from '#migrations'
import { isDuplicate } from '../connection/database-errors.js'

/** Creates the tables of the migrator. Another process may create them at the same time. */
export async function createMigrationTables(db: Knex): Promise<void> {
  for (const [name, build] of Object.entries(TABLES)) {
    if (await db.schema.hasTable(name)) continue
    await createTable(db, name, build).catch(async (error) => {
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

const TABLES: Record<string, (table: Knex.CreateTableBuilder) => void> = {
  migrations: (table) => {
    table.string('name', 64).primary()
    table.bigInteger('ran_at').notNullable()
  },
  migration_lock: (table) => {
    table.integer('id').primary()
    table.bigInteger('held_until').notNullable()
  },
  // One row while a migration runs. It survives a crash only where each schema change commits by itself.
  migration_progress: (table) => {
    table.integer('id').primary()
    table.string('name', 64).notNullable()
    table.string('direction', 4).notNullable()
    table.integer('statements').notNullable()
  },
}
