/** Rate limits over HTTP: endpoints, headers, and the check before all other checks. */

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import request from 'supertest'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { OWN_PAGE } from '#test/for-each-storage'
import { memory } from '#test/memory-plugin'
import { type TestApp, type TestUser, testApp } from '#test/test-app'
import { identifyToken } from '../auth/api-tokens.js'
import { anonymous, toAuthContext } from '../contracts/auth-context.js'
import { definePlugin, type Plugin } from '../plugins/plugin.js'
import { IN_PROCESS, RULES, type RuleName, type Window } from '../rate-limits/rate-limit-policies.js'
import { createRequest } from '../requests/create-request.js'
import { encodeText } from '../shared/crypto/envelope.js'
import { createRequestKeys, encryptSubmission } from '../shared/crypto/submission.js'
import { routes } from './routes/index.js'
import type { RouteConfig } from './routes/route.js'
import { listen } from './server.js'

const ID = 'AAAAAAAAAAAAAAAAAAAAAA'
let app: TestApp
let server: Server
beforeEach(async () => {
  const settings = { limits: '', trustedProxies: ['127.0.0.1', '::1'] }
  app = await testApp(memory, { settings })
  server = await listen(app.handler, '127.0.0.1', 0)
})
afterEach(async () => {
  server.close()
  await app.close()
})

const sendFrom = (method: string, path: string, from = '203.0.113.1') =>
  request(server)[method.toLowerCase() as 'get'](`/api/v1${path}`).set('X-Forwarded-For', from)
const limited = routes({} as RouteConfig).flatMap((route) => (route.limit ? [{ ...route, limit: route.limit }] : []))

/** The number of requests that the tightest window of a rule allows. */
function tightestLimit(rule: RuleName, isAnonymous: boolean): number {
  const windows: readonly Window[] = RULES[rule]
  const applies = ({ by, anonymousOnly }: Window) =>
    by === 'address' ? isAnonymous || !anonymousOnly : by === 'instance' || !isAnonymous
  return Math.min(...windows.filter(applies).map(({ limit }) => limit))
}

/** Who sends requests of a route: the administrator where it needs an account, otherwise a visitor. */
async function senderOf({ method, path, requires, allowAnonymous }: (typeof limited)[number], address: string) {
  const isOwn = requires !== undefined && !allowAnonymous
  const admin = await app.signUp({ role: 'admin' })
  const cookies = isOwn ? await app.as(admin) : OWN_PAGE
  const [{ id: sessionId = null } = {}] = await app.storage.sessions.list(admin.id, app.clock.now)
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/api/v1${path.replace(/:\w+/g, ID)}`
  return {
    isOwn,
    caller: isOwn ? toAuthContext(admin, { address, sessionId }) : anonymous(address),
    async send(from = address) {
      const headers = { ...cookies, 'X-Forwarded-For': from }
      const response = await fetch(url, { method, headers, redirect: 'manual' })
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
    },
  }
}

test('SEC-43: each endpoint counts under its rule', async () => {
  const found: Record<string, unknown>[] = []
  const expected: Record<string, unknown>[] = []
  for (const [index, each] of limited.entries()) {
    const name = `${each.method} ${each.path}`
    const { isOwn, send } = await senderOf(each, `2001:db8:${index.toString(16)}::1`)
    const most = tightestLimit(each.limit, !isOwn)
    const { status, headers } = await send()
    found.push({
      name,
      isRefused: status === 429,
      limit: headers['ratelimit-limit'],
      left: headers['ratelimit-remaining'],
    })
    expected.push({ name, isRefused: false, limit: `${most}`, left: `${most - 1}` })
  }
  expect(found).toEqual(expected)
})

/** One endpoint of each rule, for visitors and for users. */
const oneOfEachRule = [
  ...new Map(
    limited.map((route) => [`${route.limit} ${route.requires !== undefined && !route.allowAnonymous}`, route]),
  ).values(),
]

test.each(oneOfEachRule)('SEC-43: $method $path', async (route) => {
  const { limit } = route
  const { isOwn, caller, send } = await senderOf(route, '203.0.113.1')
  const most = tightestLimit(limit, !isOwn)
  for (const left of [most - 1, 1, 0]) {
    const response = await send()
    expect(response.status).not.toBe(429)
    expect(response.headers).toMatchObject({ 'ratelimit-limit': `${most}`, 'ratelimit-remaining': `${left}` })
    // All requests but the last two bypass HTTP, which is much faster.
    const { limits } = app
    const counters = IN_PROCESS.includes(limit) ? limits.own : limits
    const repeats = Array.from({ length: Math.max(0, left - 2) })
    await Promise.all(repeats.map(() => counters.consume(limit, caller)))
  }
  const { status, headers, text } = await send()
  const seconds = Number(headers['retry-after'])
  expect(status).toBe(429)
  expect(headers).toMatchObject({ 'ratelimit-remaining': '0', 'ratelimit-reset': `${seconds}` })
  expect(JSON.parse(text)).toMatchObject({ code: 'limit.reached', retryAfter: seconds })
  // The requests of a user count together from every address.
  if (!isOwn) expect((await send('203.0.113.2')).status).not.toBe(429)
  app.clock.now += seconds * 1000
  expect((await send()).status).not.toBe(429)
})

test('pages and assets share one limit, which is counted in the process', async () => {
  const site = definePlugin({
    contract: 1,
    name: 'site',
    options: z.object({}),
    setup: () => ({ pages: (ctx) => void Object.assign(ctx, { body: 'a page ☃' }) }),
  }) as Plugin
  const { handler, storage, limits, clock, close } = await testApp(memory, {
    settings: { limits: '' },
    plugins: [site],
  })
  const consume = vi.spyOn(storage.limits, 'consume')
  const other = await listen(handler, '127.0.0.1', 0)
  const statuses: number[] = []
  const { port } = other.address() as AddressInfo
  for (let n = 0; n < 596; n++) await limits.own.consume('page', anonymous('127.0.0.1'))
  for (let n = 0; n < 4; n++) {
    const response = await fetch(`http://127.0.0.1:${port}${n % 2 ? '/' : '/assets/a.js'}`)
    statuses.push(response.status)
    await response.text()
  }
  expect(new Set(statuses)).toEqual(new Set([200]))
  await request(other).get('/locales/en/common.json').expect(429)
  expect(consume).not.toHaveBeenCalled()
  await request(other).get('/healthz').expect(204)
  await request(other).get('/api/v1/secret/public').expect(200)
  clock.now += 60_000
  await request(other).get('/').expect(200)
  other.close()
  await close()
})

test('a refused request is refused before its body is read, under every prefix and spelling of the path', async () => {
  for (let n = 0; n < 30; n++) await sendFrom('post', '/secret').send({}).expect(400)
  await sendFrom('post', '/secret').type('text').send('x').expect(429)
  for (const path of ['/api/v1/secret', '/api/secret', '/api/v1/secret/', '/api/v1/secret?x']) {
    await request(server).post(path).set('X-Forwarded-For', '203.0.113.1').send({}).expect(429)
  }
})

/** Bypasses HTTP, which is much faster. */
async function recordUnknownIds(count: number): Promise<void> {
  const caller = anonymous('203.0.113.1')
  await Promise.all(Array.from({ length: count }, () => app.limits.recordFailure('secret-missing', caller)))
}

test('after many unknown ids, the next ones get 429 for an hour on every endpoint of a secret', async () => {
  await recordUnknownIds(118)
  app.clock.now += 60_000
  for (let n = 0; n < 2; n++) await sendFrom('post', `/secret/${ID}`).send({ claim: ID }).expect(404)
  app.clock.now += 60_000
  for (const [method, path, body] of [
    ['post', `/secret/${ID}`, { claim: ID }],
    ['get', `/secret/${ID}`],
    ['get', `/secret/${ID}/exist`],
    ['post', `/secret/${ID}/ack`, { claim: ID }],
    ['post', `/secret/${ID}/burn`, {}],
  ] as const) {
    const { headers } = await sendFrom(method, path).send(body).expect(429)
    expect(headers).toMatchObject({ 'ratelimit-limit': '120', 'ratelimit-remaining': '0' })
  }
  await sendFrom('get', `/secret/${ID}/exist`, '203.0.113.2').expect(404)
})

test('many unknown ids from an address do not block a valid link from the same address', async () => {
  const [access, wrong] = ['A'.repeat(43), `${'B'.repeat(42)}A`]
  const text = '-----BEGIN AGE ENCRYPTED FILE-----\nAAAA\n-----END AGE ENCRYPTED FILE-----\n'
  const make = async () => (await sendFrom('post', '/secret').send({ text, ttl: 600, access }).expect(201)).body.id
  const [sealed, burned] = [await make(), await make()]
  const raw = (await sendFrom('post', '/secret').send({ text: 'für dich ☃', ttl: 600 }).expect(201)).body.id
  await recordUnknownIds(118)
  for (let n = 0; n < 2; n++) await sendFrom('get', `/secret/${ID}/exist`).expect(404)
  await sendFrom('get', `/secret/${sealed}/exist`).set('Mayfly-Access', access).expect(200)
  await sendFrom('get', `/secret/${sealed}/exist`).set('Mayfly-Access', wrong).expect(429)
  await sendFrom('get', `/secret/${sealed}/exist`).expect(429)
  await sendFrom('post', `/secret/${sealed}`).send({ claim: ID, access: wrong }).expect(429)
  await sendFrom('post', `/secret/${sealed}`).send({ claim: ID, access }).expect(200)
  await sendFrom('post', `/secret/${sealed}/ack`).send({ claim: ID, access }).expect(204)
  await sendFrom('post', `/secret/${burned}/burn`).send({ access }).expect(200)
  await sendFrom('get', `/secret/${raw}`).expect(200)
})

test.each(['/openapi.json', '/nothing', '/secret/x/y/z'])(
  'GET %s has a limit that is counted in the process',
  async (path) => {
    const consume = vi.spyOn(app.storage.limits, 'consume')
    const caller = anonymous('203.0.113.1')
    const first = await sendFrom('get', path)
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '600', 'ratelimit-remaining': '599' })
    for (let n = 0; n < 599; n++) await app.limits.own.consume('cheap', caller)
    expect((await sendFrom('get', path).expect(429)).body.code).toBe('limit.reached')
    await sendFrom('get', path, '203.0.113.2').expect(first.status)
    expect(consume).not.toHaveBeenCalled()
  },
)

test('/healthz is not limited', async () => {
  const { headers } = await sendFrom('get', '/healthz').expect(204)
  expect(headers).not.toHaveProperty('ratelimit-limit')
})

test.each([
  ['get', '/authentication/verify', 60],
  ['get', '/authentication/refresh', 60],
  ['get', '/account', 60],
  ['get', '/admin/users', 120],
] as const)('%s %s without a session reaches its limit, without the storage', async (method, path, most) => {
  const consume = vi.spyOn(app.storage.limits, 'consume')
  for (let left = most - 1; left >= 0; left--) {
    const { headers } = await sendFrom(method, path).expect(401)
    expect(headers).toMatchObject({ 'ratelimit-limit': `${most}`, 'ratelimit-remaining': `${left}` })
  }
  await sendFrom(method, path).expect(429)
  await sendFrom(method, path, '203.0.113.2').expect(401)
  expect(consume).not.toHaveBeenCalled()
  // Counted apart from the requests of users, who may share the address.
  const user = await app.as(await app.signUp({ role: 'admin' }))
  await sendFrom(method, path).set(user).expect(200)
})

test('made-up session cookies are refused without a query of the storage', async () => {
  const find = vi.spyOn(app.storage.sessions, 'find')
  const ask = (from?: string) => sendFrom('get', '/settings', from).set('Cookie', `__Host-session=${'A'.repeat(43)}`)
  await ask().expect(200)
  expect(find).toHaveBeenCalledTimes(1)
  for (let n = 0; n < 299; n++) await app.limits.own.recordFailure('session-wrong', anonymous('203.0.113.1'))
  expect((await ask().expect(429)).headers).toMatchObject({ 'ratelimit-limit': '300', 'ratelimit-remaining': '0' })
  expect(find).toHaveBeenCalledTimes(1)
  await ask('203.0.113.2').expect(200)
  await sendFrom('get', '/settings').expect(200)
})

test('clients without a known address share one limit', async () => {
  for (let n = 0; n < 60; n++) await sendFrom('get', '/secret/public', n % 2 ? 'unknown' : '_hidden').expect(200)
  await sendFrom('get', '/secret/public', 'whatever').expect(429)
})

test('submissions to all requests of one owner share a limit over all addresses', async () => {
  const { limits } = app
  const [owner, other] = [await app.signUp(), await app.signUp()]
  const create = async (user: TestUser) => {
    const { keys, body } = await createRequestKeys(null)
    const options = { ...body, ttl: 3600, maxSubmissions: 2, allowFiles: false, notify: false }
    const { id, expiresAt } = await createRequest(app, options, toAuthContext(user, { address: null }))
    const draft = { ...keys, requestId: id, text: encodeText('ö ☃'), expiresAt }
    const { text } = await encryptSubmission(draft, body.recipient, app.clock.now)
    return (from: string) =>
      sendFrom('post', `/request/${id}/submission`, from).send({ submit: keys.submitProof, text })
  }
  const [one, another, foreign] = [await create(owner), await create(owner), await create(other)]
  for (let n = 0; n < 59; n++) await limits.consume('request-answer', anonymous(null), owner.id)
  await one('203.0.113.1').expect(201)
  for (const submit of [one, another]) {
    const { body } = await submit('198.51.100.1').expect(429)
    expect(body).toMatchObject({ code: 'limit.reached', retryAfter: 60 })
  }
  await foreign('198.51.100.1').expect(201)
})

test('wrong tokens reach a limit per token and per address', async () => {
  const token = await app.tokenOf(await app.signUp())
  const wrong = await app.tokenOf(await app.signUp())
  await app.storage.tokens.remove(wrong.slice(3, 11), (await identifyToken(app, wrong, null)).userId ?? '')
  const ask = (bearer: string, from: string) =>
    sendFrom('get', '/authentication/verify', from).set('Authorization', `Bearer ${bearer}`)
  await ask(token, '203.0.113.1').expect(200)
  for (let n = 0; n < 5; n++) await ask(wrong, '203.0.113.1').expect(401)
  const { headers } = await ask(wrong, '203.0.113.1').expect(429)
  expect(headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0', 'ratelimit-reset': '60' })
  await ask(token, '203.0.113.1').expect(200)
  for (let n = 0; n < 15; n++) await ask(`${n}`, '203.0.113.1').expect(401)
  await ask(token, '203.0.113.1').expect(429)
  await ask(token, '203.0.113.2').expect(200)
})

test('V16.3.1: refused requests are recorded once in the audit log and then counted', async () => {
  for (let n = 0; n < 40; n++) await sendFrom('post', '/secret').send({})
  app.clock.now += 60_000
  await app.audit.flush()
  const entries = await app.storage.audit.list({ action: 'limit.reached' }, { skip: 0, take: 10 })
  expect(entries.map(({ subject, address, detail }) => [subject, address, detail])).toEqual([
    ['secret-create', '203.0.113.0/24', expect.anything()],
    ['secret-create', '203.0.113.0/24', expect.anything()],
  ])
  expect(entries.map(({ detail }) => detail)).toEqual(expect.arrayContaining([{}, { times: 9 }]))
})
