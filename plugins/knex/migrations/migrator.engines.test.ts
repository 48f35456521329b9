import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MigrationStatus, Storage } from '#core'
import { aSecret, aUser, MINUTE, T0 } from '#core/testing'
import { migrations } from '#migrations'
import { makeDatabase, schemaOf, type TestDatabase, tablesOf } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { nextMigration } from '#test/next-migration'
import { buildWorker, startProcesses } from '#test/processes'
import { createMigrator } from './migrator.js'

const NAMES = migrations.map(({ name }) => name)
const UPGRADED = [...migrations, nextMigration]
/** Statements of the first start before which a process is killed. */
const KILLED_AT = [3, 20, 60]

test('migrations have unique names', () => {
  expect(new Set(NAMES).size).toBe(migrations.length)
})

describeEachEngine((engine) => {
  let database: TestDatabase
  let storage: Storage
  let listMigrations: () => Promise<MigrationStatus[]>
  let close: () => Promise<void>
  beforeEach(async () => {
    database = await makeDatabase(engine)
    const opened = await database.open()
    ;({ storage, close } = opened)
    listMigrations = storage.listMigrations as typeof listMigrations
  })
  afterEach(async () => {
    await close()
    await database.drop()
  })

  test('listMigrations lists migrations that ran, are pending, or are unknown', async () => {
    const states = async () => (await listMigrations()).map(({ state }) => state)
    expect(await states()).toEqual(NAMES.map(() => 'pending'))
    expect(await tablesOf(engine, database.db)).toEqual([])
    expect(await storage.migrate()).toEqual(NAMES)
    expect(await states()).toEqual(NAMES.map(() => 'ran'))
    expect((await listMigrations())[0]?.ranAt).toBeGreaterThan(Date.now() - MINUTE)
    await database.db('migrations').insert({ name: '999_from_the_future', ran_at: T0 })
    expect((await listMigrations()).at(-1)).toEqual({ name: '999_from_the_future', state: 'unknown', ranAt: T0 })
  })

  test('migrate of a current schema only reads, without a lock', async () => {
    await storage.migrate()
    const statements: string[] = []
    const record = ({ sql }: { sql: string }) => void statements.push(sql)
    database.db.on('query', record)
    expect(await createMigrator(database.db).migrate()).toEqual([])
    database.db.off('query', record)
    expect(statements.length).toBeLessThanOrEqual(4)
    expect(statements.filter((sql) => !/^select /i.test(sql))).toEqual([])
  })

  test('REL-13: migrate refuses a database with an unknown migration', async () => {
    await storage.migrate()
    await database.db('migrations').insert({ name: '999_from_the_future', ran_at: T0 })
    await expect(storage.migrate()).rejects.toMatchObject({
      code: 'storage.unavailable',
      message:
        'The database belongs to another version of Mayfly: this version does not know the migration 999_from_the_future. Use the other version.',
    })
    // The lock stays free for the other version.
    expect((await database.db('migration_lock').pluck('held_until')).map(Number)).toEqual([0])
  })

  test('migrate refuses a database with a table of another program, and runs after it is removed', async () => {
    await database.db.schema.createTable('users', (table) => void table.integer('other'))
    await expect(storage.migrate()).rejects.toMatchObject({
      code: 'storage.unavailable',
      message: 'The database has a table "users" that Mayfly did not create. Use an empty database.',
    })
    expect(await tablesOf(engine, database.db)).toEqual(['users'])
    await database.db.schema.dropTable('users')
    await storage.migrate()
    await storage.secrets.create({ secret: aSecret(), now: T0 })
  })

  test('REL-13: migrate waits for the lock of another process up to lockTimeoutMs, or until it expires', async () => {
    await storage.migrate()
    const holdLock = (heldUntil: number) => database.db('migration_lock').update({ held_until: heldUntil })
    await holdLock(Date.now() + 10 * MINUTE)
    await expect(storage.migrate({ lockTimeoutMs: 100 })).rejects.toMatchObject({ code: 'storage.unavailable' })
    const heldUntil = Date.now() + 400
    await holdLock(heldUntil)
    expect(await storage.migrate()).toEqual([])
    expect(Date.now()).toBeGreaterThanOrEqual(heldUntil)
  })

  describe('process killed while migrating', () => {
    let worker: Awaited<ReturnType<typeof buildWorker>>
    beforeAll(async () => {
      worker = await buildWorker(engine)
    })
    afterAll(() => worker.remove())

    /**
     * True when the process was killed before the statement with this number; false when it completed the migration
     * first.
     */
    const isKilledAt = async (dieAt: number, isUpgraded = false): Promise<boolean> => {
      const { run, killAll } = await startProcesses(worker.file, database, 1, { dieAt, isUpgraded })
      const migrating = async () => {
        await run(0, [['open']])
        await run(0, [['storage.migrate']])
      }
      const isKilled = await migrating().then(
        () => false,
        (error) => {
          expect(error.message).toBe('the process ended')
          return true
        },
      )
      await killAll()
      await expireLock(database)
      return isKilled
    }

    test('REL-13: the next start completes the schema of a new database', async () => {
      const complete = await schemaAfter(engine, migrations)
      for (const statement of KILLED_AT) expect(await isKilledAt(statement), `${statement}`).toBe(true)
      await storage.migrate()
      expect(await schemaOf(database)).toEqual(complete)
      expect((await listMigrations()).every(({ state }) => state === 'ran')).toBe(true)
    })

    test('REL-04, REL-13: an upgrade that is killed before each of its statements keeps all rows and is completed', async () => {
      const complete = await schemaAfter(engine, UPGRADED)
      await storage.migrate()
      const users = [aUser(), aUser()]
      for (const user of users) await storage.users.create(user)
      let statement = 1
      while (await isKilledAt(statement, true)) statement += 1
      expect(statement).toBeGreaterThan(10)
      expect(await schemaOf(database)).toEqual(complete)
      const upgraded = await createMigrator(database.db, UPGRADED).listMigrations()
      expect(upgraded.map(({ state }) => state)).toEqual(UPGRADED.map(() => 'ran'))
      expect((await database.db('next_notes').pluck('text')).sort()).toEqual(users.map((user) => user.username).sort())
      expect(await database.db('users').where({ has_notes: true })).toHaveLength(users.length)
    })
  })
})

/** Schema of a database after these migrations, none of which was interrupted. */
async function schemaAfter(engine: TestDatabase['engine'], list: typeof migrations): Promise<unknown> {
  const database = await makeDatabase(engine)
  await createMigrator(database.db, list).migrate()
  const schema = await schemaOf(database)
  await database.drop()
  return schema
}

/** As if an abandoned lock had expired. */
async function expireLock({ db }: TestDatabase): Promise<void> {
  if (await db.schema.hasTable('migration_lock')) {
    await db('migration_lock').where('held_until', '>', 0).update({ held_until: 1 })
  }
}
