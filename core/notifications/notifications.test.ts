/** Notifications over HTTP: their content and language, and how users turn them off. */
import { createServer, type Server } from 'node:http'
import request from 'supertest'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Notification } from '#core/contracts/notifications'
import type { Plugin } from '#core/plugins/plugin'
import { newClaim } from '#shared/crypto/keys'
import { OWN_PAGE } from '#test/for-each-storage'
import { memory } from '#test/memory-plugin'
import { recordingNotifier } from '#test/recording-notifier'
import { type TestApp, type TestUser, testApp } from '#test/test-app'
import { sendTestNotification } from './notification-settings.js'
import { isWorthNotifying } from './to-notification.js'

const ALL = { skip: 0, take: 100 }

const { notifier, sent } = recordingNotifier()
let app: TestApp
let server: Server
let owner: TestUser
let session: Record<string, string>

const storage = memory

async function start(plugins: Plugin[]): Promise<void> {
  app = await testApp(storage, { plugins })
  server = createServer(app.handler)
  owner = await app.signUp({ emailVerified: 1 })
  session = { ...(await app.as(owner)), ...OWN_PAGE }
}

beforeEach(async () => {
  sent.splice(0)
  await start([notifier])
})
afterEach(() => app.close())

const post = (path: string, body?: object, headers: Record<string, string> = {}) =>
  request(server).post(`/api/v1${path}`).set(headers).send(body)

async function create(differing: object = {}, headers: Record<string, string> = session): Promise<string> {
  const body = { text: 'ö ☃', ttl: 60, notify: true, ...differing }
  return (await post('/secret', body, headers).expect(201)).body.id
}

const view = (id: string, status = 200) => post(`/secret/${id}`, { claim: newClaim() }).expect(status)

async function deliver(): Promise<Notification[]> {
  await app.background.delivery.run()
  return sent.splice(0)
}

test('SEC-32: the owner of a secret is notified of each view, without any part of the link but the id', async () => {
  const id = await create({ maxViews: 2 }, { ...session, 'Accept-Language': 'de-CH;q=0.4, pt-br' })
  const createdAt = app.clock.now
  await view(id)
  app.clock.now += 1000
  await view(id)
  const [secretId, key] = id.split('~')
  const recipient = { address: owner.email, username: owner.username, language: 'pt-BR' }
  const common = { type: 'secret.viewed', recipient, unsubscribeUrl: expect.stringContaining('/unsubscribe/') }
  const notifications = await deliver()
  expect(notifications).toMatchObject([
    { ...common, at: createdAt, data: { secretId, createdAt, views: 1, viewsLeft: 1 } },
    { ...common, at: createdAt + 1000, data: { secretId, createdAt, views: 2, viewsLeft: 0 } },
  ])
  expect(JSON.stringify(notifications)).not.toContain(key)
})

test('the owner is notified of a secret that expired unread, was burned, or is locked', async () => {
  await create()
  const opened = await create({ maxViews: 2 })
  await view(opened)
  const burned = await create({ ttl: 3600 })
  await post(`/secret/${burned}/burn`, {}, session).expect(200)
  const locked = await create({ ttl: 3600, password: 'pässwort' })
  for (let count = 0; count < 10; count++)
    await post(`/secret/${locked}`, { claim: newClaim(), password: 'falsch' }).expect(401)
  app.clock.now += 60_000
  await app.background.cleanup.run()
  expect((await deliver()).map(({ type }) => type).sort()).toEqual([
    'secret.burned',
    'secret.expired',
    'secret.locked',
    'secret.viewed',
  ])
})

test('nothing is stored for a secret whose owner did not ask', async () => {
  await view(await create({ notify: false }))
  await view(await create({ notify: undefined }, {}))
  expect(await app.storage.outbox.list({}, ALL)).toEqual([])
})

test('of many views, the first ten and the last one send a notification', () => {
  const isWorth = (views: number, viewsLeft: number | null) =>
    isWorthNotifying({
      type: 'secret.viewed',
      data: { secretId: 'ü', ownerId: 'o', notify: true, createdAt: 0, views, viewsLeft },
    })
  expect([isWorth(10, 5), isWorth(11, 4), isWorth(15, 0), isWorth(11, null)]).toEqual([true, false, true, false])
})

test('an account that was deleted or turned notifications off gets no notification', async () => {
  await view(await create())
  await request(server).put('/api/v1/account/notifications').set(session).send({ enabled: false }).expect(204)
  expect(await deliver()).toEqual([])
  const { body } = await request(server).get('/api/v1/account').set(session).expect(200)
  expect(body.user.notifications).toBe(false)
  await request(server).put('/api/v1/account/notifications').set(session).send({ enabled: true }).expect(204)
  await view(await create())
  await app.storage.users.remove(owner.id, app.clock.now)
  expect(await deliver()).toEqual([])
})

test('a response says why the owner will not get a notification, and the event is skipped', async () => {
  const warningOf = async (changes: object) => {
    await app.storage.users.update(owner.id, changes)
    const { body } = await post('/secret', { text: 'ö ☃', ttl: 60, notify: true }, session).expect(201)
    await view(body.id)
    await deliver()
    const [entry] = await app.storage.outbox.list({ state: 'skipped' }, ALL)
    await app.storage.outbox.purge({}, 100)
    return [body.notifyWarning, entry?.result]
  }
  expect(await warningOf({})).toEqual([undefined, undefined])
  expect(await warningOf({ emailVerified: null })).toEqual(['address_not_verified', 'address not verified'])
  expect(await warningOf({ emailVerified: 1, notifications: false })).toEqual(['notifications_off', 'not wanted'])
})

test('an address that is not verified gets no notification, but a link that verifies it, once a week', async () => {
  await app.storage.users.update(owner.id, { emailVerified: null })
  const expectReminder = async () => {
    await expect.poll(deliver).toMatchObject([{ type: 'verify-email', recipient: { address: owner.email } }])
  }
  await view(await create())
  await view(await create())
  await expectReminder()
  await view(await create())
  expect(await deliver()).toEqual([])
  app.clock.now += 7 * 24 * 3_600_000
  session = { ...(await app.as(owner)), ...OWN_PAGE }
  await view(await create())
  await expectReminder()
  await app.storage.users.update(owner.id, { emailVerified: 1 })
  await view(await create())
  expect(await deliver()).toMatchObject([{ type: 'secret.viewed' }])
})

describe('the link of a notification', () => {
  async function createLink(): Promise<string> {
    await view(await create())
    const [notification] = await deliver()
    return new URL(notification?.unsubscribeUrl ?? '').pathname
  }

  test('turns notifications off with a POST of a mail program, and only then', async () => {
    const path = await createLink()
    const opened = await request(server).get(path).expect(303)
    expect(opened.headers.location).toBe(`/unsubscribe#${path.split('/').at(-1)}`)
    expect((await app.storage.users.get(owner.id))?.notifications).toBe(true)
    await request(server).post(path).type('form').send('List-Unsubscribe=One-Click').expect(204)
    expect((await app.storage.users.get(owner.id))?.notifications).toBe(false)
  })

  test('returns 404 with a changed token', async () => {
    const path = await createLink()
    const changed = path.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
    await request(server).post(changed).expect(404)
    await request(server).post(path.replace(owner.id, 'other')).expect(404)
    expect((await app.storage.users.get(owner.id))?.notifications).toBe(true)
  })
})

test('POST /secret returns 400 for notify of a visitor, and without a plugin that notifies', async () => {
  const body = { text: 'ö ☃', ttl: 60, notify: true }
  const refused = await post('/secret', body).expect(400)
  expect(refused.body).toMatchObject({ code: 'request.invalid', field: 'notify' })
  await app.close()
  await start([])
  expect((await post('/secret', body, session).expect(400)).body.field).toBe('notify')
  await expect(sendTestNotification(app, 'a@example.org')).rejects.toMatchObject({ code: 'request.invalid' })
})

test('GET /settings says whether the server notifies', async () => {
  const { body } = await request(server).get('/api/v1/settings').expect(200)
  expect(body.notifications).toBe(true)
})
