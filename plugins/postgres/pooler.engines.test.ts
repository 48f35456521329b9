/**
 * PostgreSQL behind PgBouncer: the contract in transaction mode, and the messages of start and `doctor` in statement
 * mode.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aHash, aSecret, MINUTE, openStorage, storageContract, T0 } from '#core/testing'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { needs } from '#test/needs'
import { type PgBouncer, startPgBouncer } from '#test/pgbouncer'
import postgres from './index.js'

describe('behind PgBouncer', needs('postgres', 'pgbouncer'), () => {
  let database: TestDatabase
  let pooler: PgBouncer
  const open = (options = {}) => openStorage(database.plugin, { options: { url: pooler.url, ...options } })
  beforeAll(async () => {
    database = await makeDatabase('postgres')
  })
  afterAll(() => database.drop())

  describe('in transaction mode', () => {
    beforeAll(async () => {
      pooler = await startPgBouncer(database.options.url as string, 'transaction', 2)
    })
    afterAll(() => pooler.stop())

    describe('contract', () => {
      const databases: TestDatabase[] = []
      storageContract(async () => {
        const made = await makeDatabase('postgres')
        databases.push(made)
        const url = Object.assign(new URL(pooler.url), { pathname: new URL(made.options.url as string).pathname })
        return { ...(await open({ url: url.href })), empty: made.empty }
      })
      afterAll(async () => {
        for (const { drop } of databases) await drop()
      })
    })

    test('concurrent transactions leave no settings on the connections of the server', async () => {
      const { storage, close } = await open()
      await storage.migrate()
      const secrets = Array.from({ length: 40 }, () => aSecret({ text: 'sécret ☃' }))
      await Promise.all(secrets.map((secret) => storage.secrets.create({ secret, now: T0 })))
      const views = await Promise.all(
        secrets.map(({ id }) => storage.secrets.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE })),
      )
      expect(views.every((view) => view?.text === 'sécret ☃')).toBe(true)
      const direct = await openStorage(postgres, { options: { url: pooler.url } })
      await direct.storage.ping()
      await direct.close()
      const read = await readSettings(pooler.url)
      expect(read).toEqual(await readSettings(database.options.url as string))
      await close()
    })

    test('a connection that the pooler refuses is explained', async () => {
      const url = `${pooler.url}?options=-c%20statement_timeout%3D1000`
      await expect(open({ url })).rejects.toThrow(/ refuses the connection \(08P01\)/)
    })

    test('a transaction has the time limits of the server', async () => {
      const { storage, close } = await open()
      const secret = aSecret()
      await storage.secrets.create({ secret, now: T0 })
      await database.db.transaction(async (tx) => {
        await tx('secrets').where({ id: secret.id }).forUpdate().select('id')
        await expect(
          storage.secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE }),
        ).rejects.toMatchObject({
          code: 'storage.unavailable',
        })
      })
      await close()
    }, 30_000)

    test('a schema needs the search path of the user', async () => {
      await database.db.raw('create schema "mäyfly"')
      const failure = await open({ schema: 'mäyfly' }).catch((error: unknown) => error)
      expect(failure).toMatchObject({
        message: expect.stringMatching(/has a pooler that does not keep the search path/),
        hint: expect.stringMatching(/ALTER ROLE "\w+" SET search_path = "mäyfly"$/),
      })
    })
  })

  test.each([
    ['session', null],
    ['statement', /is a pooler in statement mode, which does not allow transactions\.$/],
  ] as const)('in %s mode, the start says: %s', async (mode, refusal) => {
    pooler = await startPgBouncer(database.options.url as string, mode)
    const outcome = await open().then(
      async ({ close }) => (await close()) ?? null,
      (error: Error) => error.message,
    )
    if (refusal === null) expect(outcome).toBeNull()
    else expect(outcome).toMatch(refusal)
    await pooler.stop()
  })
})

/** Settings of each connection of the server, through the pooler or not. */
async function readSettings(url: string): Promise<unknown[]> {
  const { default: knex } = await import('knex')
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 2 } })
  const names = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'plan_cache_mode']
  const read = () => db('pg_settings').whereIn('name', names).orderBy('name').select('name', 'setting')
  const found = await Promise.all([read(), read(), read(), read()])
  await db.destroy()
  return found
}
