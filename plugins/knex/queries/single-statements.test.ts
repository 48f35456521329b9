import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aHash, aSecret, MINUTE, T0 } from '#core/testing'
import { chooseDriver } from '#plugins/sqlite/drivers/sqlite-driver'
import { type MemoryDatabase, openMemoryDatabase } from '#plugins/sqlite/memory-database'
import { SQLITE_DRIVERS } from '#test/sqlite-drivers'
import { createBatchStatements } from './batch-statements.js'
import { createSingleStatements } from './single-statements.js'

describe.each(SQLITE_DRIVERS)('with %s', (driver) => {
  let database: MemoryDatabase
  beforeEach(async () => {
    database = openMemoryDatabase(100, chooseDriver(driver))
    await database.storage.migrate()
  })
  afterEach(() => database.close())

  const create = async () => {
    const secret = aSecret()
    await database.storage.secrets.create({ secret, now: T0 })
    return secret
  }
  const view = (id: string) => database.storage.secrets.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE })

  test('a create and a first view of a secret that was read before take one statement', async () => {
    const { id: first } = await create()
    await view(first)
    const statements: string[] = []
    database.db.on('query', ({ sql }) => statements.push(sql.split(' ', 3).join(' ')))
    const { id } = await create()
    expect(statements.splice(0)).toEqual(['insert into new_secrets'])
    expect(await view(id)).toMatchObject({ counted: true, views: 1 })
    expect(statements.splice(0)).toEqual(['select * from', 'insert into first_views'])
    expect(await view(id)).toBeNull()
    const { text, ...read } = await create()
    statements.splice(0)
    const viewed = await database.storage.secrets.view({
      id: read.id,
      claimHash: aHash(),
      now: T0,
      graceMs: MINUTE,
      read,
    })
    expect(viewed).toMatchObject({ counted: true, text })
    expect(statements).toEqual(['insert into first_views'])
  })

  test('a failing create of a batch does not affect the others', async () => {
    const taken = await create()
    const { secrets } = database.storage
    const [other, repeated] = await Promise.allSettled(
      [aSecret(), taken].map((secret) => secrets.create({ secret, now: T0 })),
    )
    expect(other).toMatchObject({ status: 'fulfilled' })
    expect(repeated).toMatchObject({ reason: { code: 'storage.conflict' } })
    expect(await database.db('secrets').pluck('id')).toHaveLength(2)
  })

  type Change = (id: string, storage: MemoryDatabase['storage']) => Promise<unknown>
  const CHANGES: Record<string, Change> = {
    'a view': view,
    'a burn': (id, { secrets }) => secrets.burn({ id, now: T0 }),
    'a lock': async (id, { secrets }) => {
      for (let wrong = 0; wrong < 10; wrong++) await secrets.recordWrongPassword({ id, now: T0, lockMs: MINUTE })
    },
    'another end': (id) =>
      database
        .db('secrets')
        .where({ id })
        .update({ expires_at: T0 + 1 }),
    'another number of views': (id) => database.db('secrets').where({ id }).update({ max_views: 7 }),
    'another address': (id) => database.db('secrets').where({ id }).update({ allowed_ip: '192.0.2.1' }),
  }

  test.each(Object.entries(CHANGES))('views are not counted after %s', async (_, change) => {
    const read = [await create(), await create()]
    await change(read[1]?.id ?? '', database.storage)
    const before = await database.db('secrets').orderBy('id')
    const claims = await database.db('claims')
    const views = read.map(({ id, expiresAt, maxViews, allowedIp }) => ({
      id,
      cleanup_at: T0,
      claim_hash: aHash(),
      claim_ends_at: T0 + MINUTE,
      read_expires_at: expiresAt,
      read_locked_until: 0,
      read_max_views: maxViews,
      read_allowed_ip: allowedIp,
      events: [],
    }))
    const single = createSingleStatements(database.db, createBatchStatements(database.db))
    const counting = single.countFirstViews(views)
    await expect(counting).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT' })
    expect(await database.db('secrets').orderBy('id')).toEqual(before)
    expect(await database.db('claims')).toEqual(claims)
  })
})
