/** Migrates the schema, one process at a time, and repeats a migration that another process left unfinished. */
import { setTimeout } from 'node:timers/promises'
import type { Knex } from 'knex'
import { AppError, describeUnknownMigrations, type MigrationStatus, type Storage } from '#core'
import { type Migration, migrations, runMigration } from '#migrations'
import { isUnlocked, runLocked } from './migration-lock.js'
import { createMigrationTables } from './migration-tables.js'

const POLL_MS = 100
/** In ms: default for how long a start waits for another process. */
const LOCK_TIMEOUT_MS = 20 * 60_000

export type Migrator = Required<Pick<Storage, 'migrate' | 'listMigrations'>>

/** See the methods of the same names in the contract. `list`: other migrations, for tests. */
export function createMigrator(db: Knex, list: Migration[] = migrations): Migrator {
  return {
    listMigrations: () => readStatus(db, list),
    async migrate({ lockTimeoutMs = LOCK_TIMEOUT_MS } = {}) {
      const status = await readStatus(db, list)
      assertKnown(status)
      // The usual start: only reads, without a lock.
      if (status.every(({ state }) => state === 'ran') && (await isUnlocked(db))) return []
      await createMigrationTables(db)
      const names: string[] = []
      const deadline = Date.now() + lockTimeoutMs
      do {
        const ran = await runLocked(db, (tx) => runNext(tx, list))
        if (ran === null) return names
        if (ran === 'locked') await setTimeout(POLL_MS)
        else names.push(ran.name)
      } while (Date.now() < deadline)
      const message = 'Another process keeps the database locked for a migration.'
      throw new AppError('storage.unavailable', { message })
    },
  }
}

async function readStatus(db: Knex, list: Migration[]): Promise<MigrationStatus[]> {
  const rows = (await db.schema.hasTable('migrations')) ? await db('migrations').select('name', 'ran_at') : []
  const ranAt = new Map<string, number>(rows.map(({ name, ran_at: at }) => [name, Number(at)]))
  const known = list.map(({ name }) => name)
  const unknown = [...ranAt.keys()].filter((name) => !known.includes(name)).sort()
  const status = (state: 'ran' | 'pending' | 'unknown') => (name: string) => ({
    name,
    state,
    ranAt: ranAt.get(name) ?? null,
  })
  return [...known.map((name) => status(ranAt.has(name) ? 'ran' : 'pending')(name)), ...unknown.map(status('unknown'))]
}

/** Null when there is nothing to do. */
async function runNext(tx: Knex, list: Migration[]): Promise<Migration | null> {
  const status = await readStatus(tx, list)
  // Another process may have migrated it while this one waited for the lock.
  assertKnown(status)
  const next = list.find((_, index) => status[index]?.state === 'pending')
  if (!next) return null
  await runMigration(tx, next)
  await tx('migrations').insert({ name: next.name, ran_at: Date.now() })
  return next
}

function assertKnown(status: MigrationStatus[]): void {
  const message = describeUnknownMigrations(status)
  if (message) throw new AppError('storage.unavailable', { message })
}
