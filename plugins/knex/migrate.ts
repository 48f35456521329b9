import { setTimeout } from 'node:timers/promises'
import type { Knex } from 'knex'
import { AppError } from '#core'
import { createTable, type Migration, migrations } from '#migrations'
import { isDuplicate, isLostRace } from './errors.js'

/**
 * How long a lock holds that was never given back, in ms. Only MySQL and MariaDB can leave one behind: there the first
 * `create table` commits it, while on the others it ends with the transaction of a process that died.
 */
const LOCK_MS = 10 * 60_000
const WAIT_MS = 100

/**
 * Runs what has not run yet, each migration in a transaction of its own, and answers the names. Processes that start
 * together take turns. Throws AppError `storage.unavailable` when the database is ahead of this program, or when
 * another process does not give it free.
 */
export async function migrate(db: Knex): Promise<string[]> {
  await prepare(db)
  const ran: string[] = []
  const until = Date.now() + 2 * LOCK_MS
  while (Date.now() < until) {
    const step = await db.transaction(nextStep).catch((error): Step => {
      if (isLostRace(error)) return 'locked'
      throw error
    })
    if (step === 'finished') return ran
    if (step === 'locked') await setTimeout(WAIT_MS)
    else ran.push(step.name)
  }
  throw new AppError('storage.unavailable', { message: 'Another process keeps the database locked for a migration.' })
}

/** The migration that ran, or why none did. */
type Step = Migration | 'locked' | 'finished'

/** Taking the lock is the first statement, and a write: from then on the others wait, or find it taken. */
async function nextStep(tx: Knex.Transaction): Promise<Step> {
  const lock = tx('migration_lock')
  const taken = await lock
    .clone()
    .where('held_until', '<=', Date.now())
    .update({ held_until: Date.now() + LOCK_MS })
  if (taken === 0) return 'locked'
  const names: string[] = await tx('migrations').pluck('name')
  refuseIfAhead(names)
  const next = migrations.find(({ name }) => !names.includes(name))
  if (next) {
    await next.up(tx)
    await tx('migrations').insert({ name: next.name, ran_at: Date.now() })
  }
  await lock.update({ held_until: 0 })
  return next ?? 'finished'
}

function refuseIfAhead(names: string[]): void {
  const unknown = names.filter((name) => !migrations.some((migration) => migration.name === name))
  if (unknown.length === 0) return
  const message = `The database is ahead of this version of Mayfly, which does not know its migration ${unknown.join(', ')}.`
  throw new AppError('storage.unavailable', { message })
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
