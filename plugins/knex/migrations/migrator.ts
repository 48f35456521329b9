/** Migrates the schema, one process at a time, and completes a migration that another process left unfinished. */
import { setTimeout } from 'node:timers/promises'
import type { Knex } from 'knex'
import { AppError, type MigrateOptions, type MigrationStatus, type MigrationStep, type Migrations } from '#core'
import { type Migration, migrations } from '#migrations'
import { isLostRace, isSchemaChangeRepeated } from '../connection/database-errors.js'
import { createMigrationTables } from './migration-tables.js'
import { createRecordingClient } from './recording-client.js'

/**
 * In ms: when a lock that was never released expires. Only MySQL and MariaDB need it, because each schema change commits
 * there. On the other engines the lock ends with the transaction of a process that died.
 */
const LOCK_MS = 30_000
const RENEW_MS = 10_000
const POLL_MS = 100
/** In ms: default for how long a start waits for another process. */
const LOCK_TIMEOUT_MS = 20 * 60_000

type Direction = MigrationStep['direction']

export function createMigrator(db: Knex): Migrations {
  return {
    status: () => readStatus(db),
    up: (options) => migrate(db, 'up', options),
    down: (options) => migrate(db, 'down', options),
  }
}

/** See `Migrations` in the contract. */
async function migrate(db: Knex, direction: Direction, options: MigrateOptions = {}): Promise<MigrationStep[]> {
  const { dryRun = false, lockTimeoutMs = LOCK_TIMEOUT_MS } = options
  const status = await readStatus(db)
  assertAllKnown(status.filter(({ state }) => state === 'unknown').map(({ name }) => name))
  // The usual start: writes nothing, and takes no lock.
  if (direction === 'up' && status.every(({ state }) => state === 'ran') && (await isUnlocked(db))) return []
  const isApplied = ({ state }: MigrationStatus) => state === 'ran' || (direction === 'down' && state === 'unfinished')
  const from = status.filter(isApplied).length
  const to = options.to ?? (direction === 'up' ? migrations.length : Math.max(0, from - 1))
  if (dryRun) return preview(db, direction, from, to)
  await createMigrationTables(db)
  const steps: MigrationStep[] = []
  const deadline = Date.now() + lockTimeoutMs
  do {
    const step = await runLocked(db, (tx, isTakenOver) => runNextStep(tx, isTakenOver, direction, to))
    if (step === null) return steps
    if (step === 'locked') await setTimeout(POLL_MS)
    else steps.push(step)
  } while (Date.now() < deadline)
  throw new AppError('storage.unavailable', { message: 'Another process keeps the database locked for a migration.' })
}

async function isUnlocked(db: Knex): Promise<boolean> {
  return (await db('migration_lock').where('held_until', '>', 0).first('held_until')) === undefined
}

/** Returns the steps from `from` to `to` applied migrations; none when that is the opposite direction. */
async function preview(db: Knex, direction: Direction, from: number, to: number): Promise<MigrationStep[]> {
  if (to > from !== (direction === 'up')) return []
  const affected = migrations.slice(Math.min(from, to), Math.max(from, to))
  const steps: MigrationStep[] = []
  for (const migration of direction === 'up' ? affected : affected.reverse()) {
    const sql: string[] = []
    await migration[direction](createRecordingClient(db, async (statement) => void sql.push(statement)))
    steps.push({ name: migration.name, direction, sql })
  }
  return steps
}

async function readStatus(db: Knex): Promise<MigrationStatus[]> {
  const rows = (await db.schema.hasTable('migrations')) ? await db('migrations').select('name', 'ran_at') : []
  const hasProgress = await db.schema.hasTable('migration_progress')
  const unfinished: string[] = hasProgress ? await db('migration_progress').pluck('name') : []
  const ranAt = new Map<string, number>(rows.map(({ name, ran_at: at }) => [name, Number(at)]))
  const known = migrations.map(({ name }) => name)
  const unknown = [...ranAt.keys()].filter((name) => !known.includes(name)).sort()
  const stateOf = (name: string) => {
    if (unknown.includes(name)) return 'unknown'
    if (unfinished.includes(name)) return 'unfinished'
    return ranAt.has(name) ? 'ran' : 'pending'
  }
  return [...known, ...unknown].map((name) => ({ name, state: stateOf(name), ranAt: ranAt.get(name) ?? null }))
}

/**
 * Runs `work` in a transaction that holds the migration lock; returns 'locked' when another process has it. Taking the
 * lock is the first statement, and a write: other processes then wait, or find it taken. `isTakenOver`: the process that
 * held it before died.
 */
async function runLocked<T>(
  db: Knex,
  work: (tx: Knex.Transaction, isTakenOver: boolean) => Promise<T>,
): Promise<T | 'locked'> {
  let heldUntil = Date.now() + LOCK_MS
  const ownLock = () => db('migration_lock').where({ held_until: heldUntil })
  const renewal = setInterval(() => {
    const lock = ownLock()
    heldUntil = Date.now() + LOCK_MS
    // Finds nothing while the transaction holds the row: then there is no need to renew it.
    lock.update({ held_until: heldUntil }).catch(() => {})
  }, RENEW_MS)
  try {
    return await db.transaction(async (tx) => {
      const lock = tx('migration_lock')
      const isFree = (await lock.clone().where({ held_until: 0 }).update({ held_until: heldUntil })) === 1
      const isTakenOver =
        !isFree && (await lock.clone().where('held_until', '<=', Date.now()).update({ held_until: heldUntil })) === 1
      if (!isFree && !isTakenOver) return 'locked'
      const result = await work(tx, isTakenOver)
      await lock.update({ held_until: 0 })
      return result
    })
  } catch (error) {
    // A schema change may have committed the lock.
    await ownLock()
      .update({ held_until: 0 })
      .catch(() => {})
    if (isLostRace(error)) return 'locked'
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** Completes an unfinished step first, in its own direction. Null when there is nothing to do. */
async function runNextStep(
  tx: Knex,
  isTakenOver: boolean,
  direction: Direction,
  to: number,
): Promise<MigrationStep | null> {
  const names: string[] = await tx('migrations').pluck('name')
  assertAllKnown(names.filter((name) => !migrations.some((migration) => migration.name === name)))
  const unfinished = await tx('migration_progress').first()
  if (unfinished) return runStep(tx, { ...unfinished, mayRepeat: isTakenOver })
  const next =
    direction === 'up'
      ? migrations.slice(0, to).find(({ name }) => !names.includes(name))
      : migrations
          .filter(({ name }) => names.includes(name))
          .slice(to)
          .at(-1)
  if (!next) return null
  const step = { name: next.name, direction, statements: 0 }
  await tx('migration_progress').insert({ id: 1, ...step })
  return runStep(tx, { ...step, mayRepeat: false })
}

interface Step {
  name: string
  direction: Direction
  /** Number of its statements that were executed before. */
  statements: number
  /** True: the next statement may have been executed, too, by a process that died before it recorded that. */
  mayRepeat: boolean
}

async function runStep(tx: Knex, { name, direction, statements, mayRepeat }: Step): Promise<MigrationStep> {
  const sql: string[] = []
  const migration = migrations.find((each) => each.name === name) as Migration
  const client = createRecordingClient(tx, async (statement, run) => {
    sql.push(statement)
    if (sql.length <= statements) return
    await run().catch((error) => {
      if (!mayRepeat || sql.length > statements + 1 || !isSchemaChangeRepeated(error)) throw error
    })
    await tx('migration_progress').update({ statements: sql.length })
  })
  await migration[direction](client)
  // Each may be executed twice: where schema changes commit by themselves, a process may have died after this statement.
  if (direction === 'up') await tx('migrations').insert({ name, ran_at: Date.now() }).onConflict('name').ignore()
  else await tx('migrations').where({ name }).delete()
  await tx('migration_progress').delete()
  return { name, direction, sql }
}

function assertAllKnown(unknown: string[]): void {
  if (unknown.length === 0) return
  const message = `The database is ahead of this version of Mayfly, which does not know its migration ${unknown.join(', ')}.`
  throw new AppError('storage.unavailable', { message })
}
