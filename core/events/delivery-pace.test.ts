import { expect, test } from 'vitest'
import { T0 } from '#core/testing'
import type { Subscriber } from '../contracts/channels.js'
import { createPace, createWait } from './delivery-pace.js'
import { createEvents } from './durable-events.js'
import type { EventLimit } from './event-limit.js'
import { NO_USER_WEBHOOKS } from './user-webhook-index.js'

function startPace() {
  const clock = { now: T0 }
  const pace = createPace(() => clock.now)
  return { clock, pace, wait: createWait(pace, () => clock.now) }
}

test('a few events per second never wait', () => {
  const { clock, pace, wait } = startPace()
  for (let second = 0; second < 20; second++, clock.now += 1000) {
    pace.add(49)
    expect(wait.mustWait()).toBe(false)
  }
})

test('events wait while many are stored, and a second longer', () => {
  const { clock, pace, wait } = startPace()
  for (let each = 0; each < 50; each++) pace.add(1)
  expect(wait.mustWait()).toBe(true)
  clock.now = T0 + 1999
  expect(wait.mustWait()).toBe(true)
  clock.now = T0 + 2000
  expect(wait.mustWait()).toBe(false)
})

/** Stores many events in each of the next seconds. */
function passBusy({ clock, pace }: ReturnType<typeof startPace>, seconds: number) {
  for (let second = 0; second < seconds; second++) {
    clock.now += 1000
    pace.add(100)
  }
}

test('a wait of ten seconds is over until nothing is left to deliver, and then begins anew', () => {
  const started = startPace()
  const { clock, pace, wait } = started
  pace.add(100)
  expect(wait.mustWait()).toBe(true)
  passBusy(started, 9)
  clock.now += 999
  expect(wait.mustWait()).toBe(true)
  clock.now += 1
  expect(wait.mustWait()).toBe(false)
  passBusy(started, 5)
  expect(wait.mustWait()).toBe(false)
  wait.end()
  expect(wait.mustWait()).toBe(true)
  passBusy(started, 9)
  expect(wait.mustWait()).toBe(true)
  passBusy(started, 1)
  expect(wait.mustWait()).toBe(false)
})

test('a wait begins anew after the process was idle', () => {
  const started = startPace()
  const { clock, pace, wait } = started
  pace.add(100)
  expect(wait.mustWait()).toBe(true)
  clock.now += 9000
  expect(wait.mustWait()).toBe(false)
  passBusy(started, 1)
  expect(wait.mustWait()).toBe(true)
  passBusy(started, 9)
  expect(wait.mustWait()).toBe(true)
})

test('events count once for each subscriber that wants them', async () => {
  const { clock, pace } = startPace()
  const deliver = async () => ({ isDelivered: true, result: 'HTTP 204' })
  const subscribers: Subscriber[] = [
    { name: 'a', deliver },
    { name: 'b', deliver },
    { name: 'c', deliver, types: ['user.deleted'] },
  ]
  const eventLimit: EventLimit = { admit: () => 'pending', queues: () => [], run: async () => {}, stop: async () => {} }
  const context = {
    channels: { operators: [], mail: [], webhooks: null, subscribers },
    webhooks: NO_USER_WEBHOOKS,
    background: { eventLimit, pace },
    now: () => clock.now,
  }
  const create = () => createEvents(context, [{ name: 'user.created', data: { userId: 'ö', provider: 'ö' } }])
  for (let each = 0; each < 24; each++) create()
  expect(pace.isBusy()).toBe(false)
  create()
  expect(pace.isBusy()).toBe(true)
})
