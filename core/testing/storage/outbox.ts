import { expect, test } from 'vitest'
import type { OutboxEvent } from '../../contracts/outbox.js'
import type { Storage } from '../../contracts/storage.js'
import { aHash, anEvent, aSecret, aToken, aUser, MINUTE, T0 } from '../lib/fixtures.js'
import { createSecret } from '../lib/stored-fixtures.js'
import { race } from './race.js'

const ALL = { skip: 0, take: 100 }

/** The events of changes. */
export function outboxWriteContract(storage: Storage): void {
  const { secrets, outbox, users, tokens } = storage

  const stored = async () => (await outbox.list({}, ALL)).map(({ id }) => id).reverse()

  test('create stores its events, and none if it stores no secret', async () => {
    const secret = aSecret()
    const [one, two, three] = [anEvent(), anEvent(), anEvent()]
    const record = { keyHash: aHash(), response: 'erste ☃', expiresAt: T0 + MINUTE }
    await secrets.create({ secret, now: T0, record, files: [], events: [one, two] })
    await secrets.create({ secret: aSecret(), now: T0, record, files: [], events: [three] })
    await expect(secrets.create({ secret, now: T0, files: [], events: [three] })).rejects.toMatchObject({
      code: 'storage.conflict',
    })
    expect(await stored()).toEqual([one.id, two.id])
  })

  test('concurrent creates, each with its events, store all of them', async () => {
    const events = Array.from({ length: 20 }, () => anEvent())
    await race(20, (at) =>
      secrets.create({ secret: aSecret(), now: T0, files: [], events: [events[at] as OutboxEvent] }),
    )
    expect((await stored()).sort()).toEqual(events.map(({ id }) => id).sort())
  })

  test('view stores the events of counted views only, in their order, and shows the views so far', async () => {
    const secret = await createSecret(secrets, { maxViews: 2 })
    const view = (claim: string, authorize = () => true) =>
      secrets.view({
        id: secret.id,
        claimHash: claim,
        now: T0,
        graceMs: MINUTE,
        authorize,
        toEvents: ({ id, views }) => [anEvent({ subject: id, data: JSON.stringify({ views, text: 'ö ☃' }) })],
      })
    const [first, second] = [aHash(), aHash()]
    await view(first, () => false)
    expect(await view(first)).toMatchObject({ counted: true, text: secret.text })
    expect(await view(first)).toMatchObject({ counted: false })
    await view(second)
    await view(aHash())
    const entries = (await outbox.list({}, ALL)).reverse()
    expect(entries.map(({ data }) => JSON.parse(data))).toEqual([
      { views: 1, text: 'ö ☃' },
      { views: 2, text: 'ö ☃' },
    ])
  })

  test('burn, wrong passwords and expiry store their events once', async () => {
    const burned = aSecret()
    const expired = aSecret({ passwordHash: aHash(), maxViews: 5 })
    for (const secret of [burned, expired]) await secrets.create({ secret, now: T0 })
    const [burn, again, wrong, gone] = [anEvent(), anEvent(), anEvent(), anEvent()]
    await secrets.burn({ id: burned.id, now: T0, events: [burn] })
    await secrets.burn({ id: burned.id, now: T0, events: [again] })
    await secrets.recordWrongPassword({
      id: expired.id,
      now: T0,
      lockMs: MINUTE,
      toEvents: ({ attemptsLeft }) => (attemptsLeft === 9 ? [wrong] : [again]),
    })
    await secrets.deleteExpired({
      now: expired.expiresAt,
      limit: 10,
      toEvents: ({ id }) => (id === expired.id ? [gone] : [again]),
    })
    expect(await secrets.deleteExpired({ now: expired.expiresAt, limit: 10, toEvents: () => [again] })).toEqual([])
    expect(await stored()).toEqual([burn.id, wrong.id, gone.id])
  })

  test('changes of users and tokens store their events, and failed changes none', async () => {
    const user = aUser()
    const token = aToken({ userId: user.id })
    const [created, made, removed, deleted, none] = [anEvent(), anEvent(), anEvent(), anEvent(), anEvent()]
    await users.create(user, { events: [created] })
    await expect(users.create(user, { events: [none] })).rejects.toMatchObject({ code: 'storage.conflict' })
    await tokens.create({ token, max: 1, now: T0, events: [made] })
    await expect(
      tokens.create({ token: aToken({ userId: user.id }), max: 1, now: T0, events: [none] }),
    ).rejects.toMatchObject({
      code: 'storage.conflict',
    })
    expect(await tokens.remove(token.id, user.id, [removed])).toBe(true)
    expect(await tokens.remove(token.id, user.id, [none])).toBe(false)
    expect(await users.remove(user.id, T0, [deleted])).toBe(true)
    expect(await users.remove(user.id, T0, [none])).toBe(false)
    expect(await stored()).toEqual([created, made, removed, deleted].map(({ id }) => id))
  })
}

/** The delivery of stored events. */
export function outboxContract({ outbox }: Storage): void {
  test('listDue returns the oldest pending event of each subject, for one subscriber, when its time has come', async () => {
    const [a1, a2, b1] = [anEvent({ subject: 'A' }), anEvent({ subject: 'A' }), anEvent({ subject: 'B' })]
    const [c1, other] = [anEvent({ subject: 'a' }), anEvent({ subject: 'A', subscriber: 'other' })]
    await outbox.append([a1, a2, b1, c1, other])
    const due = async (now = T0) => (await outbox.listDue('hook', now, 10)).map(({ id }) => id)
    expect(await due(T0 - 1)).toEqual([])
    expect(await due()).toEqual([a1.id, b1.id, c1.id])
    expect((await outbox.listDue('hook', T0, 1))[0]).toEqual({
      ...a1,
      state: 'pending',
      attempts: 0,
      nextAt: T0,
      endedAt: null,
      result: null,
    })
    const retry = { state: 'pending', attempts: 1, nextAt: T0 + 5, endedAt: null, result: 'HTTP 500 ☃' } as const
    const delivered = { state: 'delivered', attempts: 1, nextAt: T0, endedAt: T0, result: 'HTTP 204' } as const
    await outbox.recordAttempts([
      { id: a1.id, ...retry },
      { id: b1.id, ...delivered },
    ])
    // A later event waits for the retry of an earlier one.
    expect(await due()).toEqual([c1.id])
    expect(await due(T0 + 5)).toEqual([a1.id, c1.id])
    await outbox.recordAttempts([{ id: a1.id, ...delivered, state: 'dead' }])
    expect(await due(T0 + 5)).toEqual([a2.id, c1.id])
    await outbox.recordAttempts([{ id: b1.id, ...retry }])
    expect(await outbox.list({ id: b1.id }, ALL)).toMatchObject([delivered])
  })

  test('an event for a full queue is dead from the start, and does not block later events', async () => {
    const [full, next] = [anEvent({ subject: 'ä', isQueueFull: true }), anEvent({ subject: 'ä' })]
    await outbox.append([full, anEvent({ subject: 'ä', subscriber: 'other' }), next])
    expect((await outbox.listDue('hook', T0, 10)).map(({ id }) => id)).toEqual([next.id])
    const dead = await outbox.list({ state: 'dead', result: 'queue full' }, ALL)
    expect(dead).toMatchObject([{ id: full.id, attempts: 0, endedAt: T0, result: 'queue full' }])
    expect(await outbox.list({ state: 'dead', result: 'HTTP 503' }, ALL)).toEqual([])
  })

  test('countPending counts pending events of one subscriber, up to the maximum', async () => {
    const [ended, ...waiting] = Array.from({ length: 5 }, () => anEvent())
    await outbox.append([ended as OutboxEvent, ...waiting, anEvent({ subscriber: 'other' })])
    await outbox.append([anEvent({ isQueueFull: true })])
    const delivered = { state: 'delivered', attempts: 1, nextAt: T0, endedAt: T0, result: 'HTTP 204' } as const
    await outbox.recordAttempts([{ id: ended?.id ?? '', ...delivered }])
    expect(await outbox.countPending('hook', 100)).toBe(4)
    expect(await outbox.countPending('hook', 3)).toBe(3)
    expect(await outbox.countPending('none', 3)).toBe(0)
  })

  test('list filters, and returns the newest first in pages', async () => {
    const events = Array.from({ length: 5 }, (_, at) => anEvent({ createdAt: T0 + at }))
    await outbox.append([...events, anEvent({ subscriber: 'other', createdAt: T0 })])
    const ids = async (...list: Parameters<typeof outbox.list>) => (await outbox.list(...list)).map(({ id }) => id)
    const newest = events.map(({ id }) => id).reverse()
    expect(await ids({ subscriber: 'hook' }, ALL)).toEqual(newest)
    expect(await ids({ subscriber: 'hook' }, { skip: 1, take: 2 })).toEqual(newest.slice(1, 3))
    expect(await ids({ subscriber: 'hook', before: T0 + 2 }, ALL)).toEqual(newest.slice(3))
    expect(await ids({ state: 'dead' }, ALL)).toEqual([])
  })

  test('recordAttempts replaces the data of an event, or deletes it', async () => {
    const events = Array.from({ length: 3 }, () => anEvent())
    await outbox.append(events)
    const [first, second] = events.map(({ id }) => id)
    const ended = { attempts: 1, nextAt: T0, endedAt: T0, result: 'ü ☃' }
    await outbox.recordAttempts([
      { id: first ?? '', state: 'dead', ...ended, data: '{"ü":"☃"}' },
      { id: second ?? '', state: 'delivered', ...ended, data: null },
    ])
    const left = await outbox.list({}, ALL)
    expect(left).toHaveLength(2)
    expect(left.find(({ id }) => id === first)).toMatchObject({ state: 'dead', data: '{"ü":"☃"}' })
    expect(left.find(({ id }) => id === second)).toBeUndefined()
    expect(left[0]).toMatchObject({ state: 'pending', data: events[2]?.data })
    expect(await outbox.purge({ type: 'secret.code_requested' }, 10)).toBe(0)
    expect(await outbox.purge({ type: events[2]?.type as OutboxEvent['type'], state: 'pending' }, 10)).toBe(1)
  })

  test('redeliver makes ended events pending, and purge deletes up to the limit', async () => {
    const events = Array.from({ length: 3 }, () => anEvent())
    await outbox.append(events)
    const dead = { state: 'dead', attempts: 13, nextAt: T0, endedAt: T0, result: null } as const
    await outbox.recordAttempts(events.map(({ id }) => ({ id, ...dead })))
    expect(await outbox.redeliver({ id: events[1]?.id ?? '', state: 'dead' }, T0 + 9)).toBe(1)
    expect(await outbox.listDue('hook', T0 + 8, 10)).toEqual([])
    expect(await outbox.listDue('hook', T0 + 9, 10)).toMatchObject([{ id: events[1]?.id, attempts: 0, endedAt: null }])
    expect(await outbox.purge({ state: 'dead' }, 1)).toBe(1)
    expect(await outbox.purge({ state: 'dead', before: T0 }, 10)).toBe(0)
    expect(await outbox.purge({ state: 'dead' }, 10)).toBe(1)
    expect(await outbox.list({}, ALL)).toHaveLength(1)
  })
}
