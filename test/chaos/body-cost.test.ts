/**
 * A JSON body or a part of a file with any content costs up to 20 ms of CPU time before it is refused, on every route
 * that has one, for every kind of caller. On a slow or busy machine it costs up to three times as much as a plain text
 * of 4 MiB. Only the thread that serves requests counts: other threads hash passwords.
 */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_PART } from '#test/file-calls'
import { type BodyRoute, fill, hostileBodies, listBodyRoutes } from '#test/hostile-bodies'
import { MEMORY_ENV } from '#test/memory-plugin'
import { bodyLimitOf } from '#test/response-schemas'
import { ROOT } from '#test/source-files'
import { type RunningServer, startServer } from '#test/start-server'

const MAX_MS = 20
/** Plain bodies take 7 to 8 ms where 20 ms are the limit, and the cheapest attack that was found took 54. */
const MAX_OF_PLAIN = 3
/** Of the plugin test/fixtures/plugins/forms.js. */
const FORMS_LIMIT = 2 ** 20
const RUNS = 60
/** Number of attempts. The cheapest counts, without compilation and garbage collection. */
const ATTEMPTS = 30
const PASSWORD = 'amber-river-94'

type Route = Pick<BodyRoute, 'method' | 'path'>
type Caller = 'visitor' | 'user' | 'admin' | 'token'
const CALLERS: Caller[] = ['visitor', 'user', 'admin', 'token']

let server: RunningServer
let routes: BodyRoute[]
/** `MAX_MS`, or more where a plain body needs more. */
let limitMs: number
const credentials = new Map<Caller, Record<string, string>>()
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
beforeAll(async () => {
  const plugin = join(ROOT, 'test/fixtures/plugins/forms.js')
  server = await startServer({
    env: { ...MEMORY_ENV, MAYFLY_LIMITS: 'off', MAYFLY_LOG: 'error', MAYFLY_PLUGINS: plugin },
  })
  const [, code = ''] = await server.printed(/"setupCode":"([\w-]+)"/)
  await post('/authentication/setup', { ...accountOf('boss'), code })
  await post('/authentication/signup', accountOf('alice'))
  await send('PUT', '/admin/settings', Buffer.from('{"who_can_request":"anyone"}'), await credentialsOf('admin'))
  const response = await fetch(`${server.url}/api/v1/openapi.json`)
  routes = listBodyRoutes((await response.json()) as Parameters<typeof listBodyRoutes>[0])
  limitMs = Math.max(MAX_MS, MAX_OF_PLAIN * (await measurePlain()))
})
afterAll(async () => {
  agent.destroy()
  await server.stop()
})

const accountOf = (username: string) => ({ username, email: `${username}@example.org`, password: PASSWORD })

/** CPU time of the main thread of the server so far, in ms. */
const readCpuMs = () => Number(readFileSync(`/proc/${server.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

interface Answer {
  status: number
  cookies: string
  text: string
}

function send(method: string, path: string, body: Buffer, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = {
      'content-type': 'application/json',
      ...('transfer-encoding' in headers ? {} : { 'content-length': body.length }),
      'sec-fetch-site': 'same-origin',
      ...headers,
    }
    const options = { port: server.port, host: '127.0.0.1', path: `/api/v1${path}`, method, agent, headers: all }
    const outgoing = request(options, (response) => {
      const cookies = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, cookies, text }))
    })
    outgoing.on('error', reject).end(body)
  })
}

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await send('POST', path, Buffer.from(JSON.stringify(body)), headers)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}

/** Signs in at the first time, and again after a request that ended the session. */
async function credentialsOf(caller: Caller): Promise<Record<string, string>> {
  const known = credentials.get(caller)
  if (known) return known
  const created = await signIn(caller)
  credentials.set(caller, created)
  return created
}

async function signIn(caller: Caller): Promise<Record<string, string>> {
  if (caller === 'visitor') return {}
  if (caller === 'token') {
    const { text } = await post('/account/tokens', { name: 'ci \u2603' }, await credentialsOf('admin'))
    return { authorization: `Bearer ${JSON.parse(text).token}` }
  }
  const username = caller === 'admin' ? 'boss' : 'alice'
  return { cookie: (await post('/authentication/signin', { username, password: PASSWORD })).cookies }
}

/** CPU time of one request in ms, 0 if the body is accepted. */
async function measure({ method, path }: Route, body: Buffer, caller: Caller, more: Record<string, string> = {}) {
  const headers = await credentialsOf(caller)
  const before = readCpuMs()
  const { status, text } = await send(method, path, body, { ...headers, ...more })
  const ms = readCpuMs() - before
  expect(status, text).toBeLessThan(500)
  if (status === 401) credentials.delete(caller)
  return status < 400 ? 0 : ms
}

/** Cost of the cheapest attempt. Stops at an attempt that costs less than `enough`. */
async function measureCheapest(run: () => Promise<number>, enough: number): Promise<number> {
  let cheapest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && cheapest > enough; attempt++) cheapest = Math.min(cheapest, await run())
  return cheapest
}

/** Cost of a plain text of 4 MiB on this machine now. */
function measurePlain(): Promise<number> {
  const plain = { method: 'POST', path: '/secret' }
  const body = Buffer.from(fill('{"ttl":"', 'a', '"}', limitOf(plain)))
  return measureCheapest(() => measure(plain, body, 'visitor'), 0)
}

/** The cost in ms of a body that is too expensive, or null. Measures a plain text only when the limit is exceeded. */
async function findExcess(...args: Parameters<typeof measure>): Promise<string | null> {
  const ms = await measureCheapest(() => measure(...args), limitMs)
  return ms > limitMs && ms > MAX_OF_PLAIN * (await measurePlain()) ? `${ms.toFixed(1)} ms` : null
}

const limitOf = ({ method, path }: Route): number =>
  path === '/forms' ? FORMS_LIMIT : bodyLimitOf(method, `/api/v1${path}`)

/** Of the largest bodies that the server accepts. */
const isLarge = (route: Route) => limitOf(route) >= FORMS_LIMIT

test('SEC-07: no part of a file costs more than 20 ms before it is refused, for any kind of caller', async () => {
  const { id, token } = JSON.parse((await post('/files', { size: MAX_PART + 100, parts: 2 })).text)
  const authorization = `Upload ${token}`
  const part = Buffer.alloc(MAX_PART, 'a')
  const cells: [name: string, path: string, body: Buffer, headers: Record<string, string>][] = [
    ['of an unknown id', `/files/${'A'.repeat(22)}/0`, part, { authorization }],
    ['of a long id', `/files/${'A'.repeat(10_000)}/0`, part, { authorization }],
    ['with a wrong token', `/files/${id}/0`, part, { authorization: `Upload ${'A'.repeat(43)}` }],
    ['with a long token', `/files/${id}/0`, part, { authorization: `Upload ${'A'.repeat(10_000)}` }],
    ['with the proof of a request', `/files/${id}/0`, part, { authorization: `Request ${id}.${token}` }],
    ['without a token', `/files/${id}/0`, part, {}],
    ['with an unknown number', `/files/${id}/2`, part, { authorization }],
    ['with a long number', `/files/${id}/${'9'.repeat(10_000)}`, part, { authorization }],
    ['with a negative number', `/files/${id}/-1`, part, { authorization }],
    ['that is one byte too long', `/files/${id}/0`, Buffer.alloc(MAX_PART + 1), { authorization }],
    ['that is too short', `/files/${id}/0`, part.subarray(1), { authorization }],
    ['that is the last one and too long', `/files/${id}/1`, part, { authorization }],
    ['without a length', `/files/${id}/0`, part, { authorization, 'transfer-encoding': 'chunked' }],
    ['that is compressed', `/files/${id}/0`, part, { authorization, 'content-encoding': 'gzip' }],
  ]
  const tooExpensive: string[] = []
  for (const [name, path, body, headers] of cells) {
    for (const caller of CALLERS) {
      // The token of an upload takes the place of an API token.
      if (caller === 'token' && 'authorization' in headers) continue
      const more = { 'content-type': 'application/octet-stream', ...headers }
      const excess = await findExcess({ method: 'PUT', path }, body, caller, more)
      if (excess) tooExpensive.push(`${name} (${caller}): ${excess}`)
    }
  }
  expect(tooExpensive).toEqual([])
  // None was accepted.
  const { text } = await send('GET', `/files/${id}`, Buffer.alloc(0), { authorization })
  expect(JSON.parse(text)).toEqual({ parts: [] })
}, 300_000)

test('SEC-07: no hostile body costs more than 20 ms on any route, for any kind of caller', async () => {
  const tooExpensive: string[] = []
  const [large, others] = [routes.filter(isLarge), routes.filter((route) => !isLarge(route))]
  let count = 0
  let sent = 0
  for (const [index, route] of [...large, ...others].entries()) {
    const callers = await listCallers(route)
    for (const { name, bytes, field } of hostileBodies(route, limitOf(route))) {
      // Callers take turns. Of small bodies without a certain field, each route gets a third: all are parsed alike.
      count++
      if (!isLarge(route) && field === undefined && (count + index) % 3 !== 0) continue
      const caller = callers[sent++ % callers.length] as Caller
      const excess = await findExcess(route, bytes, caller)
      if (excess) tooExpensive.push(`${route.method} ${route.path} (${caller}): ${name}: ${excess}`)
    }
  }
  expect(tooExpensive).toEqual([])
  expect(routes.map(({ path }) => path)).toContain('/forms')
  expect(large.length).toBeGreaterThanOrEqual(3)
  expect(count).toBeGreaterThan(routes.length * 100)
  expect(sent).toBeGreaterThan(count / 3)
}, 900_000)

/** Callers who may use the route. Others are refused before the body is read. */
async function listCallers({ method, path }: BodyRoute): Promise<Caller[]> {
  const allowed: Caller[] = []
  for (const caller of CALLERS) {
    const { text } = await send(method, path, Buffer.from('[]'), await credentialsOf(caller))
    if (text.includes('request.invalid')) allowed.push(caller)
  }
  return allowed
}

const unit = fc.oneof(
  fc.constantFrom('[', '{"a":', '{},', '"a":1,', '1e', '\\', '\\u', '"_', '\\u005f', '\u2603', '\ud83d\ude00', ' '),
  fc.constantFrom('{"files":[', '{"files":[{"name":"a","type":"b","content":"QUJD'),
  fc.json({ maxDepth: 3 }).filter((text) => text.length < 1000),
  fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
)
const START = fc.constantFrom('', '{"text":', '{"text":"\u2603","ttl":60,"files":[', '{"ttl":', '{"', '{"title":"')
const END = fc.constantFrom('', '"', '"}', ']}', '}', '","ttl":60}', '1')

test('SEC-07: no random body of 4 MiB costs more than 20 ms', async () => {
  const route = routes.find(({ method, path }) => method === 'POST' && path === '/secret') as BodyRoute
  await fc.assert(
    fc.asyncProperty(fc.record({ start: START, unit, end: END }), async ({ start, unit, end }) => {
      expect(await findExcess(route, Buffer.from(fill(start, unit, end, limitOf(route))), 'visitor')).toBeNull()
    }),
    { numRuns: RUNS },
  )
}, 300_000)
