import knex, { type Knex } from 'knex'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SecretStore, Storage } from '#core'
import { aHash, anId, aSecret, MINUTE, T0 } from '#core/testing'
import { acquireDatabase, type EngineName, type TestDatabase } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { CONNECTION_DEFAULTS } from '../connection/connection-defaults.js'
import { countConnections } from '../connection/knex-internals.js'
import { knexStorage } from '../storage.js'

const SIZE = 10

describeEachEngine(groupCommitSuite)

function groupCommitSuite(engine: EngineName): void {
  let database: TestDatabase
  let db: Knex
  let storage: Storage
  let secrets: SecretStore
  /** Statements since it was last emptied. */
  let statements: string[] = []
  beforeAll(async () => {
    database = await acquireDatabase(engine)
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    db = await connect(engine, database)
    storage = knexStorage(db, { batchSize: SIZE })
    secrets = storage.secrets
    await storage.migrate()
    await database.empty()
    statements = []
    db.on('query', ({ sql }) => statements.push(sql))
  })
  afterEach(() => db.destroy())

  const times = (pattern: RegExp) => statements.filter((sql) => pattern.test(sql)).length
  const commits = () => times(/^commit/i)
  const some = (count: number, differing = {}) => Array.from({ length: count }, () => aSecret(differing))
  const createAll = (all: ReturnType<typeof some>) =>
    Promise.all(all.map((secret) => secrets.create({ secret, now: T0 })))
  const codeOf = (error: { code?: string }) => error.code

  test('concurrent writes share transactions of at most batchSize writes', async () => {
    const all = some(4 * SIZE)
    await createAll(all)
    expect(commits()).toBe(4)
    statements = []
    const viewed = await Promise.all(
      all.map(({ id }) => secrets.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE })),
    )
    expect(viewed.map((view) => view?.text)).toEqual(all.map(({ text }) => text))
    expect(commits()).toBe(4)
    statements = []
    await Promise.all(all.map(({ id }) => secrets.peek(id, T0)))
    expect(statements).toHaveLength(4)
  })

  test('large texts do not share a transaction', async () => {
    await createAll(some(4, { text: 'x'.repeat(600_000) }))
    expect(commits()).toBe(4)
  })

  /** `begin` and `commit` included. */
  test.each([1, SIZE])('lone calls run few statements with batchSize %i', async (batchSize) => {
    const { secrets } = knexStorage(db, { batchSize })
    const [secret, other] = some(2, { maxViews: 2 }) as [ReturnType<typeof aSecret>, ReturnType<typeof aSecret>]
    const claim = aHash()
    const counts: Record<string, number> = {}
    const measure = async (name: string, call: () => Promise<unknown>) => {
      statements = []
      await call()
      counts[name] = statements.length
    }
    await measure('create', () => secrets.create({ secret, now: T0 }))
    await measure('create with an idempotency key', () =>
      secrets.create({ secret: other, now: T0, record: { keyHash: aHash(), response: '☃', expiresAt: T0 + MINUTE } }),
    )
    await measure('peek', () => secrets.peek(secret.id, T0, claim))
    await measure('wrong password', () => secrets.recordWrongPassword({ id: secret.id, now: T0, lockMs: MINUTE }))
    await measure('first view', () => secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE }))
    await measure('repeated view', () => secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE }))
    await measure('last view', () => secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE }))
    await measure('ack', () => secrets.ack(secret.id, claim, T0))
    await measure('burn', () => secrets.burn({ id: other.id, now: T0 }))
    expect(counts).toEqual({
      create: 4,
      'create with an idempotency key': 5,
      peek: 1,
      'wrong password': 4,
      'first view': 5,
      'repeated view': 4,
      'last view': 6,
      ack: 5,
      burn: 4,
    })
  })

  test('writes of several kinds that take turns in a batch each get their own result', async () => {
    const stored = some(SIZE)
    await createAll(stored)
    statements = []
    const results = await Promise.all(
      stored.map(async ({ id }, index) => {
        if (index % 2 === 0) return secrets.burn({ id, now: T0 })
        const view = await secrets.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE })
        return view?.text
      }),
    )
    expect(commits()).toBe(1)
    expect(results).toEqual(stored.map(({ text }, index) => (index % 2 === 0 ? true : text)))
  })

  test('failing creates do not affect other creates of the batch', async () => {
    const taken = aSecret()
    const record = { keyHash: aHash(), response: 'first ☃', expiresAt: T0 + MINUTE }
    await secrets.create({ secret: taken, now: T0, record })
    const good = some(SIZE - 3)
    const responses = await Promise.all([
      secrets.create({ secret: aSecret({ id: taken.id }), now: T0 }).catch(codeOf),
      secrets.create({ secret: aSecret({ ownerId: anId() }), now: T0 }).catch(codeOf),
      secrets.create({ secret: aSecret(), now: T0, record }),
      ...good.map((secret) => secrets.create({ secret, now: T0 })),
    ])
    expect(responses.slice(0, 3)).toEqual(['storage.conflict', 'storage.conflict', 'first ☃'])
    expect(responses.slice(3)).toEqual(good.map(() => null))
    expect(await db('secrets').pluck('id')).toHaveLength(SIZE - 2)
    for (const { id } of good)
      expect(await secrets.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toMatchObject({ views: 1 })
  })

  test('failing view does not affect other views of the batch', async () => {
    const all = some(SIZE)
    await createAll(all)
    const bad = all[4]?.id ?? ''
    const restore = interceptQueries(db, async (run, { sql, bindings }) => {
      if (/^insert into .claims/.test(sql) && JSON.stringify(bindings).includes(bad))
        throw new Error('no claim of this secret')
      return run()
    })
    const viewed = await Promise.all(
      all.map(({ id }) =>
        secrets.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE }).catch((error) => error.message),
      ),
    )
    restore()
    expect(viewed[4]).toMatch(/^secrets.view: the database failed/)
    expect(viewed.filter((view) => view.views === 1)).toHaveLength(SIZE - 1)
    expect(await db('secrets').where({ views: 1 }).pluck('id')).toHaveLength(SIZE - 1)
    expect(await db('claims').pluck('secret_id')).toHaveLength(SIZE - 1)
  })

  test('REL-01: racing claims get at most maxViews views, and other secrets are unaffected', async () => {
    const [secret, ...others] = some(6, { maxViews: 3 })
    await createAll([secret as never, ...others])
    const claims = Array.from({ length: 8 }, () => aHash())
    const racing = claims
      .flatMap((claim) => [claim, claim])
      .map((claim) => secrets.view({ id: secret?.id ?? '', claimHash: claim, now: T0, graceMs: MINUTE }))
    const alongside = others.map(({ id }) => secrets.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE }))
    const responses = await Promise.all(racing)
    expect(responses.filter((view) => view?.counted)).toHaveLength(3)
    expect(responses.filter((view) => view !== null)).toHaveLength(6)
    // A claim and its retry get the same.
    for (let at = 0; at < 16; at += 2) expect(responses[at]?.text).toBe(responses[at + 1]?.text)
    expect((await Promise.all(alongside)).map((view) => view?.views)).toEqual([1, 1, 1, 1, 1])
    expect(await db('claims').where({ secret_id: secret?.id ?? '' })).toHaveLength(3)
  })

  test('concurrent writes to one secret run in order', async () => {
    for (let round = 0; round < 5; round++) {
      const secret = aSecret({ maxViews: 2 })
      const [first, second] = [aHash(), aHash()]
      await secrets.create({ secret, now: T0 })
      await secrets.view({ id: secret.id, claimHash: first, now: T0, graceMs: MINUTE })
      const [viewed, failed, acked, burned, again] = await Promise.all([
        secrets.view({ id: secret.id, claimHash: second, now: T0, graceMs: MINUTE }),
        secrets.recordWrongPassword({ id: secret.id, now: T0, lockMs: MINUTE }),
        secrets.ack(secret.id, first, T0),
        secrets.burn({ id: secret.id, now: T0 }),
        secrets.ack(secret.id, second, T0),
      ])
      // In the order of the calls.
      expect(viewed).toMatchObject({ views: 2, text: secret.text })
      expect([failed, acked, burned, again]).toEqual([null, false, true, false])
      expect(await db('secrets').where({ id: secret.id })).toEqual([])
    }
  })

  test('acks, burns and wrong passwords share a transaction, and each gets its own result', async () => {
    const all = [...some(5), ...some(SIZE - 5, { maxViews: 2 })]
    const claims = all.map(() => aHash())
    const idOf = (at: number) => all[at]?.id ?? ''
    const view = (at: number, claim = claims[at] ?? '') =>
      secrets.view({ id: idOf(at), claimHash: claim, now: T0, graceMs: MINUTE })
    const ack = (at: number, claim = claims[at] ?? '', now = T0) => secrets.ack(idOf(at), claim, now)
    await createAll(all)
    await Promise.all([0, 1, 5, 6, 7].map((at) => view(at)))
    await Promise.all([6, 7].map((at) => view(at, aHash())))
    statements = []
    const responses = await Promise.all([
      ack(0),
      // It was used up and its claim has ended, but this is another claim.
      ack(1, aHash(), T0 + MINUTE),
      // A view is left; another claim is open; another claim has ended.
      ack(5),
      ack(6),
      ack(7, claims[7], T0 + MINUTE),
      secrets.burn({ id: idOf(2), now: T0 }),
      secrets.burn({ id: anId(), now: T0 }),
      secrets.burn({ id: idOf(3), now: T0 + 10 * MINUTE }),
      secrets.recordWrongPassword({ id: idOf(4), now: T0, lockMs: MINUTE }),
    ])
    const counted = { counted: true, attemptsLeft: 9, lockedUntil: 0 }
    expect(responses).toEqual([true, false, false, false, true, true, false, false, counted])
    expect(commits()).toBe(1)
    const left = await db('secrets').pluck('id')
    expect(left.sort()).toEqual([1, 3, 4, 5, 6, 8, 9].map(idOf).sort())
    expect(await Promise.all([5, 6].map((at) => view(at)))).toEqual([null, null])
  })

  test('each call uses its own time', async () => {
    const all = some(4, { maxViews: null })
    await createAll(all)
    const [late, early, locked, open] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0], (typeof all)[0]]
    for (const { id } of [locked, open]) {
      for (let wrong = 0; wrong < 10; wrong++) await secrets.recordWrongPassword({ id, now: T0, lockMs: MINUTE })
    }
    const views = [
      secrets.view({ id: late.id, claimHash: aHash(), now: late.expiresAt, graceMs: MINUTE }),
      secrets.view({ id: early.id, claimHash: aHash(), now: early.expiresAt - 1, graceMs: MINUTE }),
      secrets.view({ id: locked.id, claimHash: aHash(), now: T0 + MINUTE - 1, graceMs: MINUTE }),
      secrets.view({ id: open.id, claimHash: aHash(), now: T0 + MINUTE, graceMs: MINUTE }),
    ]
    expect((await Promise.all(views)).map((view) => view?.views)).toEqual([undefined, 1, undefined, 1])
  })

  test('writes whose transaction cannot begin fail, store nothing and release their connections', async () => {
    const restore = interceptQueries(db, async (run, statement) => {
      if (/^BEGIN/.test(statement.sql)) statement.sql = 'BEGIN nothing;'
      return run()
    })
    const results = await Promise.allSettled(some(SIZE).map((secret) => secrets.create({ secret, now: T0 })))
    restore()
    expect(results.map(({ status }) => status)).toEqual(Array(SIZE).fill('rejected'))
    expect(countConnections(db).busy).toBe(0)
    expect(await db('secrets').pluck('id')).toEqual([])
  })

  test.each([
    ['happened', 'COMMIT;', SIZE],
    ['did not happen', 'ROLLBACK;', 0],
  ])('writes of a batch whose commit %s without a response fail, and do not run again', async (_, end, stored) => {
    const restore = interceptQueries(db, async (run, statement) => {
      if (statement.sql !== 'COMMIT;') return run()
      statement.sql = end
      await run()
      throw Object.assign(new Error('the connection is gone'), { code: 'ECONNRESET' })
    })
    const responses = await Promise.all(some(SIZE).map((secret) => secrets.create({ secret, now: T0 }).catch(codeOf)))
    restore()
    expect(responses).toEqual(Array(SIZE).fill('storage.unavailable'))
    expect(commits()).toBe(1)
    expect(await db('secrets').pluck('id')).toHaveLength(stored)
  })

  test.each([/^update .secrets/, /^commit/i])('batch that loses a race at %s runs again', async (at) => {
    const all = some(SIZE)
    await createAll(all)
    let lost = 0
    const restore = interceptQueries(db, async (run, statement) => {
      if (!at.test(statement.sql) || lost === 3) return run()
      lost++
      if (statement.sql === 'COMMIT;') {
        statement.sql = 'ROLLBACK;'
        await run()
      }
      throw Object.assign(new Error('somebody else was faster'), { code: LOST_RACE[engine] })
    })
    const viewed = await Promise.all(
      all.map(({ id }) => secrets.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE })),
    )
    restore()
    expect(lost).toBe(3)
    expect(viewed.map((view) => view?.views)).toEqual(all.map(() => 1))
    expect(await db('claims').pluck('secret_id')).toHaveLength(SIZE)
  })

  test('peeks of a failing batch run again one by one', async () => {
    const all = some(SIZE)
    await createAll(all)
    const bad = all[2]?.id ?? ''
    const restore = interceptQueries(db, async (run, { bindings }) => {
      if (JSON.stringify(bindings)?.includes(bad)) throw new Error('no look at this secret')
      return run()
    })
    const seen = await Promise.all(all.map(({ id }) => secrets.peek(id, T0).catch(() => 'failed')))
    restore()
    expect(seen).toEqual(all.map(({ text, ...meta }) => (meta.id === bad ? 'failed' : meta)))
  })
}

const LOST_RACE = { sqlite: 'SQLITE_BUSY', postgres: '40P01', mysql: 'ER_LOCK_DEADLOCK' }

interface Statement {
  sql: string
  bindings?: unknown[]
}

/** Intercepts queries between knex and the driver. Returns a function that restores them. */
function interceptQueries(
  db: Knex,
  step: (run: () => Promise<unknown>, statement: Statement) => Promise<unknown>,
): () => void {
  const { prototype } = db.client.constructor
  const { _query: query } = prototype
  prototype._query = function (connection: unknown, statement: Statement) {
    return step(() => query.call(this, connection, statement), statement)
  }
  return () => {
    prototype._query = query
  }
}

/** As the plugins connect, with one additional statement that SQLite needs. */
async function connect(engine: EngineName, database: TestDatabase): Promise<Knex> {
  const { client, connection } = database.db.client.config
  const isFile = engine === 'sqlite'
  const pool = { min: 0, max: isFile ? 1 : 10 }
  const db = knex({ ...CONNECTION_DEFAULTS, client, connection, pool, useNullAsDefault: true })
  if (isFile) await db.raw('PRAGMA foreign_keys = ON')
  return db
}
