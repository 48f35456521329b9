/** The limit of waiting events: `DroppedEventStore`. */
import { beforeEach, expect, test } from 'vitest'
import type { DroppedEventStore, DroppedEvents } from '../../contracts/outbox.js'
import { anEvent, T0 } from '../lib/fixtures.js'
import type { Current } from './current-storage.js'
import { race } from './race.js'

const ALL = { skip: 0, take: 100 }
const NAME = 'webhook.grün'
const DELIVERED = { state: 'delivered', attempts: 1, nextAt: T0, endedAt: T0, result: 'HTTP 204' } as const

const dropped = (differing: Partial<DroppedEvents> = {}): DroppedEvents => ({
  ...{ count: 1, firstAt: T0, lastAt: T0, types: { 'secret.viewed': 1 } },
  ...differing,
})

export function droppedEventContract(current: Current): void {
  let store: DroppedEventStore
  beforeEach(({ skip }) => {
    const { droppedEvents } = current()
    if (!droppedEvents) return skip('the storage does not limit events')
    store = droppedEvents
  })
  const summaries = async (subscriber = NAME) =>
    (await current().outbox.list({ subscriber }, ALL)).filter(({ type }) => type === 'events.dropped')
  const deliver = (...ids: string[]) => current().outbox.recordAttempts(ids.map((id) => ({ id, ...DELIVERED })))

  test('countPending counts pending events of one subscriber, up to the maximum', async () => {
    const events = Array.from({ length: 5 }, () => anEvent({ subscriber: NAME }))
    await current().outbox.append([...events, anEvent({ subscriber: 'other' })])
    await deliver(events[0]?.id ?? '')
    await store.add(NAME, dropped())
    expect(await store.countPending(NAME, 100)).toBe(4)
    expect(await store.countPending(NAME, 4)).toBe(4)
    expect(await store.countPending(NAME, 3)).toBe(3)
    expect(await store.countPending('none', 3)).toBe(0)
  })

  test('add sums counts by type in one summary for each subscriber, which is not due', async () => {
    await store.add(NAME, dropped({ count: 0, types: {} }))
    await store.add(NAME, dropped({ count: 3, lastAt: T0 + 9, types: { 'secret.viewed': 2, 'secret.burned': 1 } }))
    await store.add(NAME, dropped({ firstAt: T0 - 5, lastAt: T0 - 5 }))
    await store.add('other', dropped())
    const [summary, ...more] = await summaries()
    expect(more).toEqual([])
    expect(summary).toMatchObject({ state: 'counting', subject: `subscriber:${NAME}`, attempts: 0, endedAt: null })
    expect(JSON.parse(summary?.data ?? '')).toEqual({
      ...{ count: 4, firstAt: T0 - 5, lastAt: T0 + 9, types: { 'secret.viewed': 3, 'secret.burned': 1 } },
    })
    expect(await current().outbox.listDue(NAME, T0 + 1000, 10)).toEqual([])
    expect(await summaries('other')).toHaveLength(1)
  })

  test('add loses nothing when several callers add and release at once', async () => {
    const released = await race(20, async (index) => {
      await store.add(NAME, dropped())
      return store.release(NAME, `evt_${index}`, T0 + 100, T0)
    })
    const all = await summaries()
    expect(all.reduce((sum, { data }) => sum + JSON.parse(data).count, 0)).toBe(20)
    expect(all.filter(({ state }) => state === 'pending')).toHaveLength(
      released.filter((outcome) => outcome === 'released').length,
    )
  })

  test('of several concurrent callers one releases a summary', async () => {
    await store.add(NAME, dropped())
    const released = await race(10, (index) => store.release(NAME, `evt_${index}`, T0 + 100, T0))
    expect(released.filter((outcome) => outcome === 'released')).toHaveLength(1)
    expect(await summaries()).toHaveLength(1)
  })

  test('release waits for quiet and for the events before, then the summary is due with the given id', async () => {
    const [before, after] = [
      anEvent({ subscriber: NAME, createdAt: T0 }),
      anEvent({ subscriber: NAME, createdAt: T0 + 10 }),
    ]
    await current().outbox.append([before, after, anEvent({ subscriber: 'other' })])
    expect(await store.release(NAME, 'evt_1', T0 + 100, T0 + 50)).toBe('none')
    await store.add(NAME, dropped({ lastAt: T0 + 5 }))
    expect(await store.release(NAME, 'evt_1', T0 + 100, T0 + 50)).toBe('counting')
    await deliver(before.id)
    expect(await store.release(NAME, 'evt_1', T0 + 100, T0 + 4)).toBe('counting')
    expect(await store.release(NAME, 'evt_1', T0 + 100, T0 + 5)).toBe('released')
    expect(await store.release(NAME, 'evt_2', T0 + 100, T0 + 50)).toBe('none')
    const due = await current().outbox.listDue(NAME, T0 + 100, 10)
    expect(due.map(({ id }) => id).sort()).toEqual([after.id, 'evt_1'].sort())
    expect(due.find(({ id }) => id === 'evt_1')).toMatchObject({
      ...{ state: 'pending', type: 'events.dropped', createdAt: T0 + 100, nextAt: T0 + 100, attempts: 0 },
    })
    await store.add(NAME, dropped())
    expect((await summaries()).map(({ state }) => state).sort()).toEqual(['counting', 'pending'])
  })

  test('redeliver leaves a summary that is counting as it is, and purge deletes it', async () => {
    await store.add(NAME, dropped())
    expect(await current().outbox.redeliver({ subscriber: NAME }, T0)).toBe(0)
    expect(await summaries()).toMatchObject([{ state: 'counting' }])
    expect(await current().outbox.list({ state: 'counting' }, ALL)).toHaveLength(1)
    expect(await current().outbox.purge({ subscriber: NAME }, 10)).toBe(1)
    expect(await store.release(NAME, 'evt_1', T0 + 100, T0 + 50)).toBe('none')
  })
}
