import knex from 'knex'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Migrations, Storage } from '#core'
import { aHash, anEvent, aSecret, aUser, MINUTE, T0 } from '#core/testing'
import { migrations } from '#migrations'
import { makeDatabase, schemaOf, type TestDatabase, tablesOf } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { buildWorker, startProcesses } from '#test/processes'
import { toOutboxEntry } from '../rows/outbox-rows.js'
import { knexStorage } from '../storage.js'
import { createMigrator } from './migrator.js'

type Direction = 'up' | 'down'
const DIRECTIONS: Direction[] = ['up', 'down']
const NAMES = migrations.map(({ name }) => name)
const OWN_TABLES = ['migration_lock', 'migration_progress', 'migrations']
/** Queries before which a process is killed. */
const KILLED_AT = [25, 60]

test('migrations have unique names', () => {
  expect(new Set(NAMES).size).toBe(migrations.length)
})

describeEachEngine((engine) => {
  let database: TestDatabase
  let storage: Storage
  let steps: Migrations
  let close: () => Promise<void>
  beforeEach(async () => {
    database = await makeDatabase(engine)
    const opened = await database.open()
    ;({ storage, close } = opened)
    steps = storage.migrations as Migrations
  })
  afterEach(async () => {
    await close()
    await database.drop()
  })

  const rowsOf = async (tables: string[]) =>
    Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await database.db(table).select()])))

  test('down and up again keep the schema, and the rows of older versions', async () => {
    await steps.up({ to: 1 })
    const old = (await tablesOf(engine, database.db)).filter((table) => !OWN_TABLES.includes(table))
    const first = await schemaOf(database)
    await steps.up()
    const complete = await schemaOf(database)
    const owner = aUser()
    const secret = aSecret({ ownerId: owner.id, maxViews: 3 })
    await storage.users.create(owner)
    await storage.secrets.create(secret, T0, { keyHash: aHash(), response: 'ä ☃', expiresAt: T0 + MINUTE })
    await storage.secrets.view(secret.id, aHash(), T0, MINUTE)
    await storage.settings.set({ read_only: 'ja ☃' })

    await steps.down({ to: 1 })
    expect(await schemaOf(database)).toEqual(first)
    const kept = await rowsOf(old)
    for (const [table, rows] of Object.entries(kept)) expect(rows, table).toHaveLength(1)
    await steps.up()
    expect(await schemaOf(database)).toEqual(complete)
    // With the columns of later migrations.
    for (const [table, rows] of Object.entries(await rowsOf(old))) expect(rows, table).toMatchObject(kept[table])
    expect(await storage.secrets.peek(secret.id, T0)).toMatchObject({ views: 1, files: 0 })

    await steps.down({ to: 0 })
    expect(await tablesOf(engine, database.db)).toEqual(OWN_TABLES)
    expect(await storage.migrate()).toEqual(NAMES)
    expect(await schemaOf(database)).toEqual(complete)
  })

  test('dry run changes nothing and returns the steps of the real run', async () => {
    const planned = await steps.up({ dryRun: true })
    expect(await tablesOf(engine, database.db)).toEqual([])
    expect(await steps.up()).toEqual(planned)
    expect(planned.map(({ name }) => name)).toEqual(NAMES)
    const schema = await schemaOf(database)
    const down = await steps.down({ dryRun: true })
    expect(await schemaOf(database)).toEqual(schema)
    expect(await steps.down()).toEqual(down)
    expect(down).toMatchObject([{ name: NAMES.at(-1), direction: 'down' }])
  })

  test('status lists migrations that ran, are pending, or are unknown', async () => {
    const states = async () => (await steps.status()).map(({ state }) => state)
    expect(await states()).toEqual(NAMES.map(() => 'pending'))
    await steps.up({ to: 1 })
    expect(await states()).toEqual(['ran', ...NAMES.slice(1).map(() => 'pending')])
    expect((await steps.status())[0]?.ranAt).toBeGreaterThan(Date.now() - MINUTE)
    await database.db('migrations').insert({ name: '999_from_the_future', ran_at: T0 })
    expect((await steps.status()).at(-1)).toEqual({ name: '999_from_the_future', state: 'unknown', ranAt: T0 })
  })

  test('migrate of a current schema only reads, and takes no lock', async () => {
    await storage.migrate()
    const statements: string[] = []
    const record = ({ sql }: { sql: string }) => void statements.push(sql)
    database.db.on('query', record)
    expect(await createMigrator(database.db).up()).toEqual([])
    database.db.off('query', record)
    expect(statements.length).toBeLessThanOrEqual(5)
    expect(statements.filter((sql) => !/^select /i.test(sql))).toEqual([])
  })

  test('migrate refuses a database with an unknown migration', async () => {
    await storage.migrate()
    await database.db('migrations').insert({ name: '999_from_the_future', ran_at: T0 })
    const refusal = {
      code: 'storage.unavailable',
      message:
        'The database is ahead of this version of Mayfly, which does not know its migration 999_from_the_future.',
    }
    await expect(storage.migrate()).rejects.toMatchObject(refusal)
    await expect(steps.down()).rejects.toMatchObject(refusal)
    // The lock stays free for the newer program.
    expect((await database.db('migration_lock').pluck('held_until')).map(Number)).toEqual([0])
  })

  test('failed migration runs again after its cause is removed, and never adopts existing tables', async () => {
    await database.db.schema.createTable('replays', (table) => void table.integer('other'))
    for (let time = 0; time < 2; time++) {
      await expect(storage.migrate()).rejects.toThrow(/^storage.migrate: the database failed \(\w+\)$/)
    }
    await database.db.schema.dropTable('replays')
    await storage.migrate()
    const schema = await schemaOf(database)
    await steps.down({ to: 0 })
    await steps.up()
    expect(await schemaOf(database)).toEqual(schema)
    await storage.secrets.create(aSecret(), T0)
  })

  test('migrate waits for the lock of another process up to lockTimeoutMs, or until it expires', async () => {
    await storage.migrate()
    const holdLock = (heldUntil: number) => database.db('migration_lock').update({ held_until: heldUntil })
    await holdLock(Date.now() + 10 * MINUTE)
    await expect(steps.up({ lockTimeoutMs: 100 })).rejects.toMatchObject({ code: 'storage.unavailable' })
    const heldUntil = Date.now() + 400
    await holdLock(heldUntil)
    expect(await storage.migrate()).toEqual([])
    expect(Date.now()).toBeGreaterThanOrEqual(heldUntil)
  })

  test.each(DIRECTIONS)('migrating %s resumes after a crash at any query', async (direction) => {
    await storage.migrate()
    const complete = await schemaOf(database)
    if (direction === 'up') await steps.down({ to: 0 })
    expect(await migrateWithCrashes(database, direction)).toBeGreaterThan(50)
    if (direction === 'up') expect(await schemaOf(database)).toEqual(complete)
    else expect(await tablesOf(engine, database.db)).toEqual(OWN_TABLES)
    await storage.migrate()
    expect(await schemaOf(database)).toEqual(complete)
    expect((await steps.status()).every(({ state }) => state === 'ran')).toBe(true)
  })

  test('instance state moves out of the settings and back, also after a crash at any query', async () => {
    const state = { instance_key: 'k', setup_code_hash: 'h', setup_code_ends: '9', clock: '1', copy_progress: 'p ☃' }
    const rowsIn = async (table: string) =>
      Object.fromEntries((await database.db(table).select('name', 'value')).map(({ name, value }) => [name, value]))
    await steps.up({ to: 4 })
    await storage.settings.set({ ...state, read_only: 'true' })
    const expectUp = async () => {
      expect(await rowsIn('instance_state')).toEqual(state)
      expect(await rowsIn('settings')).toEqual({ read_only: 'true' })
    }
    const expectDown = async () => expect(await rowsIn('settings')).toEqual({ ...state, read_only: 'true' })
    let crashAt = 1
    for (let isDone = false; !isDone; crashAt++) {
      isDone = await migrateUntil(crashAt, database, 'up', 5)
      await expireLock(database)
      await steps.up({ to: 5 })
      await expectUp()
      await migrateUntil(crashAt, database, 'down', 4)
      await expireLock(database)
      await steps.down({ to: 4 })
      await expectDown()
    }
    expect(crashAt).toBeGreaterThan(8)
  })

  test('a migration down moves new events to the outbox in their order, also after a crash at any query', async () => {
    const before = NAMES.indexOf('018_new_events')
    const inOutbox = () => database.db('outbox').orderBy('seq').pluck('id')
    let crashAt = 1
    for (let isDone = false; !isDone; crashAt++) {
      await steps.up({ to: before + 1 })
      await database.empty()
      const events = Array.from({ length: 250 }, () => anEvent({ data: 'grün ☃ "\\' }))
      await storage.outbox.append(events)
      expect(await inOutbox()).toEqual([])
      isDone = await migrateUntil(crashAt, database, 'down', before)
      await expireLock(database)
      await steps.down({ to: before })
      expect(await inOutbox()).toEqual(events.map(({ id }) => id))
      const [first] = await database.db('outbox').orderBy('seq').limit(1)
      expect(toOutboxEntry(first)).toMatchObject({ ...events[0], state: 'pending', attempts: 0, nextAt: T0 })
    }
    expect(crashAt).toBeGreaterThan(6)
  })

  describe('process killed while migrating', () => {
    let worker: Awaited<ReturnType<typeof buildWorker>>
    beforeAll(async () => {
      worker = await buildWorker(engine)
    })
    afterAll(() => worker.remove())

    test.each(DIRECTIONS)('%s: the next start completes the schema', async (direction) => {
      await storage.migrate()
      const complete = await schemaOf(database)
      const [from, to] = direction === 'up' ? [0, NAMES.length] : [NAMES.length, 0]
      for (const killedAt of KILLED_AT) {
        await steps[direction === 'up' ? 'down' : 'up']({ to: from })
        const { run, killAll } = await startProcesses(worker.file, database, 1, killedAt)
        const migrating = async () => {
          await run(0, [['open']])
          await run(0, [[`migrations.${direction}`, { to }]])
        }
        await expect(migrating()).rejects.toThrow('the process ended')
        await killAll()
        await expireLock(database)
        await storage.migrate()
        expect(await schemaOf(database), `killed at ${killedAt}`).toEqual(complete)
        expect((await steps.status()).every(({ state }) => state === 'ran')).toBe(true)
      }
    })
  })
})

/**
 * Migrates to the end, with a crash before every query that changes something: each run fails at one query, sends none after
 * it, and its connections are closed. Returns the number of crashes.
 */
async function migrateWithCrashes(database: TestDatabase, direction: Direction): Promise<number> {
  const to = direction === 'up' ? NAMES.length : 0
  let crashAt = 1
  let before = await progressOf(database)
  for (let crashes = 0; ; crashes++) {
    const isDone = await migrateUntil(crashAt, database, direction, to)
    await expireLock(database)
    if (isDone) return crashes
    const after = await progressOf(database)
    if (after.migrations !== before.migrations) crashAt = 1
    // Only where each schema change commits. The next crash is between the same two queries of the next statement.
    else if (after.statements > before.statements) crashAt -= 1
    else crashAt += 1
    before = after
  }
}

/** False when the run crashed. */
async function migrateUntil(crashAt: number, database: TestDatabase, direction: Direction, to: number) {
  const { config, constructor: Dialect } = database.db.client
  let writes = 0
  class CrashingClient extends Dialect {
    async _query(connection: unknown, query: { sql: string }) {
      if (!/^\s*(select|show)/i.test(query.sql)) writes += 1
      if (writes >= crashAt) throw new Error('crash')
      return super._query(connection, query)
    }
  }
  const db = knex({ ...config, client: CrashingClient, pool: { min: 0, max: database.engine === 'sqlite' ? 1 : 2 } })
  try {
    await knexStorage(db).migrations?.[direction]({ to })
  } catch (error) {
    if (writes < crashAt) throw error
  } finally {
    await db.destroy()
  }
  return writes < crashAt
}

async function progressOf({ db }: TestDatabase): Promise<{ migrations: number; statements: number }> {
  const migrations = await db('migrations').pluck('name')
  const unfinished = await db('migration_progress').first()
  return { migrations: migrations.length, statements: unfinished?.statements ?? 0 }
}

/** As if the time of a lock that was left behind had passed. */
async function expireLock({ db }: TestDatabase): Promise<void> {
  await db('migration_lock').where('held_until', '>', 0).update({ held_until: 1 })
}
