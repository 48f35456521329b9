import { createServer, type Server } from 'node:http'
import request from 'supertest'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memory } from '#test/memory-plugin'
import { type TestApp, testApp } from '#test/test-app'
import type { AppSettings } from '../settings/startup-config.js'
import { newClaim } from '../shared/crypto/keys.js'

const TEXT = 'hunter2'

let app: TestApp
let server: Server
const start = async (settings: Partial<AppSettings> = {}) => {
  app = await testApp(memory, { settings: { trustedProxies: ['127.0.0.1', '::1'], ...settings } })
  server = createServer(app.handler).listen(0, '127.0.0.1')
}
beforeEach(() => start())
const stop = async () => {
  server.close()
  await app.close()
}
afterEach(stop)

const post = (path: string, body: object, headers = {}) =>
  request(server)
    .post(`/api/v1${path}`)
    .set({ 'X-Forwarded-For': '203.0.113.66', ...headers })
    .send(body)
const entries = async () => {
  await app.audit.flush()
  return (await app.storage.audit.list({}, { skip: 0, take: 100 })).reverse()
}

test('V16.3.1: the audit log has who created, viewed and burned a secret, from which network, and only the start of its id', async () => {
  const user = await app.signUp()
  const as = await app.as(user)
  const { body } = await post('/secret', { text: TEXT, ttl: 60, maxViews: 2, title: TEXT, password: 'right' }, as)
  await post(`/secret/${body.id}`, { claim: newClaim(), password: 'guess' }).expect(401)
  await post(`/secret/${body.id}`, { claim: newClaim(), password: 'right' }).expect(200)
  await post(`/secret/${body.id}/burn`, { burnToken: body.burnToken }).expect(200)
  const all = await entries()
  expect(all.map(({ action, actor }) => [action, actor])).toEqual([
    ['secret.created', user.username],
    ['secret.password_wrong', null],
    ['secret.viewed', null],
    ['secret.burned', null],
  ])
  for (const { subject, address } of all) {
    expect([subject, address]).toEqual([body.id.slice(0, 6), '203.0.113.0/24'])
  }
  const text = JSON.stringify(all)
  for (const word of [TEXT, 'right', 'guess', '203.0.113.66', body.id.slice(0, 7)]) expect(text).not.toContain(word)
})

test('the audit log records that a reader refused content, without any of the content', async () => {
  const { body } = await post('/secret', { text: TEXT, ttl: 60 })
  const claim = newClaim()
  await post(`/secret/${body.id}`, { claim }).expect(200)
  await post(`/secret/${body.id}/ack`, { claim, damaged: true }).expect(204)
  await post(`/secret/${body.id}/ack`, { claim, damaged: true }).expect(404)
  const refused = (await entries()).filter(({ action }) => action === 'secret.damaged')
  expect(refused.map(({ subject, detail }) => ({ subject, detail }))).toEqual([
    { subject: body.id.slice(0, 6), detail: {} },
  ])
})

test('V16.3.1: the audit log has expired and locked secrets and refused addresses', async () => {
  await post('/secret', { text: TEXT, ttl: 60 })
  const locked = (await post('/secret', { text: TEXT, ttl: 3600, password: 'right' })).body
  const elsewhere = (await post('/secret', { text: TEXT, ttl: 3600, allowedIp: '198.51.100.0/24' })).body
  app.clock.now += 60_000
  await app.background.cleanup.run()
  for (let n = 0; n < 10; n++) await post(`/secret/${locked.id}`, { claim: newClaim(), password: 'wrong' })
  await post(`/secret/${elsewhere.id}`, { claim: newClaim() }).expect(404)
  const actions = (await entries()).map(({ action, subject, address }) => [action, subject, address])
  const here = '203.0.113.0/24'
  expect(actions.slice(3)).toEqual([
    ['secret.expired', expect.any(String), null],
    ['secret.password_wrong', locked.id.slice(0, 6), here],
    ['secret.locked', locked.id.slice(0, 6), here],
    ['secret.address_refused', elsewhere.id.slice(0, 6), here],
  ])
})

test('auditSecrets off leaves out secrets but not failed attempts', async () => {
  await stop()
  await start({ auditSecrets: false })
  const { body } = await post('/secret', { text: TEXT, ttl: 60, password: 'right' })
  await post(`/secret/${body.id}`, { claim: newClaim(), password: 'wrong' }).expect(401)
  expect((await entries()).map(({ action }) => action)).toEqual(['secret.password_wrong'])
})

test('entries are deleted after auditDays', async () => {
  await stop()
  await start({ auditDays: 2 })
  await post('/secret', { text: TEXT, ttl: 3600 })
  await entries()
  app.clock.now += 2 * 24 * 60 * 60_000
  await app.background.cleanup.run()
  expect(await app.storage.audit.list({ action: 'secret.created' }, { skip: 0, take: 10 })).toHaveLength(1)
  app.clock.now += 1
  await app.background.cleanup.run()
  expect(await app.storage.audit.list({ action: 'secret.created' }, { skip: 0, take: 10 })).toEqual([])
})
