/** The limits as callers meet them: on which call, with which headers, and before anything else. */
import { createServer, type Server } from 'node:http'
import request from 'supertest'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { builtIns } from '#plugins'
import { OWN_PAGE } from '#test/for-each-storage'
import { type TestApp, testApp } from '#test/test-app'
import { definePlugin, type Plugin } from '../plugin.js'
import { routes } from './routes/index.js'

const memory = (await builtIns.memory()).default as Plugin
const ID = 'AAAAAAAAAAAAAAAAAAAAAA'
/** Calls that everybody may make as often as they like: what they answer costs nothing. */
const UNLIMITED = ['GET /settings', 'GET /healthz', 'GET /readyz']
/** How often an address may make each of the others within a minute. */
const PER_MINUTE: Record<string, number> = {
  'POST /secret': 30,
  'GET /secret/public': 60,
  'GET /secret/public/:username': 60,
  'GET /secret/:id/exist': 120,
  'GET /secret/:id': 60,
  'POST /secret/:id': 60,
  'POST /secret/:id/ack': 60,
  'POST /secret/:id/burn': 30,
  'POST /files': 20,
  'PUT /files/:id/:index': 600,
  'GET /files/:id': 600,
  'DELETE /files/:id': 600,
  'POST /download': 600,
  'GET /stats': 60,
  'GET /secret': 60,
  'POST /authentication/signup': 5,
  'POST /authentication/signin': 10,
  'POST /authentication/setup': 10,
  'POST /authentication/signout': 60,
  'GET /authentication/:provider/start': 60,
  'GET /authentication/:provider/connect': 60,
  'GET /authentication/:provider/callback': 60,
  'GET /authentication/verify': 60,
  'GET /authentication/refresh': 6,
  'GET /account': 60,
  'PUT /account/update': 10,
  'POST /account/delete': 10,
  'GET /account/sessions': 60,
  'DELETE /account/sessions': 60,
  'GET /account/identities': 60,
  'DELETE /account/identities': 60,
  'GET /account/tokens': 60,
  'POST /account/tokens': 60,
  'DELETE /account/tokens': 60,
  'GET /admin/users': 120,
  'POST /admin/users': 120,
  'PUT /admin/users': 120,
  'DELETE /admin/users': 120,
  'DELETE /admin/sessions': 120,
  'GET /admin/settings': 120,
  'PUT /admin/settings': 120,
}

let app: TestApp
let server: Server
beforeEach(async () => {
  const settings = { limits: '', trustedProxies: ['127.0.0.1', '::1'] }
  app = await testApp(memory, { settings })
  server = createServer(app.handler).listen(0, '127.0.0.1')
})
afterEach(async () => {
  server.close()
  await app.close()
})

const sendFrom = (method: string, path: string, from = '203.0.113.1') =>
  request(server)[method.toLowerCase() as 'get'](`/api/v1${path}`).set('X-Forwarded-For', from)
const all = routes({} as never).map((call) => ({ name: `${call.method} ${call.path}`, ...call }))

test('every call has a limit', () => {
  const unlimited = all.filter(({ limit }) => limit === undefined).map(({ name }) => name)
  expect(unlimited).toEqual(UNLIMITED)
})

test.each(all.filter(({ limit }) => limit))('$name', async ({ name, method, path, requires, allowAnonymous }) => {
  const most = PER_MINUTE[name] ?? 0
  const isOwn = requires && !allowAnonymous
  const admin = isOwn ? await app.as(await app.signUp({ role: 'admin' })) : OWN_PAGE
  const send = (method: string, path: string, from?: string) => sendFrom(method, path, from).set(admin)
  const address = path.replace(':id', ID).replace(':username', 'somebody').replace(':index', '0')
  for (let n = 0; n < most; n++) {
    const answer = await send(method, address)
    expect(answer.status).not.toBe(429)
    expect(answer.headers).toMatchObject({ 'ratelimit-limit': `${most}`, 'ratelimit-remaining': `${most - n - 1}` })
  }
  const refused = await send(method, address).expect(429)
  expect(refused.body.code).toBe('limit.reached')
  const seconds = refused.headers['retry-after']
  expect(refused.headers).toMatchObject({ 'ratelimit-remaining': '0', 'ratelimit-reset': seconds })
  expect(refused.body.retryAfter).toBe(Number(seconds))
  // What one user may do they may from everywhere.
  if (!isOwn) expect((await send(method, address, '203.0.113.2')).status).not.toBe(429)
  app.clock.now += Number(seconds) * 1000
  expect((await send(method, address)).status).not.toBe(429)
})

test('pages and the files of the app have one limit together, of which the storage hears nothing', async () => {
  const site = definePlugin({
    name: 'site',
    options: z.object({}),
    setup: () => ({ pages: (ctx) => void Object.assign(ctx, { body: 'a page ☃' }) }),
  }) as Plugin
  const { handler, storage, clock, close } = await testApp(memory, { settings: { limits: '' }, plugins: [site] })
  const take = vi.spyOn(storage.limits, 'take')
  const other = createServer(handler).listen(0, '127.0.0.1')
  const statuses: number[] = []
  for (let n = 0; n < 600; n++) statuses.push((await request(other).get(n % 2 ? '/' : '/assets/a.js')).status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  await request(other).get('/locales/en/common.json').expect(429)
  expect(take).not.toHaveBeenCalled()
  await request(other).get('/healthz').expect(204)
  await request(other).get('/api/v1/secret/public').expect(200)
  clock.now += 60_000
  await request(other).get('/').expect(200)
  other.close()
  await close()
})

test('whoever is refused is so before the body is read, under every prefix and spelling of the address', async () => {
  for (let n = 0; n < 30; n++) await sendFrom('post', '/secret').send({}).expect(400)
  await sendFrom('post', '/secret').type('text').send('x').expect(429)
  for (const path of ['/api/v1/secret', '/api/secret', '/api/v1/secret/', '/api/v1/secret?x']) {
    await request(server).post(path).set('X-Forwarded-For', '203.0.113.1').send({}).expect(429)
  }
})

test('whoever asks for many ids that are not there is refused in all calls that tell of them, for the hour', async () => {
  for (let n = 0; n < 120; n++) {
    if (n === 60) app.clock.now += 60_000
    await sendFrom('post', `/secret/${ID}`).send({ claim: ID }).expect(404)
  }
  for (const [method, path] of [
    ['post', `/secret/${ID}`],
    ['get', `/secret/${ID}`],
    ['get', `/secret/${ID}/exist`],
    ['post', `/secret/${ID}/ack`],
    ['post', `/secret/${ID}/burn`],
  ] as const) {
    await sendFrom(method, path).expect(429)
  }
  await sendFrom('get', '/secret/public').expect(200)
  await sendFrom('get', `/secret/${ID}/exist`, '203.0.113.2').expect(404)
})

test('an address that cannot be known shares its limits with all of its kind', async () => {
  for (let n = 0; n < 60; n++) await sendFrom('get', '/secret/public', n % 2 ? 'unknown' : '_hidden').expect(200)
  await sendFrom('get', '/secret/public', 'whatever').expect(429)
})

test('wrong tokens are refused after a while, from that address and of that token, before anything is looked up', async () => {
  const token = await app.tokenOf(await app.signUp())
  const wrong = await app.tokenOf(await app.signUp())
  await app.storage.tokens.remove(wrong.slice(3, 11), (await app.services.tokens.identify(wrong, null)).userId ?? '')
  const ask = (bearer: string, from: string) =>
    sendFrom('get', '/authentication/verify', from).set('Authorization', `Bearer ${bearer}`)
  await ask(token, '203.0.113.1').expect(200)
  for (let n = 0; n < 5; n++) await ask(wrong, '203.0.113.1').expect(401)
  await ask(wrong, '203.0.113.1').expect(429)
  await ask(token, '203.0.113.1').expect(200)
  for (let n = 0; n < 15; n++) await ask(`${n}`, '203.0.113.1').expect(401)
  await ask(token, '203.0.113.1').expect(429)
  await ask(token, '203.0.113.2').expect(200)
})

test('what is refused is noted once and then counted', async () => {
  for (let n = 0; n < 40; n++) await sendFrom('post', '/secret').send({})
  app.clock.now += 60_000
  await app.services.audit.flush()
  const entries = await app.storage.audit.list({ action: 'limit.reached' }, { skip: 0, take: 10 })
  expect(entries.map(({ subject, address, detail }) => [subject, address, detail])).toEqual([
    ['secret-create', '203.0.113.0/24', expect.anything()],
    ['secret-create', '203.0.113.0/24', expect.anything()],
  ])
  expect(entries.map(({ detail }) => detail)).toEqual(expect.arrayContaining([{}, { times: 9 }]))
})
