/** Statements of the outbox. Its behavior is tested by the contract of storages. */
import { afterEach, expect, test } from 'vitest'
import { anEvent, T0 } from '#core/testing'
import { makeDatabase } from '#test/databases'
import { createOutboxStore } from './outbox-store.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test('recordAttempts runs one update for all events with the same result', async () => {
  const database = await makeDatabase('sqlite')
  closing.push(database.drop)
  const { storage, close } = await database.open()
  await storage.migrate()
  await close()
  const store = createOutboxStore(database.db)
  const events = Array.from({ length: 16 }, () => anEvent())
  await store.append(events)
  const updates: string[] = []
  database.db.on('query', ({ sql }) => sql.startsWith('update') && updates.push(sql))
  const ended = { attempts: 1, nextAt: T0, endedAt: T0 }
  const results = events.map(({ id }, at) => ({
    ...{ id, ...ended },
    ...(at < 10
      ? { state: 'delivered' as const, result: 'HTTP 204' }
      : { state: 'dead' as const, result: 'HTTP 500 ☃' }),
  }))
  await store.recordAttempts(results)
  expect(updates).toHaveLength(2)
  for (const [state, count] of [
    ['delivered', 10],
    ['dead', 6],
  ] as const) {
    expect(await store.list({ state }, { skip: 0, take: 100 })).toHaveLength(count)
  }
})
