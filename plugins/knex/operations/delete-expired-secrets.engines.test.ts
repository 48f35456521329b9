/** A large backlog of due secrets is deleted in the order of their ids if the engine stores rows in that order. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { aSecret, MINUTE, T0 } from '#core/testing'
import { acquireDatabase, type EngineName, type TestDatabase } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { knexStorage } from '../index.js'
import { toSecretRow } from '../rows/secret-rows.js'
import { createExpiredDeletion } from './delete-expired-secrets.js'

const BACKLOG = 7
const NOW = T0 + MINUTE
/** Engines that store rows in the order of their ids. */
const CLUSTERED: EngineName[] = ['mysql']
/** Writes of SQLite wait for a batch, so it keeps the default. */
const BATCH_MS = { sqlite: undefined, postgres: 50, mysql: 50 }

describeEachEngine((engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await acquireDatabase(engine)
    await knexStorage(database.db).migrate()
  })
  afterEach(() => database.empty())
  afterAll(() => database.drop())

  /** Secrets that are due at `NOW`. The one with the last id expires first. */
  const insertDue = (ids: string[]) =>
    database.db.batchInsert(
      'secrets',
      ids.map((id, index) => toSecretRow(aSecret({ id, expiresAt: NOW - index }))),
      engine === 'sqlite' ? 40 : 1000,
    )

  test('secrets above the backlog are deleted in the order of their ids, and every due one is deleted', async () => {
    const deleteExpired = createExpiredDeletion(database.db, true, BACKLOG)
    const ids = idsFrom(10, BACKLOG + 1)
    await insertDue(ids)
    const live = aSecret({ id: 'id000013x', expiresAt: NOW + 1 })
    await database.db('secrets').insert(toSecretRow(live))
    expect(idsOf(await deleteExpired({ now: NOW, limit: 3 }))).toEqual(ids.slice(0, 3))
    // This id comes before the ids that the pass has reached. The pass continues below the backlog, and the next pass
    // starts over.
    await insertDue(idsFrom(1, 1))
    expect(idsOf(await deleteExpired({ now: NOW, limit: 3 }))).toEqual(ids.slice(3, 6))
    expect(idsOf(await deleteExpired({ now: NOW, limit: 3 }))).toEqual(ids.slice(6))
    expect(idsOf(await deleteExpired({ now: NOW, limit: 3 }))).toEqual(idsFrom(1, 1))
    expect(await deleteExpired({ now: NOW, limit: 3 })).toEqual([])
    expect(await database.db('secrets').pluck('id')).toEqual([live.id])
  })

  test('secrets up to the backlog are deleted in the order of their expiry', async () => {
    const deleteExpired = createExpiredDeletion(database.db, true, BACKLOG)
    const ids = idsFrom(10, BACKLOG)
    await insertDue(ids)
    expect(idsOf(await deleteExpired({ now: NOW, limit: 3 }))).toEqual(ids.slice(-3))
    expect(idsOf(await deleteExpired({ now: NOW, limit: 3 }))).toEqual(ids.slice(-6, -3))
    expect(idsOf(await deleteExpired({ now: NOW, limit: 3 }))).toEqual(ids.slice(0, -6))
  })

  const isClustered = CLUSTERED.includes(engine)

  test(`the plugin deletes 10,001 due secrets in the order of their ${isClustered ? 'ids' : 'expiry'}`, async () => {
    const { storage, close } = await database.open()
    const ids = idsFrom(1, 10_001)
    await insertDue(ids)
    const deleted = await storage.secrets.deleteExpired({ now: NOW, limit: 3 })
    await close()
    expect(idsOf(deleted)).toEqual(isClustered ? ids.slice(0, 3) : ids.slice(-3))
    expect(storage.cleanupBatchMs).toBe(BATCH_MS[engine])
  })
})

/** Ids in ascending order, from `from` on. */
const idsFrom = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `id${String(from + index).padStart(6, '0')}`)

const idsOf = (deleted: { id: string }[]) => deleted.map(({ id }) => id).sort()
