/**
 * Random requests to every endpoint: never a 5xx, and errors always in the documented shape. A failure prints its seed.
 */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bech32 } from '@scure/base'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { z } from 'zod'
import { makeStorage, type TestStorage } from '#test/databases'
import { describeEachStorage } from '#test/for-each-engine'
import { memoryFiles } from '#test/memory-plugin'
import { ALL_ROUTES, assertMatchesSchema, routeOf } from '#test/response-schemas'
import { type TestApp, testApp } from '#test/test-app'
import { ApiError } from '../shared/api/index.js'
import { type Route, statusOf } from './routes/route.js'

let app: TestApp
let server: Server
let base: string
/** A hybrid recipient with a key of zeros. */
const RECIPIENT = bech32.encode('age1pq', bech32.toWords(new Uint8Array(1216)), false)
/** Each creates an account, unless it is anonymous, and returns the headers that authenticate it. */
const signIn: Record<'anonymous' | 'user' | 'admin' | 'browser', () => Promise<Record<string, string>>> = {
  anonymous: async () => ({}),
  user: async () => ({ authorization: `Bearer ${await app.tokenOf(await app.signUp())}` }),
  admin: async () => ({ authorization: `Bearer ${await app.tokenOf(await app.signUp({ role: 'admin' }))}` }),
  browser: async () => app.as(await app.signUp({ role: 'admin' })),
}
const CALLERS = Object.keys(signIn) as (keyof typeof signIn)[]
/** The headers of callers whose account, session or token has not been refused yet. */
const headersOf = new Map<keyof typeof signIn, Record<string, string>>()
/** Values of every kind, among them good ones, so that requests also get past the schemas. */
const value = fc.oneof(
  fc.constantFrom(60, 3600, 1, true, false, null, '', 'text ☃', '10.0.0.0/8', '::1', 'A'.repeat(43), 'A'.repeat(22)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
)
const segment = fc.oneof(
  fc.constantFrom(
    'A'.repeat(22),
    `${'A'.repeat(22)}~${'A'.repeat(43)}`,
    'public',
    'x',
    '%2e%2e',
    '..',
    '%00',
    '%',
    '__proto__',
  ),
  fc.string({ maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
)

const fieldsOf = (schema: z.ZodType | undefined): string[] =>
  Object.keys((schema as z.ZodObject | undefined)?.shape ?? {})

const GOOD: Record<string, unknown> = {
  recipient: RECIPIENT,
  submit: 'A'.repeat(43),
  collect: 'A'.repeat(43),
  text: 'text ☃',
  ttl: 60,
  claim: 'A'.repeat(22),
  size: 9,
  parts: 1,
  key: 'A'.repeat(43),
  name: 'ci ☃',
  username: 'alice',
  email: 'alice@example.org',
  password: 'long enough ☃',
  currentPassword: 'wrong ☃',
  code: 'x',
}

/** A body that would pass. */
const goodBody = (call: Route): object =>
  Object.fromEntries(fieldsOf(call.body).flatMap((field) => (field in GOOD ? [[field, GOOD[field]]] : [])))

/** A body that would pass, with at most two fields changed or added. */
const changedBody = (call: Route) =>
  fc
    .dictionary(fc.constantFrom(...fieldsOf(call.body), 'extra', '__proto__', 'constructor'), value, { maxKeys: 2 })
    .map((changes) => ({ ...goodBody(call), ...changes }))

const changedHeaders = fc.dictionary(
  fc.constantFrom('mayfly-access', 'idempotency-key', 'x-forwarded-for', 'content-type', 'authorization', 'cookie'),
  fc.stringMatching(/^[\x21-\x7e]{0,60}$/),
  { maxKeys: 2 },
)

interface RandomRequest {
  call: Route
  prefix: string
  as: keyof typeof signIn
  path: string
  query: string
  body: unknown
  headers: Record<string, string>
}

const requests: fc.Arbitrary<RandomRequest> = fc.constantFrom(...ALL_ROUTES).chain((call) =>
  fc.record({
    call: fc.constant(call),
    prefix: fc.constantFrom('/api/v1', '/api'),
    as: fc.constantFrom(...CALLERS),
    path: fc.tuple(segment, segment).map(([one, two]) => call.path.replace(/:\w+/, one).replace(/:\w+/, two)),
    query: fc.oneof(
      // Most routes that change something refuse any query.
      { weight: call.method === 'GET' ? 1 : 9, arbitrary: fc.constant('') },
      fc
        .dictionary(fc.constantFrom('skip', 'take', 'search', 'x'), fc.string(), { maxKeys: 2 })
        .map((pairs) => `?${new URLSearchParams(pairs)}`),
    ),
    body: fc.oneof({ weight: 5, arbitrary: changedBody(call) }, { weight: 1, arbitrary: fc.jsonValue() }),
    headers: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: changedHeaders }),
  }),
)

/** One request to every route that nothing is wrong with, so that every run creates something. */
const GOOD_REQUESTS = ALL_ROUTES.map((call): [RandomRequest] => [
  {
    call,
    prefix: '/api/v1',
    as: 'admin',
    path: call.path.replace(/:\w+/g, 'A'.repeat(22)),
    query: '',
    body: goodBody(call),
    headers: {},
  },
])

/** Responses that the OpenAPI document lists for a route. */
const documented = (paths: Document['paths'], { method, path }: Route) =>
  paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses ?? {}

interface Document {
  paths: Record<string, Record<string, Operation>>
}
interface Operation {
  parameters: object[]
  requestBody?: Content
  responses: Record<string, Content>
}
interface Content {
  content: Record<string, { schema: { $ref?: string; properties?: object } }>
}

/** `MAYFLY_TEST_FUZZ_RUNS=50000` sends more. */
const RUNS = Number(process.env.MAYFLY_TEST_FUZZ_RUNS ?? (inject('storages').includes('memory') ? 500 : 1000))

describeEachStorage((name) => {
  let made: TestStorage
  beforeAll(async () => {
    made = await makeStorage(name)
    app = await testApp(made.storage, { files: memoryFiles })
    server = createServer(app.handler)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    headersOf.clear()
    await app.signUp({ username: 'alice' })
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await app.close()
    await made.drop()
  })

  test(
    `SEC-09, SEC-29, REL-16: ${RUNS} random requests`,
    async () => {
      const statuses = new Map<number, number>()
      const { paths } = (await (await fetch(`${base}/api/v1/openapi.json`)).json()) as Document
      await fc.assert(
        fc.asyncProperty(requests, async ({ call, as, prefix, path, query, body, headers }) => {
          const caller = headersOf.get(as) ?? (await signIn[as]())
          headersOf.set(as, caller)
          const response = await fetch(base + prefix + path + query, {
            method: call.method,
            headers: { 'content-type': 'application/json', ...caller, ...headers },
            ...(call.method === 'GET' ? {} : { body: JSON.stringify(body) }),
          })
          const text = await response.text()
          // A request before may have signed the caller out, or deleted the account.
          if (response.status === 401) headersOf.delete(as)
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
          expect(response.status, text).toBeLessThan(500)
          // `..` in a path leads to another route, or out of the API.
          const { pathname } = new URL(response.url)
          if (!pathname.startsWith('/api/')) return
          if (pathname.startsWith(prefix) && routeOf(call.method, pathname) === call)
            expect(Object.keys(documented(paths, call)), `${call.method} ${call.path}`).toContain(`${response.status}`)
          if (!response.ok) expect(ApiError.safeParse(JSON.parse(text)).error).toBe(undefined)
          else if (response.headers.get('content-type')?.startsWith('application/json'))
            assertMatchesSchema(call.method, pathname, { status: response.status, body: JSON.parse(text) })
        }),
        { numRuns: GOOD_REQUESTS.length + RUNS, examples: GOOD_REQUESTS },
      )
      // It got somewhere: things were created, found missing and refused.
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 403, 404]))
    },
    60_000 + 60 * RUNS,
  )

  test('REL-16: the OpenAPI document lists every endpoint with its errors and fields', async () => {
    const response = await fetch(`${base}/api/v1/openapi.json`)
    const document = (await response.json()) as Document
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://secrets.example.org/api/v1' }] })
    for (const route of ALL_ROUTES) {
      const { method, path, body, params } = route
      const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      expect(operation?.responses[statusOf(route)]).toBeDefined()
      expect(operation?.responses[400]?.content['application/json']?.schema.$ref).toBe('#/components/schemas/Error')
      if (params) expect(operation?.parameters[0]).toMatchObject({ in: 'path', required: true })
      const named = Object.keys(operation?.requestBody?.content['application/json']?.schema.properties ?? {})
      expect(named).toEqual(fieldsOf(body))
    }
    expect(Object.keys(document.paths)).toHaveLength(new Set(ALL_ROUTES.map(({ path }) => path)).size)
  })
})
