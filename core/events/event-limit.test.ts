/** The limit of waiting events of each subscriber, and the summary of the dropped ones. */
import { afterEach, expect, test } from 'vitest'
import { createLog, noLog } from '#core/lib/log'
import { anEvent, T0 } from '#core/testing'
import { builtIns } from '#plugins'
import { makeDatabase } from '#test/databases'
import type { DurableEvent } from '../contracts/outbox.js'
import type { Storage } from '../contracts/storage.js'
import { startDelivery } from './delivery.js'
import { createPace } from './delivery-pace.js'
import { type EventLimit, startEventLimit } from './event-limit.js'
import { eventService } from './event-service.js'
import { NO_USER_WEBHOOKS } from './user-webhook-index.js'

const ALL = { skip: 0, take: 1000 }
const MAX = 10

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function openStorage(): Promise<Storage> {
  const memory = (await builtIns.memory()).default
  const { storage } = await memory.setup({}, { log: noLog, dataDir: '/', publicUrl: '', clock: Date })
  if (!storage) throw new Error('no storage')
  return storage
}

let subjects = 0

/** One process: its limit, and a function that stores events of different secrets as changes would. */
function startProcess(storage: Storage, clock: { now: number }, log = noLog) {
  const now = () => clock.now
  const subscribers = [{ name: 'hook', deliver: async () => ({ isDelivered: true, result: 'ok' }) }]
  const pace = createPace(now)
  const limit = startEventLimit({ store: storage.droppedEvents, subscribers: ['hook'], max: MAX, pace, log, now })
  const events = eventService({
    subscribers,
    userWebhooks: NO_USER_WEBHOOKS,
    store: storage.outbox,
    limit,
    pace,
    log,
    now,
  })
  open.push(limit.stop)
  const store = async (count: number) => {
    for (let made = 0; made < count; made++) {
      const created = events.create('secret.viewed', `secret:ö${subjects++}`, {
        ...{ secretId: 'ö ☃', ownerId: null, notify: false, createdAt: T0, views: 1, viewsLeft: 0 },
      })
      if (created.length > 0) await storage.outbox.append(created)
    }
  }
  return { limit, store }
}

/** Runs each process as its timer does, once a second for some seconds. */
async function passSeconds(clock: { now: number }, seconds: number, ...limits: EventLimit[]) {
  for (let passed = 0; passed < seconds; passed++) {
    clock.now += 1000
    for (const limit of limits) await limit.run()
  }
}

const list = async (storage: Storage) => (await storage.outbox.list({}, ALL)).reverse()
const dataOf = ({ data }: { data: string }) => JSON.parse(data)

/** Delivers everything that is due, and returns it in the order of arrival. */
async function deliverAll(storage: Storage, clock: { now: number }) {
  const received: DurableEvent[] = []
  const deliver = async (event: DurableEvent) => {
    received.push(event)
    return { isDelivered: true, result: 'HTTP 204' }
  }
  const { outbox: store, leases } = storage
  const subscribers = [{ name: 'hook', deliver }]
  const delivery = startDelivery({
    store,
    leases,
    subscribers,
    pace: createPace(() => clock.now),
    log: noLog,
    now: () => clock.now,
  })
  await delivery.run()
  await delivery.stop()
  return received
}

test('a full queue counts further events, and one summary arrives after the waiting ones', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const { limit, store } = startProcess(storage, clock)
  await limit.run()
  await store(MAX)
  await passSeconds(clock, 1, limit)
  await store(7)
  expect((await list(storage)).filter(({ state }) => state === 'pending')).toHaveLength(MAX)
  await passSeconds(clock, 1, limit)
  expect(dataOf((await storage.outbox.list({ state: 'counting' }, ALL))[0] ?? { data: '{}' })).toMatchObject({
    count: 7,
  })
  expect(await deliverAll(storage, clock)).toHaveLength(MAX)
  await passSeconds(clock, 10, limit)
  await store(2)
  const received = await deliverAll(storage, clock)
  expect(received.map(({ type }) => type).sort()).toEqual(['events.dropped', 'secret.viewed', 'secret.viewed'])
  const [summary] = received.filter(({ type }) => type === 'events.dropped')
  expect(summary?.id).toMatch(/^evt_/)
  expect(summary?.data).toEqual({ count: 7, firstAt: T0 + 1000, lastAt: T0 + 1000, types: { 'secret.viewed': 7 } })
  await passSeconds(clock, 60, limit)
  expect(await deliverAll(storage, clock)).toEqual([])
})

test('a summary waits while an event before it is retried, and later events do not wait for it', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const { limit, store } = startProcess(storage, clock)
  await store(MAX)
  await limit.run()
  await store(1)
  const [failing] = await list(storage)
  const retry = { state: 'pending', attempts: 1, nextAt: T0 + 60_000, endedAt: null, result: 'HTTP 500' } as const
  await storage.outbox.recordAttempts([{ id: failing?.id ?? '', ...retry }])
  await deliverAll(storage, clock)
  await passSeconds(clock, 20, limit)
  await store(1)
  expect((await deliverAll(storage, clock)).map(({ type }) => type)).toEqual(['secret.viewed'])
  clock.now = T0 + 60_000
  expect(await deliverAll(storage, clock)).toMatchObject([{ id: failing?.id }])
  await passSeconds(clock, 2, limit)
  expect(await deliverAll(storage, clock)).toMatchObject([{ type: 'events.dropped', data: { count: 1 } }])
})

test('processes of one instance add to one summary, also after one of them was restarted', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const [one, two] = [startProcess(storage, clock), startProcess(storage, clock)]
  await one.store(MAX)
  await passSeconds(clock, 1, one.limit, two.limit)
  await one.store(3)
  await two.store(4)
  await passSeconds(clock, 1, one.limit, two.limit)
  await one.store(2)
  // A process that stops stores what it has counted.
  await one.limit.stop()
  const restarted = startProcess(storage, clock)
  await deliverAll(storage, clock)
  await passSeconds(clock, 15, two.limit, restarted.limit)
  expect(await deliverAll(storage, clock)).toMatchObject([{ type: 'events.dropped', data: { count: 9 } }])
})

test('the summary exists before an event is dropped, so a killed process loses counts only', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const killed = startProcess(storage, clock)
  await killed.store(MAX)
  await killed.limit.run()
  await killed.store(5)
  // Nothing of it runs from now on.
  const next = startProcess(storage, clock)
  await deliverAll(storage, clock)
  await passSeconds(clock, 15, next.limit)
  expect(await deliverAll(storage, clock)).toMatchObject([{ type: 'events.dropped', data: { count: 0, firstAt: T0 } }])
})

test('counts that could not be stored are stored later', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const { limit, store } = startProcess(storage, clock)
  const droppedEvents = storage.droppedEvents as NonNullable<Storage['droppedEvents']>
  const { add } = droppedEvents
  await store(MAX)
  await limit.run()
  await store(3)
  droppedEvents.add = () => Promise.reject(new Error('away'))
  await passSeconds(clock, 2, limit)
  await store(2)
  droppedEvents.add = add
  await passSeconds(clock, 1, limit)
  expect(dataOf((await storage.outbox.list({ state: 'counting' }, ALL))[0] ?? { data: '{}' })).toMatchObject({
    ...{ count: 5, lastAt: T0 + 2000 },
  })
})

test('the log reports a full queue, the number of dropped events once a minute, and the end', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const lines: { msg: string; dropped: number }[] = []
  const { limit, store } = startProcess(
    storage,
    clock,
    createLog('info', 'json', (line) => void lines.push(JSON.parse(line))),
  )
  await store(MAX)
  await limit.run()
  for (let second = 0; second < 65; second++) {
    await store(1)
    await passSeconds(clock, 1, limit)
  }
  await store(1)
  await deliverAll(storage, clock)
  await passSeconds(clock, 5, limit)
  expect(lines.map(({ msg, dropped }) => [msg, dropped])).toEqual([
    ['event queue full, further events are dropped', 0],
    ['events dropped', 60],
    ['event queue has room again', 6],
  ])
  expect(lines[1]).toMatchObject({ level: 'warn', subscriber: 'hook', limit: MAX })
  expect(limit.queues()).toEqual([{ subscriber: 'hook', waiting: 0, dropped: 66 }])
})

test('an idle process asks the database once in 30 seconds, and creating events asks it nothing', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const calls: string[] = []
  let isBusy = false
  const { droppedEvents } = storage
  const counted = Object.fromEntries(
    Object.entries(droppedEvents ?? {}).map(([name, run]) => [
      name,
      (...args: never[]) => {
        calls.push(name)
        return (run as (...args: never[]) => unknown)(...args)
      },
    ]),
  )
  const limit = startEventLimit({
    store: counted as never,
    ...{ subscribers: ['hook'], max: 100_000, pace: { isBusy: () => isBusy }, log: noLog, now: () => clock.now },
  })
  open.push(limit.stop)
  await limit.run()
  expect(calls).toEqual(['countPending', 'release'])
  for (let count = 0; count < 1000; count++) expect(limit.admit('hook', 'secret.viewed', T0)).toBe(true)
  await passSeconds(clock, 29, limit)
  expect(calls).toHaveLength(2)
  await passSeconds(clock, 1, limit)
  expect(calls).toHaveLength(4)
  // Many events: it does not wait for 30 seconds.
  for (let count = 0; count < 15_000; count++) limit.admit('hook', 'secret.viewed', T0)
  await passSeconds(clock, 1, limit)
  expect(calls).toHaveLength(6)
  // Counting would slow down a busy process, so it waits longer.
  isBusy = true
  await passSeconds(clock, 44, limit)
  expect(calls).toHaveLength(6)
  await passSeconds(clock, 1, limit)
  expect(calls).toHaveLength(8)
  isBusy = false
  await passSeconds(clock, 30, limit)
  expect(calls).toHaveLength(10)
})

test('two processes on one SQLite file lose no dropped event, also after both have ended', async () => {
  const database = await makeDatabase('sqlite')
  open.push(database.drop)
  const clock = { now: T0 }
  const first = await database.open()
  await first.storage.migrate()
  const second = await database.open()
  const [one, two] = [startProcess(first.storage, clock), startProcess(second.storage, clock)]
  await first.storage.outbox.append(Array.from({ length: MAX }, () => anEvent()))
  await Promise.all([one.limit.run(), two.limit.run()])
  for (let second = 0; second < 5; second++) {
    await Promise.all([one.store(20), two.store(30)])
    clock.now += 1000
    await Promise.all([one.limit.run(), two.limit.run()])
  }
  await Promise.all([one.limit.stop(), two.limit.stop()])
  await Promise.all([first.close(), second.close()])
  const third = await database.open()
  open.push(third.close)
  expect(await deliverAll(third.storage, clock)).toHaveLength(MAX)
  clock.now += 6000
  const { limit } = startProcess(third.storage, clock)
  await limit.run()
  expect(await deliverAll(third.storage, clock)).toMatchObject([
    { data: { count: 250, types: { 'secret.viewed': 250 } } },
  ])
})
