/** The limit of waiting events of each subscriber. */
import { afterEach, expect, test } from 'vitest'
import { createLog, noLog } from '#core/lib/log'
import { T0 } from '#core/testing'
import { memory } from '#test/memory-plugin'
import type { Subscriber } from '../contracts/channels.js'
import type { Storage } from '../contracts/storage.js'
import { createPace } from './delivery-pace.js'
import { createEvents } from './durable-events.js'
import { type EventLimit, startEventLimit } from './event-limit.js'
import { NO_USER_WEBHOOKS } from './user-webhook-index.js'

const ALL = { skip: 0, take: 1000 }
const MAX = 20
/** A tenth of the limit. */
const DEAD_MAX = 2

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function openStorage(): Promise<Storage> {
  const { storage } = await memory.setup({}, { log: noLog, dataDir: '/', publicUrl: '', clock: Date })
  if (!storage) throw new Error('no storage')
  return storage
}

let subjects = 0

/** One process: its limit, and a function that stores events of different secrets as changes would. */
function startProcess(storage: Storage, clock: { now: number }, log = noLog) {
  const now = () => clock.now
  const deliver = async () => ({ isDelivered: true, result: 'ok' })
  const subscribers: Subscriber[] = [{ name: 'hook', deliver }]
  const pace = createPace(now)
  const limit = startEventLimit({ store: storage.outbox, subscribers: ['hook'], max: MAX, pace, log, now })
  const context = {
    channels: { operators: [], mail: [], webhooks: null, subscribers },
    webhooks: NO_USER_WEBHOOKS,
    background: { eventLimit: limit, pace },
    now,
  }
  open.push(limit.stop)
  const store = async (count: number) => {
    for (let made = 0; made < count; made++) {
      const secretId = `ö ☃${subjects++}`
      const data = { secretId, ownerId: null, notify: false, createdAt: T0, views: 1, viewsLeft: 0, recipient: null }
      const created = createEvents(context, [{ name: 'secret.viewed', data }])
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

const list = (storage: Storage, state: 'pending' | 'dead') => storage.outbox.list({ state }, ALL)

/** Delivers some of the waiting events. */
async function deliver(storage: Storage, count: number) {
  const delivered = { state: 'delivered', attempts: 1, nextAt: T0, endedAt: T0, result: 'HTTP 204' } as const
  const waiting = (await list(storage, 'pending')).slice(0, count)
  await storage.outbox.recordAttempts(waiting.map(({ id }) => ({ id, ...delivered })))
}

test('events that find the queue full are dead, up to a tenth of the limit, and can be delivered again', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const { limit, store } = startProcess(storage, clock)
  await limit.run()
  await store(MAX)
  await passSeconds(clock, 1, limit)
  await store(7)
  expect(await list(storage, 'pending')).toHaveLength(MAX)
  const dead = await list(storage, 'dead')
  expect(dead).toHaveLength(DEAD_MAX)
  expect(dead[0]).toMatchObject({ subscriber: 'hook', result: 'queue full', attempts: 0, endedAt: T0 + 1000 })
  expect(limit.queues()).toEqual([{ subscriber: 'hook', waiting: MAX, dropped: 7 }])
  expect(await storage.outbox.redeliver({ state: 'dead' }, clock.now)).toBe(DEAD_MAX)
  expect(await list(storage, 'pending')).toHaveLength(MAX + DEAD_MAX)
})

test('a full queue accepts events again when a tenth of it is free, and has its bound again', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const { limit, store } = startProcess(storage, clock)
  await store(MAX)
  await limit.run()
  await deliver(storage, 2)
  await passSeconds(clock, 5, limit)
  await store(9)
  expect(await list(storage, 'dead')).toHaveLength(DEAD_MAX)
  await deliver(storage, 1)
  await passSeconds(clock, 5, limit)
  await store(3)
  expect(await list(storage, 'pending')).toHaveLength(MAX)
  await passSeconds(clock, 1, limit)
  await store(9)
  expect(await list(storage, 'dead')).toHaveLength(2 * DEAD_MAX)
})

test('the log reports a full queue, the number of events once a minute, and the end', async () => {
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
  await deliver(storage, MAX)
  await passSeconds(clock, 5, limit)
  expect(lines.map(({ msg, dropped }) => [msg, dropped])).toEqual([
    ['event queue full, further events are given up', 0],
    ['event queue still full', 60],
    ['event queue has room again', 6],
  ])
  expect(lines[1]).toMatchObject({ level: 'warn', subscriber: 'hook', limit: MAX })
  expect(limit.queues()).toEqual([{ subscriber: 'hook', waiting: 0, dropped: 66 }])
})

test('an idle process asks the database once in 30 seconds, and creating events asks it nothing', async () => {
  const clock = { now: T0 }
  let counts = 0
  let isBusy = false
  const countPending = async () => {
    counts++
    return 0
  }
  const limit = startEventLimit({
    store: { countPending },
    subscribers: ['hook'],
    max: 100_000,
    pace: { isBusy: () => isBusy },
    log: noLog,
    now: () => clock.now,
  })
  open.push(limit.stop)
  await limit.run()
  expect(counts).toBe(1)
  for (let count = 0; count < 1000; count++) expect(limit.admit('hook')).toBe('pending')
  await passSeconds(clock, 29, limit)
  expect(counts).toBe(1)
  await passSeconds(clock, 1, limit)
  expect(counts).toBe(2)
  // Many events: it does not wait for 30 seconds.
  for (let count = 0; count < 15_000; count++) limit.admit('hook')
  await passSeconds(clock, 1, limit)
  expect(counts).toBe(3)
  // Counting would slow down a busy process, so it waits longer.
  isBusy = true
  await passSeconds(clock, 44, limit)
  expect(counts).toBe(3)
  await passSeconds(clock, 1, limit)
  expect(counts).toBe(4)
})
