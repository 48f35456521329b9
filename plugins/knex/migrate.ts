import { setTimeout } from 'node:timers/promises'
import type { Knex } from 'knex'
import { createTable, migrations } from '#migrations'
import { isDuplicate } from './errors.js'

/**
 * How long a lock holds that was never given back, in ms. Only MySQL and MariaDB can leave one behind: there the first
 * `create table` commits it, while on the others it ends with the transaction of a process that died.
 */
const LOCK_MS = 10 * 60_000
const WAIT_MS = 100

/**
 * Runs what has not run yet, each migration in a transaction of its own, and answers the names. Processes that start
 * together take turns. Throws an Error of one sentence when the database is ahead of this program.
 */
export async function migrate(db: Knex): Promise<string[]> {
  await prepare(db)
  const ran: string[] = []
  for (;;) {
    const step = await db.transaction(nextStep)
    if (step.done) return ran
    if (step.ran) ran.push(step.ran)
    else await setTimeout(WAIT_MS)
  }
}

interface Step {
  done: boolean
  ran?: string
}

/** Taking the lock is the first statement, and a write: from then on others wait, or find it taken. */
async function nextStep(tx: Knex.Transaction): Promise<Step> {
  const lock = tx('migration_lock')
  const taken = await lock
    .clone()
    .where('held_until', '<=', Date.now())
    .update({ held_until: Date.now() + LOCK_MS })
  if (taken === 0) return { done: false }
  const names: string[] = await tx('migrations').pluck('name')
  const ahead = names.filter((name) => !migrations.some((migration) => migration.name === name))
  if (ahead.length > 0)
    throw new Error(`The database is ahead of this version of Mayfly: it has had ${ahead.join(', ')}.`)
  const next = migrations.find(({ name }) => !names.includes(name))
  if (next) {
    await next.up(tx)
    await tx('migrations').insert({ name: next.name, ran_at: Date.now() })
  }
  await lock.update({ held_until: 0 })
  return next ? { done: false, ran: next.name } : { done: true }
}

/** The two tables that migrating itself needs. Another process may be making them at the same time. */
async function prepare(db: Knex): Promise<void> {
  for (const [name, build] of Object.entries(TABLES)) {
    if (await db.schema.hasTable(name)) continue
    await createTable(db, name, build).catch(async (error) => {
      if (!(await db.schema.hasTable(name))) throw error
    })
  }
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
}
