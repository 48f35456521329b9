import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Migrations, Storage } from '#core'
import { aHash, aSecret, aUser, MINUTE, T0 } from '#core/testing'
import { migrations } from '#migrations'
import { makeDatabase, schemaOf, type TestDatabase, tablesOf } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { buildWorker, startProcesses } from '#test/processes'

const NAMES = migrations.map(({ name }) => name)
const OWN_TABLES = ['migration_lock', 'migration_progress', 'migrations']
/** Every so many queries a process is killed. */
const STRIDE = 9

test('every migration has a name of its own', () => {
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

  test('down and up again keep the rows that older versions knew, and the schema', async () => {
    await steps.up({ to: 1 })
    const old = (await tablesOf(engine, database.db)).filter((table) => !OWN_TABLES.includes(table))
    const first = await schemaOf(database)
    await steps.up()
    const complete = await schemaOf(database)
    const owner = aUser()
    const secret = aSecret({ ownerId: owner.id, maxViews: 3 })
    await storage.users.create(owner)
    await storage.secrets.create(secret, T0, { keyHash: aHash(), answer: 'ä ☃', expiresAt: T0 + MINUTE })
    await storage.secrets.view(secret.id, aHash(), T0, MINUTE)
    await storage.settings.set({ read_only: 'ja ☃' })

    await steps.down({ to: 1 })
    expect(await schemaOf(database)).toEqual(first)
    const kept = await rowsOf(old)
    for (const [table, rows] of Object.entries(kept)) expect(rows, table).toHaveLength(1)
    await steps.up()
    expect(await schemaOf(database)).toEqual(complete)
    const { secrets: again, ...others } = await rowsOf(old)
    expect({ ...others, secrets: again.map(({ files, ...row }: { files: number }) => row) }).toEqual(kept)
    expect(await storage.secrets.peek(secret.id, T0)).toMatchObject({ views: 1, files: 0 })

    await steps.down({ to: 0 })
    expect(await tablesOf(engine, database.db)).toEqual(OWN_TABLES)
    expect(await storage.migrate()).toEqual(NAMES)
    expect(await schemaOf(database)).toEqual(complete)
  })

  test('a dry run changes nothing, and tells what would be done', async () => {
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

  test('the status tells what ran and what did not', async () => {
    const states = async () => (await steps.status()).map(({ state }) => state)
    expect(await states()).toEqual(NAMES.map(() => 'pending'))
    await steps.up({ to: 1 })
    expect(await states()).toEqual(['ran', ...NAMES.slice(1).map(() => 'pending')])
    expect((await steps.status())[0]?.ranAt).toBeGreaterThan(Date.now() - MINUTE)
    await database.db('migrations').insert({ name: '999_from_the_future', ran_at: T0 })
    expect((await steps.status()).at(-1)).toEqual({ name: '999_from_the_future', state: 'unknown', ranAt: T0 })
  })

  test('an older program refuses a newer database in one sentence', async () => {
    await storage.migrate()
    await database.db('migrations').insert({ name: '999_from_the_future', ran_at: T0 })
    const refusal = {
      code: 'storage.unavailable',
      message:
        'The database is ahead of this version of Mayfly, which does not know its migration 999_from_the_future.',
    }
    await expect(storage.migrate()).rejects.toMatchObject(refusal)
    await expect(steps.down()).rejects.toMatchObject(refusal)
    // And leaves the lock to the newer program.
    expect((await database.db('migration_lock').pluck('held_until')).map(Number)).toEqual([0])
  })

  test('a migration that fails can run again once its reason is gone, and never takes what it did not make', async () => {
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

  test('a lock that somebody else holds is waited for, as long as one likes, and one that was left behind ends', async () => {
    await storage.migrate()
    const heldUntil = Date.now() + 400
    await database.db('migration_lock').update({ held_until: heldUntil })
    await expect(steps.up({ lockTimeoutMs: 100 })).rejects.toMatchObject({ code: 'storage.unavailable' })
    expect(await storage.migrate()).toEqual([])
    expect(Date.now()).toBeGreaterThanOrEqual(heldUntil)
  })

  describe('a process that is killed in the middle', () => {
    let worker: Awaited<ReturnType<typeof buildWorker>>
    beforeAll(async () => {
      worker = await buildWorker(engine)
    })
    afterAll(() => worker.remove())

    test.each(['up', 'down'] as const)(
      'of going %s leaves something that the next start mends',
      async (direction) => {
        await storage.migrate()
        const complete = await schemaOf(database)
        let isOver = false
        for (let dieAt = 10; !isOver; dieAt += STRIDE) {
          await steps[direction === 'up' ? 'down' : 'up']({ to: direction === 'up' ? 0 : NAMES.length })
          const dying = await startProcesses(worker.file, database, 1, dieAt)
          const to = direction === 'up' ? NAMES.length : 0
          const run = async () => {
            await dying.run(0, [['open']])
            await dying.run(0, [[`migrations.${direction}`, { to }]])
            return true
          }
          isOver = await run().catch(() => false)
          await dying.killAll()
          // As if the time of its lock had passed.
          await database.db('migration_lock').where('held_until', '>', 0).update({ held_until: 1 })
          await storage.migrate()
          expect(await schemaOf(database), `killed at ${dieAt}`).toEqual(complete)
          expect((await steps.status()).every(({ state }) => state === 'ran')).toBe(true)
        }
      },
      300_000,
    )
  })
})
