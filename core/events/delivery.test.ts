/** Delivery of durable events, and the events of the product over HTTP. */

import { createServer } from 'node:http'
import request from 'supertest'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { anonymous } from '#core/contracts/auth-context'
import { noLog } from '#core/lib/log'
import { definePlugin, type Plugin } from '#core/plugins/plugin'
import { anEvent, T0 } from '#core/testing'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { createRequestKeys, encryptSubmission } from '#shared/crypto/submission'
import { OWN_PAGE } from '#test/for-each-storage'
import { memory } from '#test/memory-plugin'
import { type TestApp, testApp } from '#test/test-app'
import type { OperatorChannel } from '../contracts/channels.js'
import type { DurableEvent } from '../contracts/outbox.js'
import { closeRequest } from '../requests/close-request.js'
import { type Delivery, startDelivery, type Target, type TargetGroup, toGroup } from './delivery.js'
import { createPace, type DeliveryPace } from './delivery-pace.js'
import { RETRY_MS } from './delivery-retries.js'
import { pingChannel } from './durable-events.js'

const ALL = { skip: 0, take: 100 }
const OK = { isDelivered: true, result: 'HTTP 204' }
const FAILED = { isDelivered: false, result: 'HTTP 503' }

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function openStorage() {
  const { storage } = await memory.setup({}, { log: noLog, dataDir: '/', publicUrl: '', clock: Date })
  if (!storage) throw new Error('no storage')
  return storage
}

type Storage = Awaited<ReturnType<typeof openStorage>>

function start(storage: Storage, clock: { now: number }, ...subscribers: OperatorChannel[]): Delivery {
  return startAtPace(
    createPace(() => clock.now),
    storage,
    clock,
    ...subscribers,
  )
}

function startAtPace(
  pace: DeliveryPace,
  storage: Storage,
  clock: { now: number },
  ...subscribers: OperatorChannel[]
): Delivery {
  return startGroups(pace, storage, clock, subscribers.map(toGroup))
}

function startGroups(pace: DeliveryPace, storage: Storage, clock: { now: number }, groups: TargetGroup[]): Delivery {
  const delivery = startDelivery({ storage, groups, pace, log: noLog, now: () => clock.now })
  open.push(delivery.stop)
  return delivery
}

test('many waiting events are read in few steps, and the lease is renewed while they are delivered', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const calls = { listDue: 0, acquire: 0 }
  const { listDue } = storage.outbox
  const { acquire } = storage.leases
  storage.outbox.listDue = (...args) => {
    calls.listDue++
    return listDue(...args)
  }
  storage.leases.acquire = (input) => {
    calls.acquire++
    return acquire(input)
  }
  await storage.outbox.append(Array.from({ length: 400 }, () => anEvent()))
  const arrived = new Set<string>()
  const deliver = async ({ id }: DurableEvent) => {
    arrived.add(id)
    clock.now += 250
    return OK
  }
  await start(storage, clock, { name: 'hook', to: 'operator', deliver }).run()
  expect(arrived.size).toBe(400)
  // A window, the rest, and an empty read.
  expect(calls.listDue).toBe(3)
  // 100 seconds: before less than half of its minute is left.
  expect(calls.acquire).toBeGreaterThanOrEqual(3)
  expect(calls.acquire).toBeLessThanOrEqual(4)
})

test('events wait while many are stored, but for up to ten seconds', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const pace = createPace(() => clock.now)
  const arrivedAt: number[] = []
  const deliver = async () => {
    arrivedAt.push((clock.now - T0) / 1000)
    return OK
  }
  const delivery = startAtPace(pace, storage, clock, { name: 'hook', to: 'operator', deliver })
  const { listDue } = storage.outbox
  let reads = 0
  storage.outbox.listDue = (...args) => {
    reads++
    return listDue(...args)
  }
  for (let second = 0; second <= 12; second++, clock.now += 1000) {
    pace.add(100)
    await storage.outbox.append([anEvent({ createdAt: clock.now })])
    await delivery.run()
    if (second === 9) expect(reads).toBe(0)
  }
  // Then the wait begins anew, because nothing is left.
  expect(arrivedAt).toEqual(Array(11).fill(10))
  clock.now += 1000
  await delivery.run()
  expect(arrivedAt).toHaveLength(13)
})

test('a process that lost its lease stops delivering the events it has read', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  await storage.outbox.append(Array.from({ length: 40 }, () => anEvent()))
  let arrived = 0
  const deliver = async () => {
    arrived++
    if (arrived === 16) {
      clock.now += 120_000
      await storage.leases.acquire({ name: 'events:hook', holder: 'other', until: clock.now + 60_000, now: clock.now })
    }
    return OK
  }
  await start(storage, clock, { name: 'hook', to: 'operator', deliver }).run()
  expect(arrived).toBe(16)
})

test('events of one subject arrive in order, also after failures; other subjects do not wait', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const [a1, a2, b1] = [anEvent({ subject: 'a' }), anEvent({ subject: 'a' }), anEvent({ subject: 'b' })]
  await storage.outbox.append([a1, a2, b1])
  const arrived: string[] = []
  let failures = 2
  const deliver = async ({ id }: DurableEvent) => {
    if (id === a1.id && failures-- > 0) return FAILED
    arrived.push(id)
    return OK
  }
  const { run } = start(storage, clock, { name: 'hook', to: 'operator', deliver })
  await run()
  expect(arrived).toEqual([b1.id])
  expect(await storage.outbox.list({ id: a1.id }, ALL)).toMatchObject([
    { state: 'pending', attempts: 1, nextAt: T0 + 5000, result: 'HTTP 503' },
  ])
  for (const wait of [5000, 30_000]) {
    clock.now += wait
    await run()
  }
  expect(arrived).toEqual([b1.id, a1.id, a2.id])
})

test('retries take about three days, then the event is dead and the next one of its subject follows', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const [first, second] = [anEvent({ subject: 'a' }), anEvent({ subject: 'a' })]
  await storage.outbox.append([first, second])
  const attempted: string[] = []
  const deliver = async ({ id }: DurableEvent) => {
    attempted.push(id)
    if (id === first.id) throw new TypeError('geheim ☃')
    return OK
  }
  const { run } = start(storage, clock, { name: 'hook', to: 'operator', deliver })
  await run()
  for (const wait of RETRY_MS) {
    clock.now += wait
    await run()
  }
  const days = (clock.now - T0) / (24 * 60 * 60_000)
  expect(days).toBeGreaterThan(2.9)
  expect(days).toBeLessThan(3.1)
  expect(await storage.outbox.list({ id: first.id }, ALL)).toMatchObject([
    { state: 'dead', attempts: RETRY_MS.length + 1, result: 'TypeError' },
  ])
  clock.now += 10 * 60_000
  await run()
  expect(attempted.at(-1)).toBe(second.id)
})

test('a subscriber that accepts nothing is paused, and does not delay another one', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  await storage.outbox.append([
    ...Array.from({ length: 100 }, () => anEvent({ subscriber: 'down' })),
    ...Array.from({ length: 100 }, () => anEvent()),
  ])
  let attempts = 0
  const arrived = new Set<string>()
  const down = async () => {
    attempts++
    return FAILED
  }
  const up = async ({ id }: DurableEvent) => {
    arrived.add(id)
    return OK
  }
  const { run } = start(
    storage,
    clock,
    { name: 'down', to: 'operator', deliver: down },
    { name: 'hook', to: 'operator', deliver: up },
  )
  await run()
  expect(attempts).toBe(16)
  expect(arrived.size).toBe(100)
})

test('an event that is refused for good is dead at once, and neither pauses its subscriber nor delays the next one', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const [first, second] = [anEvent({ subject: 'a' }), anEvent({ subject: 'a' })]
  await storage.outbox.append([first, second])
  const deliver = async ({ id }: DurableEvent) =>
    id === first.id ? { isDelivered: false, isPermanent: true, result: 'SMTP 550' } : OK
  await start(storage, clock, { name: 'hook', to: 'operator', deliver }).run()
  expect(await storage.outbox.list({ id: first.id }, ALL)).toMatchObject([{ state: 'dead', result: 'SMTP 550' }])
  expect(await storage.outbox.list({ id: second.id }, ALL)).toMatchObject([{ state: 'delivered' }])
})

test('one process at a time delivers for a subscriber, and another one continues after it has stopped', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const arrived: string[] = []
  const subscriber = (process: string): OperatorChannel => ({
    name: 'hook',
    to: 'operator',
    deliver: async () => {
      arrived.push(process)
      return OK
    },
  })
  const [one, two] = [start(storage, clock, subscriber('one')), start(storage, clock, subscriber('two'))]
  await storage.outbox.append([anEvent()])
  await one.run()
  await storage.outbox.append([anEvent()])
  await two.run()
  expect(arrived).toEqual(['one'])
  await one.stop()
  clock.now += 5000
  await two.run()
  expect(arrived).toEqual(['one', 'two'])
})

test('while another process delivers, a process asks for the lease again, and does not look at the waiting events', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  let looks = 0
  const listDue: Storage['outbox']['listDue'] = (...args) => {
    looks++
    return storage.outbox.listDue(...args)
  }
  const lease = (until: number) =>
    storage.leases.acquire({ name: 'events:hook', holder: 'other', until, now: clock.now })
  await lease(T0 + 60_000)
  const arrived: string[] = []
  const subscriber: OperatorChannel = {
    name: 'hook',
    to: 'operator',
    deliver: async ({ id }) => {
      arrived.push(id)
      return OK
    },
  }
  const waiting = { ...storage, outbox: { ...storage.outbox, listDue } }
  const delivery = start(waiting, clock, subscriber)
  const events = [anEvent(), anEvent()]
  await storage.outbox.append(events)
  for (; clock.now < T0 + 60_000; clock.now += 1000) await delivery.run()
  expect(looks).toBe(0)
  expect(arrived).toEqual([])
  clock.now += 5000
  await delivery.run()
  expect(arrived).toEqual(events.map(({ id }) => id))
})

test('a target that hangs delays no other one, and one user has two of them at once', async () => {
  const storage = await openStorage()
  const clock = { now: T0 }
  const attempted: string[] = []
  const toTarget = (subscriber: string, isHanging: boolean): Target => ({
    subscriber,
    userId: subscriber.slice(0, -1),
    deliver: () => {
      attempted.push(subscriber)
      return isHanging ? new Promise(() => {}) : Promise.resolve(OK)
    },
  })
  const targets = [...['zoë1', 'zoë2', 'zoë3'].map((name) => toTarget(name, true)), toTarget('bob1', false)]
  const isWaiting = async ({ subscriber }: Target) => (await storage.outbox.countPending(subscriber, 1)) > 0
  const group: TargetGroup = {
    name: 'users',
    batch: 8,
    window: 8,
    drains: false,
    async *listTargets(_now, isReady) {
      for (const each of targets) if (isReady(each.subscriber) && (await isWaiting(each))) yield each
    },
  }
  const pace = createPace(() => clock.now)
  const delivery = startGroups(pace, storage, clock, [group])
  await storage.outbox.append(targets.map(({ subscriber }) => anEvent({ subscriber })))
  void delivery.run()
  await expect.poll(() => attempted.toSorted()).toEqual(['bob1', 'zoë1', 'zoë2'])
  await storage.outbox.append([anEvent({ subscriber: 'bob1' })])
  void delivery.run()
  await expect.poll(() => attempted.toSorted()).toEqual(['bob1', 'bob1', 'zoë1', 'zoë2'])
})

test('stop aborts running attempts, whose events stay pending without an attempt', async () => {
  const storage = await openStorage()
  await storage.outbox.append([anEvent()])
  let attempts = 0
  const deliver = (_: DurableEvent, signal: AbortSignal) => {
    attempts++
    return new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const delivery = start(storage, { now: T0 }, { name: 'hook', to: 'operator', deliver })
  const running = delivery.run()
  await expect.poll(() => attempts).toBe(1)
  await delivery.stop()
  await running
  expect(await storage.outbox.list({}, ALL)).toMatchObject([{ state: 'pending', attempts: 0 }])
})

/** An instance with a subscriber, and all that the subscriber received. */
async function startInstance(types?: OperatorChannel['types']) {
  const received: DurableEvent[] = []
  const deliver = async (event: DurableEvent) => {
    received.push(event)
    return OK
  }
  const subscriber: OperatorChannel = { name: 'test', to: 'operator', deliver, ...(types && { types }) }
  const plugin = definePlugin({
    contract: 1,
    name: 'subscriber',
    options: z.object({}),
    setup: () => ({ channels: [subscriber] }),
  })
  const app: TestApp = await testApp(memory, { plugins: [plugin as Plugin] })
  open.push(app.close)
  const server = createServer(app.handler)
  const api = (path: string, body: object) => request(server).post(`/api/v1${path}`).send(body)
  return { app, api, received }
}

const typesAndData = (received: DurableEvent[]) => received.map(({ type, data }) => [type, data])

test('a subscriber receives the life of a secret, without its text, key and password', async () => {
  const { app, api, received } = await startInstance()
  const text = 'geheimer Text ☃'
  const { body } = await api('/secret', { text, ttl: 60, maxViews: 2, password: 'pässwort' }).expect(201)
  const secretId = body.id.split('~')[0]
  await api(`/secret/${body.id}`, { password: 'falsch', claim: newClaim() }).expect(401)
  await api(`/secret/${body.id}`, { password: 'pässwort', claim: newClaim() }).expect(200)
  await api(`/secret/${body.id}`, { password: 'pässwort', claim: newClaim() }).expect(200)
  await app.background.delivery.run()
  const common = { secretId, ownerId: null, kind: 'raw', maxViews: 2, files: 0 }
  const owned = { secretId, ownerId: null, notify: false, createdAt: app.clock.now }
  expect(typesAndData(received)).toEqual([
    [
      'secret.created',
      { ...common, expiresAt: app.clock.now + 60_000, hasPassword: true, hasAllowedIp: false, notify: false },
    ],
    ['secret.password_wrong', { secretId, ownerId: null, attemptsLeft: 9 }],
    ['secret.viewed', { ...owned, views: 1, viewsLeft: 1, recipient: null }],
    ['secret.viewed', { ...owned, views: 2, viewsLeft: 0, recipient: null }],
    ['secret.burned', { ...owned, reason: 'last-view', views: 2 }],
  ])
  expect(JSON.stringify(received)).not.toMatch(new RegExp(`${text}|pässwort|${body.id.split('~')[1]}`))
})

test('a subscriber receives the life of a request, and whether its owner asked for notifications', async () => {
  const { app, api, received } = await startInstance()
  const owner = await app.signUp()
  const session = { ...(await app.as(owner)), ...OWN_PAGE }
  const note = { title: 'geheimer Titel ☃', instructions: 'geheime Anleitung ☃' }
  const { keys, body } = await createRequestKeys(note)
  const options = { ttl: 3600, maxSubmissions: 2, notify: true }
  const { id: requestId, expiresAt } = (
    await api('/request', { ...body, ...options })
      .set(session)
      .expect(201)
  ).body
  const submit = async () => {
    const draft = { ...keys, requestId, text: encodeText('geheimer Text ☃'), expiresAt }
    const { text } = await encryptSubmission(draft, body.recipient, app.clock.now)
    const sent = await api(`/request/${requestId}/submission`, { submit: keys.submitProof, text }).expect(201)
    return sent.body.id as string
  }
  const [first, second] = [await submit(), await submit()]
  await closeRequest(app, requestId, { collect: keys.collectProof }, anonymous('192.0.2.1'))
  await app.background.delivery.run()
  const common = { requestId, ownerId: owner.id, notify: true }
  const ofRequest = typesAndData(received).filter(([type]) => String(type).startsWith('request.'))
  expect(ofRequest).toEqual([
    ['request.created', { ...common, expiresAt, maxSubmissions: 2 }],
    ['request.submitted', { ...common, submissions: 1, submissionsLeft: 1, secretId: first, files: 0 }],
    ['request.submitted', { ...common, submissions: 2, submissionsLeft: 0, secretId: second, files: 0 }],
    ['request.fulfilled', { ...common, submissions: 2 }],
    ['request.closed', { ...common, burned: 2 }],
  ])
  for (const secretId of [first, second]) {
    const ofSecret = received.filter(({ data }) => 'secretId' in data && data.secretId === secretId)
    expect(ofSecret.map(({ type }) => type).sort()).toEqual(['request.submitted', 'secret.burned', 'secret.created'])
  }
  expect(JSON.stringify(received)).not.toMatch(/geheim|192\.0\.2|age1pq|AGE ENCRYPTED/)
})

test('a subscriber receives the event of a request that expired before it had all its submissions', async () => {
  const { app, api, received } = await startInstance(['request.expired'])
  const { id: ownerId, ...owner } = await app.signUp()
  const session = { ...(await app.as({ id: ownerId, ...owner })), ...OWN_PAGE }
  const create = async (maxSubmissions: number) => {
    const { keys, body } = await createRequestKeys(null)
    const created = await api('/request', { ...body, ttl: 60, maxSubmissions })
      .set(session)
      .expect(201)
    return { keys, recipient: body.recipient, requestId: created.body.id as string }
  }
  const [unanswered, partly, complete, closed] = [await create(1), await create(2), await create(1), await create(1)]
  for (const { requestId, recipient, keys } of [partly, complete]) {
    const draft = { ...keys, requestId, text: encodeText('geheimer Text ☃'), expiresAt: app.clock.now + 60_000 }
    const { text } = await encryptSubmission(draft, recipient, app.clock.now)
    await api(`/request/${requestId}/submission`, { submit: keys.submitProof, text }).expect(201)
  }
  await closeRequest(app, closed.requestId, { collect: closed.keys.collectProof }, anonymous(null))
  for (let time = 0; time < 2; time++) {
    app.clock.now += 60_000
    await app.background.cleanup.run()
    await app.background.delivery.run()
  }
  const common = { ownerId, notify: false, submissionsLeft: 1 }
  const expected = [
    ['request.expired', { ...common, requestId: unanswered.requestId, submissions: 0 }],
    ['request.expired', { ...common, requestId: partly.requestId, submissions: 1 }],
  ]
  expect(typesAndData(received)).toHaveLength(2)
  expect(typesAndData(received)).toEqual(expect.arrayContaining(expected))
})

test('a subscriber receives refused addresses, burned and expired secrets', async () => {
  const { app, api, received } = await startInstance([
    'secret.address_refused',
    'secret.burned',
    'secret.expired',
    'secret.locked',
  ])
  const create = async (differing: object = {}) =>
    (await api('/secret', { text: 'ö ☃', ttl: 60, ...differing }).expect(201)).body as { id: string; burnToken: string }
  const refused = await create({ allowedIp: '192.0.2.1' })
  await api(`/secret/${refused.id}`, { claim: newClaim() }).expect(404)
  const locked = await create({ password: 'pässwort', ttl: 3600 })
  for (let count = 0; count < 10; count++)
    await api(`/secret/${locked.id}`, { password: 'falsch', claim: newClaim() }).expect(401)
  app.clock.now += 60_000
  await app.background.cleanup.run()
  await app.background.delivery.run()
  const createdAt = app.clock.now - 60_000
  const id = (secret: { id: string }) => secret.id.split('~')[0]
  const owned = (secret: { id: string }) => ({ secretId: id(secret), ownerId: null, notify: false, createdAt })
  expect(typesAndData(received).sort()).toEqual([
    ['secret.address_refused', { secretId: id(refused), ownerId: null }],
    ['secret.expired', { ...owned(refused), views: 0 }],
    ['secret.locked', { ...owned(locked), lockedUntil: createdAt + 15 * 60_000 }],
  ])
})

test('without a subscriber nothing is stored, and ping reaches one subscriber only', async () => {
  const { app, api, received } = await startInstance(['user.created'])
  await api('/secret', { text: 'ö ☃', ttl: 60 }).expect(201)
  expect(await app.storage.outbox.list({}, ALL)).toEqual([])
  expect(await pingChannel(app, 'test')).toEqual(OK)
  expect(received).toMatchObject([{ type: 'ping', data: {} }])
  await expect(pingChannel(app, 'other')).rejects.toMatchObject({ code: 'request.invalid' })
})
