/** Statements of the outbox. The contract of storages tests its behavior. */
import { afterEach, expect, test } from 'vitest'
import { aHash, anEvent, aSecret, MINUTE, T0 } from '#core/testing'
import { makeDatabase } from '#test/databases'
import { createOutboxStore } from './outbox-store.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function openStore() {
  const database = await makeDatabase('sqlite')
  closing.push(database.drop)
  const { storage, close } = await database.open()
  closing.push(close)
  await storage.migrate()
  return { db: database.db, storage, store: createOutboxStore(database.db) }
}

test('recordAttempts runs one update for all events with the same result', async () => {
  const { db, store } = await openStore()
  const events = Array.from({ length: 16 }, () => anEvent())
  await store.append(events)
  await store.listDue('hook', T0, 16)
  const updates: string[] = []
  db.on('query', ({ sql }) => sql.startsWith('update') && updates.push(sql))
  const ended = { attempts: 1, nextAt: T0, endedAt: T0 }
  const results = events.map(({ id }, at) => ({
    id,
    ...ended,
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

test('a create and a view with three subscribers add one row of new events each, which the next listDue moves', async () => {
  const { db, storage, store } = await openStore()
  const secret = aSecret()
  const subject = `secret:${secret.id}`
  const eventsOf = (...types: ('secret.created' | 'secret.viewed' | 'secret.burned')[]) =>
    types.flatMap((type) => ['a', 'b', 'hook'].map((subscriber) => anEvent({ type, subject, subscriber })))
  const [created, viewed] = [eventsOf('secret.created'), eventsOf('secret.viewed', 'secret.burned')]
  await storage.secrets.create({ secret, now: T0, files: [], events: created })
  await storage.secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE, toEvents: () => viewed })
  const rows = await db('new_events').select()
  expect(rows).toHaveLength(2)
  // The data of an event is stored once for all subscribers.
  expect(rows[0].events.split('☃')).toHaveLength(2)
  expect(await db('outbox').select()).toEqual([])
  expect(await store.listDue('hook', T0, 9)).toMatchObject([{ id: created[2]?.id }])
  expect(await db('new_events').select()).toEqual([])
  const entries = (await store.list({}, { skip: 0, take: 100 })).reverse()
  expect(entries).toMatchObject([...created, ...viewed])
})

test('listDue without new events runs no transaction', async () => {
  const { db, store } = await openStore()
  const queries: string[] = []
  db.on('query', ({ sql }) => queries.push(sql))
  await store.listDue('hook', T0, 16)
  expect(queries).toHaveLength(2)
  expect(queries.filter((sql) => !sql.startsWith('select'))).toEqual([])
})
