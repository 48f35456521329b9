import { expect, test } from 'vitest'
import type { Storage } from '../../contracts/storage.js'
import type { UserWebhookStore } from '../../contracts/user-webhooks.js'
import { anEvent, aSession, aWebhook, T0 } from '../lib/fixtures.js'
import { createUser } from '../lib/stored-fixtures.js'
import { race } from './race.js'

const ALL = { skip: 0, take: 100 }
const MAX = 5

export function userWebhookContract(storage: Storage): void {
  const { userWebhooks, users, sessions, outbox } = storage

  /** A user with a webhook. */
  async function open() {
    const user = await createUser(users)
    const webhook = aWebhook({ userId: user.id })
    await userWebhooks.create(webhook, MAX)
    return { store: userWebhooks, user, webhook, subscriber: `user:${webhook.id}` }
  }

  test('get and list return webhooks as they were created, newest first, of one user only', async () => {
    const [opened, other] = [await open(), await open()]
    const { store, user, webhook } = opened
    const rotated = { previousSecret: 'vorher', previousUntil: T0 + 3, failingSince: T0 + 2 }
    const newer = aWebhook({ userId: user.id, createdAt: T0 + 1, types: [], ...rotated })
    await store.create(newer, MAX)
    expect(await store.list(user.id)).toEqual([newer, webhook])
    expect(await store.get(newer.id)).toEqual(newer)
    expect(await store.get(other.webhook.id)).toEqual(other.webhook)
    expect(await store.get('0'.repeat(32))).toBeNull()
  })

  test('create refuses an unknown user, an existing id, and more than the maximum under concurrency', async () => {
    const opened = await open()
    const { store, user, webhook } = opened
    const create = (differing: object) => store.create(aWebhook({ userId: user.id, ...differing }), MAX)
    await expect(create({ userId: 'unknown' })).rejects.toMatchObject({ code: 'user.not_found' })
    await expect(create({ id: webhook.id })).rejects.toMatchObject({ code: 'storage.conflict' })
    const created = await race(8, () =>
      create({}).then(
        () => true,
        () => false,
      ),
    )
    expect(created.filter(Boolean)).toHaveLength(MAX - 1)
    expect(await store.list(user.id)).toHaveLength(MAX)
  })

  test('create fails after the session was ended, and with a session of another user', async () => {
    const [opened, other] = [await open(), await open()]
    const { store, user, webhook } = opened
    const [session, foreign] = [aSession({ userId: user.id }), aSession({ userId: other.user.id })]
    for (const one of [session, foreign]) await sessions.open(one, 20, T0)
    const newer = aWebhook({ userId: user.id, createdAt: T0 + 1 })
    await store.create(newer, MAX, session.id)
    await users.update(user.id, {}, { endSessions: {} })
    for (const { id } of [session, foreign])
      await expect(store.create(aWebhook({ userId: user.id }), MAX, id)).rejects.toMatchObject({
        code: 'auth.required',
      })
    expect(await store.list(user.id)).toEqual([newer, webhook])
  })

  test('update changes the given fields only, and nothing of another user', async () => {
    const [opened, other] = [await open(), await open()]
    const { store, user, webhook } = opened
    const renamed = { ...webhook, name: 'Zweiter ☃', types: [] }
    expect(await store.update(webhook.id, user.id, { name: 'Zweiter ☃', types: [] })).toEqual(renamed)
    const rotated = { secret: 'neu', previousSecret: webhook.secret, previousUntil: T0 + 9, failingSince: T0 }
    expect(await store.update(webhook.id, user.id, rotated)).toEqual({ ...renamed, ...rotated })
    const reset = { previousSecret: null, previousUntil: null, failingSince: null }
    expect(await store.update(webhook.id, user.id, reset)).toEqual({ ...renamed, secret: 'neu' })
    expect(await store.update(webhook.id, user.id, {})).toEqual({ ...renamed, secret: 'neu' })
    expect(await store.update(webhook.id, other.user.id, { name: 'fremd' })).toBeNull()
    expect(await store.get(webhook.id)).toEqual({ ...renamed, secret: 'neu' })
  })

  test('remove deletes a webhook with its events, once, and nothing of another user', async () => {
    const [opened, other] = [await open(), await open()]
    const { store, user, webhook } = opened
    const [own, foreign] = [anEvent({ subscriber: opened.subscriber }), anEvent({ subscriber: other.subscriber })]
    await outbox.append([own, foreign])
    expect(await store.remove(webhook.id, other.user.id)).toBe(false)
    const removed = await race(3, () => store.remove(webhook.id, user.id))
    expect(removed.filter(Boolean)).toHaveLength(1)
    expect(await store.get(webhook.id)).toBeNull()
    expect((await outbox.list({}, ALL)).map(({ id }) => id)).toEqual([foreign.id])
  })

  test('the webhooks of a deleted user end with their events', async () => {
    const [opened, other] = [await open(), await open()]
    const { store, user, webhook } = opened
    const foreign = anEvent({ subscriber: other.subscriber })
    await outbox.append([anEvent({ subscriber: opened.subscriber }), foreign])
    await users.remove(user.id, T0)
    expect(await store.get(webhook.id)).toBeNull()
    expect(await store.listTargets()).toMatchObject([{ id: other.webhook.id }])
    expect((await outbox.list({}, ALL)).map(({ id }) => id)).toEqual([foreign.id])
  })

  dueContract(storage, open)
}

type Open = () => Promise<{
  store: UserWebhookStore
  webhook: { id: string; userId: string }
  subscriber: string
}>

function dueContract({ outbox }: Storage, open: Open): void {
  test('listTargets counts pending events, and listDue returns webhooks whose time has come', async () => {
    const [opened, other, idle] = [await open(), await open(), await open()]
    const { store, subscriber, webhook } = opened
    const delivered = anEvent({ subscriber })
    const later = anEvent({ subscriber: other.subscriber, createdAt: T0 + 1 })
    await outbox.append([delivered, anEvent({ subscriber }), anEvent({ subscriber }), later, anEvent()])
    const update = { attempts: 1, nextAt: T0, endedAt: T0, result: 'HTTP 204' }
    await outbox.recordAttempts([{ id: delivered.id, state: 'delivered', ...update }])
    const targets = new Map((await store.listTargets()).map(({ id, ...target }) => [id, target]))
    expect(targets.size).toBe(3)
    expect(targets.get(webhook.id)).toEqual({ userId: webhook.userId, types: ['secret.viewed'], waiting: 2 })
    expect(targets.get(idle.webhook.id)).toMatchObject({ waiting: 0 })
    expect(await store.listDue(T0)).toEqual([webhook.id])
    expect((await store.listDue(T0 + 1)).sort()).toEqual([webhook.id, other.webhook.id].sort())
  })

  test('deleteOrphanedEvents deletes pending events of webhooks that do not exist, and no others', async () => {
    const opened = await open()
    const { store, subscriber } = opened
    const orphaned = ['user:gone', 'user:gone', 'user:other'].map((gone) => anEvent({ subscriber: gone }))
    const kept = [anEvent({ subscriber }), anEvent({ subscriber: 'users' })]
    await outbox.append([...orphaned, ...kept])
    expect(await store.deleteOrphanedEvents(2)).toBe(2)
    expect(await store.deleteOrphanedEvents(2)).toBe(1)
    expect(await store.deleteOrphanedEvents(2)).toBe(0)
    expect((await outbox.list({}, ALL)).map(({ id }) => id).sort()).toEqual(kept.map(({ id }) => id).sort())
  })
}
