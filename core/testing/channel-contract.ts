/** Tests of the requirements of channels to the operator in core/contracts/channels.ts. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OperatorChannel } from '../contracts/channels.js'
import type { DeliveryOutcome, DurableEvent, DurableEventType } from '../contracts/outbox.js'
import { anId, T0 } from './lib/fixtures.js'

export interface OpenedChannel {
  channel: OperatorChannel
  /** Ids of the events that have arrived at the receiver so far, in order. */
  readIds(): Promise<string[]> | string[]
  /** Makes the receiver unavailable. Leave it out when that is not possible. */
  breakReceiver?(): Promise<void> | void
  /** Makes the receiver available again. */
  repairReceiver?(): Promise<void> | void
  /** Makes the receiver accept requests without a response. Leave it out when that is not possible. */
  hangReceiver?(): Promise<void> | void
  close(): Promise<void>
}

const OWNED = { secretId: 'A'.repeat(22), ownerId: null, notify: true, createdAt: T0 }

/** An event of each type. */
const DATA: { [Type in DurableEventType]: Extract<DurableEvent, { type: Type }>['data'] } = {
  'secret.created': {
    secretId: 'A'.repeat(22),
    ownerId: null,
    kind: 'sealed',
    expiresAt: T0,
    maxViews: null,
    files: 0,
    hasPassword: true,
    hasAllowedIp: false,
    notify: true,
  },
  'secret.viewed': { ...OWNED, views: 1, viewsLeft: 0, recipient: null },
  'secret.burned': { ...OWNED, reason: 'request', views: 0 },
  'secret.expired': { ...OWNED, views: 0 },
  'secret.password_wrong': { secretId: 'A'.repeat(22), ownerId: null, attemptsLeft: 9 },
  'secret.code_requested': {
    secretId: 'A'.repeat(22),
    ownerId: null,
    recipient: 1,
    address: 'A'.repeat(60),
    language: 'de',
  },
  'secret.code_wrong': { secretId: 'A'.repeat(22), ownerId: null, attemptsLeft: 9 },
  'secret.locked': { ...OWNED, lockedUntil: T0 },
  'secret.address_refused': { secretId: 'A'.repeat(22), ownerId: null },
  'request.created': { requestId: 'A'.repeat(22), ownerId: null, expiresAt: T0, maxSubmissions: 1, notify: true },
  'request.submitted': {
    requestId: 'A'.repeat(22),
    ownerId: null,
    secretId: 'B'.repeat(22),
    submissions: 1,
    submissionsLeft: 0,
    files: 0,
    notify: true,
  },
  'request.fulfilled': { requestId: 'A'.repeat(22), ownerId: null, submissions: 1, notify: true },
  'request.expired': {
    requestId: 'A'.repeat(22),
    ownerId: null,
    submissions: 0,
    submissionsLeft: 1,
    notify: true,
  },
  'request.closed': { requestId: 'A'.repeat(22), ownerId: null, burned: 0, notify: true },
  'user.created': { userId: 'A'.repeat(22), provider: 'local' },
  'user.deleted': { userId: 'A'.repeat(22) },
  'user.suspended': { userId: 'A'.repeat(22) },
  'user.resumed': { userId: 'A'.repeat(22) },
  'user.security_changed': { userId: 'A'.repeat(22), change: 'password', recipient: null },
  'user.reset_requested': { userId: 'A'.repeat(22), language: 'pt-BR', epoch: 0 },
  'user.verification_requested': { userId: 'A'.repeat(22), language: null, epoch: 0 },
  'user.new_device': { userId: 'A'.repeat(22), network: '192.0.2.0/24', program: 'Firefox', language: 'de' },
  'token.created': { tokenId: '0a1b2c3d', userId: 'A'.repeat(22), expiresAt: T0 },
  'token.deleted': { tokenId: '0a1b2c3d', userId: 'A'.repeat(22) },
  ping: {},
}
const ALL_TYPES = Object.keys(DATA) as DurableEventType[]
const ARRIVAL = { timeout: 10_000, interval: 20 }
/** Time limit in ms for the end of a delivery whose signal was aborted. */
const ABORT_MS = 2000

/** Call it in a test file of your plugin, under vitest. `open` returns a channel with its own, empty receiver. */
export function channelContract(open: () => Promise<OpenedChannel>): void {
  let opened: OpenedChannel
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.close())
  const createEvent = (type = opened.channel.types?.[0] ?? 'secret.viewed') =>
    ({ id: `evt_${anId()}`, type, at: T0, data: DATA[type] }) as DurableEvent
  const deliver = (event: DurableEvent, signal = new AbortController().signal) => opened.channel.deliver(event, signal)
  const expectArrived = (ids: string[]) =>
    vi.waitFor(async () => expect([...new Set(await opened.readIds())].sort()).toEqual([...ids].sort()), ARRIVAL)

  test('channel has a valid name and known types', () => {
    const { name, types } = opened.channel
    expect(name).toMatch(/^[a-z0-9]+([.-][a-z0-9]+)*$/)
    expect(name.length).toBeLessThanOrEqual(56)
    if (types) expect(ALL_TYPES).toEqual(expect.arrayContaining(types))
  })

  test('deliver delivers an event of every type', async () => {
    const events = (opened.channel.types ?? ALL_TYPES).map(createEvent)
    for (const event of events) expect(await deliver(event)).toMatchObject({ isDelivered: true })
    await expectArrived(events.map(({ id }) => id))
  })

  test('deliver accepts an event that it has delivered before', async () => {
    const event = createEvent()
    expect(await deliver(event)).toMatchObject({ isDelivered: true })
    expect(await deliver(event)).toMatchObject({ isDelivered: true })
    await expectArrived([event.id])
  })

  test('deliver runs for several events at once', async () => {
    const events = Array.from({ length: 20 }, () => createEvent())
    const outcomes = await Promise.all(events.map((event) => deliver(event)))
    expect(outcomes.every(({ isDelivered }) => isDelivered)).toBe(true)
    await expectArrived(events.map(({ id }) => id))
  })

  test('deliver fails while the receiver is unavailable, and succeeds afterwards', async ({ skip }) => {
    const { breakReceiver, repairReceiver } = opened
    if (!breakReceiver || !repairReceiver) return skip('the receiver is always available')
    await breakReceiver()
    const event = createEvent()
    expect(await settle(deliver(event))).toMatchObject({ isDelivered: false })
    await repairReceiver()
    await vi.waitFor(async () => expect(await deliver(event)).toMatchObject({ isDelivered: true }), ARRIVAL)
    await expectArrived([event.id])
  })

  test('deliver ends soon after its signal is aborted', async ({ skip }) => {
    if (!opened.hangReceiver) return skip('the receiver always responds')
    await opened.hangReceiver()
    const abort = new AbortController()
    const delivery = settle(deliver(createEvent(), abort.signal))
    const startedAt = performance.now()
    abort.abort()
    expect(await delivery).toMatchObject({ isDelivered: false })
    expect(performance.now() - startedAt).toBeLessThan(ABORT_MS)
  })

  test('the result of a delivery is short', async () => {
    const { result } = await deliver(createEvent())
    expect(result.length).toBeGreaterThan(0)
    expect(result.length).toBeLessThanOrEqual(255)
  })
}

/** An error counts as not delivered. */
const settle = (delivery: Promise<DeliveryOutcome>): Promise<DeliveryOutcome> =>
  delivery.catch((error: Error) => ({ isDelivered: false, result: error.name }))
