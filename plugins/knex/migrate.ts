/** Brings the schema from where it is to where it shall be, one process at a time, and picks up what one left half done. */
import { setTimeout } from 'node:timers/promises'
import type { Knex } from 'knex'
import { AppError, type MigrateOptions, type MigrationStatus, type MigrationStep, type Migrations } from '#core'
import { type Migration, migrations } from '#migrations'
import { isLostRace, isRepetition } from './errors.js'
import { intercepted } from './intercept.js'
import { prepare } from './migration-tables.js'

/**
 * How long a lock holds that was never given back, in ms. Only MySQL and MariaDB can leave one behind: there every
 * change of the schema commits, while on the others the lock ends with the transaction of a process that died.
 */
const LOCK_MS = 30_000
const RENEW_MS = 10_000
const WAIT_MS = 100
/** How long a start waits for another process, in ms. */
const PATIENCE_MS = 20 * 60_000

type Direction = MigrationStep['direction']

export function migrator(db: Knex): Migrations {
  return {
    status: () => status(db),
    up: (options) => move(db, 'up', options),
    down: (options) => move(db, 'down', options),
  }
}

/** See `Migrations` in the contract. */
async function move(db: Knex, direction: Direction, options: MigrateOptions = {}): Promise<MigrationStep[]> {
  const { dryRun = false, lockTimeoutMs = PATIENCE_MS } = options
  const now = await status(db)
  refuseIfAhead(now.filter(({ state }) => state === 'unknown').map(({ name }) => name))
  const there = now.filter(({ state }) => state === 'ran' || (direction === 'down' && state === 'unfinished')).length
  const to = options.to ?? (direction === 'up' ? migrations.length : Math.max(0, there - 1))
  if (dryRun) return preview(db, direction, migrations.slice(Math.min(there, to), Math.max(there, to)), to > there)
  await prepare(db)
  const steps: MigrationStep[] = []
  const until = Date.now() + lockTimeoutMs
  do {
    const step = await underLock(db, (tx, wasLeft) => nextStep(tx, wasLeft, direction, to))
    if (step === null) return steps
    if (step === 'locked') await setTimeout(WAIT_MS)
    else steps.push(step)
  } while (Date.now() < until)
  throw new AppError('storage.unavailable', { message: 'Another process keeps the database locked for a migration.' })
}

/** A direction that has nothing to do does nothing, not the opposite. */
async function preview(
  db: Knex,
  direction: Direction,
  concerned: Migration[],
  isUp: boolean,
): Promise<MigrationStep[]> {
  if (isUp !== (direction === 'up')) return []
  const steps: MigrationStep[] = []
  for (const migration of direction === 'up' ? concerned : concerned.reverse()) {
    const sql: string[] = []
    await migration[direction](intercepted(db, async (statement) => void sql.push(statement)))
    steps.push({ name: migration.name, direction, sql })
  }
  return steps
}

async function status(db: Knex): Promise<MigrationStatus[]> {
  const rows = (await db.schema.hasTable('migrations')) ? await db('migrations').select('name', 'ran_at') : []
  const half = (await db.schema.hasTable('migration_progress')) ? await db('migration_progress').pluck('name') : []
  const ranAt = new Map<string, number>(rows.map(({ name, ran_at: at }) => [name, Number(at)]))
  const known = migrations.map(({ name }) => name)
  const unknown = [...ranAt.keys()].filter((name) => !known.includes(name)).sort()
  const stateOf = (name: string) => {
    if (unknown.includes(name)) return 'unknown'
    if (half.includes(name)) return 'unfinished'
    return ranAt.has(name) ? 'ran' : 'pending'
  }
  return [...known, ...unknown].map((name) => ({ name, state: stateOf(name), ranAt: ranAt.get(name) ?? null }))
}

/**
 * Runs `work` in a transaction. Taking the lock is its first statement, and a write: from then on the others wait, or
 * find it taken. `wasLeft`: whoever had it last died with it.
 */
async function underLock<T>(
  db: Knex,
  work: (tx: Knex.Transaction, wasLeft: boolean) => Promise<T>,
): Promise<T | 'locked'> {
  let held = Date.now() + LOCK_MS
  const mine = () => db('migration_lock').where({ held_until: held })
  const renewing = setInterval(() => {
    const renewal = mine()
    held = Date.now() + LOCK_MS
    // Where the transaction still holds the row there is nothing to renew.
    renewal.update({ held_until: held }).catch(() => {})
  }, RENEW_MS)
  try {
    return await db.transaction(async (tx) => {
      const lock = tx('migration_lock')
      const taken = await lock.clone().where({ held_until: 0 }).update({ held_until: held })
      const wasLeft =
        taken === 0 && (await lock.clone().where('held_until', '<=', Date.now()).update({ held_until: held })) === 1
      if (taken === 0 && !wasLeft) return 'locked'
      const done = await work(tx, wasLeft)
      await lock.update({ held_until: 0 })
      return done
    })
  } catch (error) {
    // Where a change of the schema has committed it with itself.
    await mine()
      .update({ held_until: 0 })
      .catch(() => {})
    if (isLostRace(error)) return 'locked'
    throw error
  } finally {
    clearInterval(renewing)
  }
}

/** A step that was begun is finished first, in its own direction. Null: there is none. */
async function nextStep(tx: Knex, wasLeft: boolean, direction: Direction, to: number): Promise<MigrationStep | null> {
  const names: string[] = await tx('migrations').pluck('name')
  refuseIfAhead(names.filter((name) => !migrations.some((migration) => migration.name === name)))
  const begun = await tx('migration_progress').first()
  const ran = migrations.filter(({ name }) => names.includes(name))
  if (begun) return finish(tx, { ...begun, mayRepeat: wasLeft })
  const wanted =
    direction === 'up' ? migrations.slice(0, to).find(({ name }) => !names.includes(name)) : ran.slice(to).at(-1)
  if (!wanted) return null
  const step = { name: wanted.name, direction, statements: 0 }
  await tx('migration_progress').insert({ id: 1, ...step })
  return finish(tx, { ...step, mayRepeat: false })
}

interface Begun {
  name: string
  direction: Direction
  /** How many statements of it are done. */
  statements: number
  /** The next one may be done as well: a process died before it could note that. */
  mayRepeat: boolean
}

async function finish(tx: Knex, { name, direction, statements, mayRepeat }: Begun): Promise<MigrationStep> {
  const sql: string[] = []
  const migration = migrations.find((each) => each.name === name) as Migration
  const noting = intercepted(tx, async (statement, run) => {
    sql.push(statement)
    if (sql.length <= statements) return
    await run().catch((error) => {
      if (!mayRepeat || sql.length > statements + 1 || !isRepetition(error)) throw error
    })
    await tx('migration_progress').update({ statements: sql.length })
  })
  await migration[direction](noting)
  // Where changes of the schema have committed, a process may have died between this and the next statement.
  if (direction === 'up') await tx('migrations').insert({ name, ran_at: Date.now() }).onConflict('name').ignore()
  else await tx('migrations').where({ name }).delete()
  await tx('migration_progress').delete()
  return { name, direction, sql }
}

function refuseIfAhead(unknown: string[]): void {
  if (unknown.length === 0) return
  const message = `The database is ahead of this version of Mayfly, which does not know its migration ${unknown.join(', ')}.`
  throw new AppError('storage.unavailable', { message })
}
