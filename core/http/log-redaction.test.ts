/**
 * SEC-32. A thousand random requests with canaries in every part of a request: the log, at level `debug`, contains no
 * canary, and the audit log only canaries in user names. A failure prints its seed.
 */
import { request } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { onMemory, type Site } from '#test/for-each-storage'
import { ALL_ROUTES } from '#test/response-schemas'
import { definePlugin, type Plugin } from '../plugins/plugin.js'
import type { Route } from './routes/route.js'

const RUNS = 1000
const CANARY = 'CANARY-4711'
/** Forms in which a canary passes the schemas of ids, proofs, names and addresses. */
const CANARIES = [
  CANARY,
  `${CANARY} ☃`,
  CANARY.padEnd(22, 'A'),
  CANARY.padEnd(43, 'A'),
  CANARY.toLowerCase(),
  `${CANARY.toLowerCase()}@example.org`,
  `mf_${CANARY.padEnd(60, '0')}`,
  `${CANARY}\r\nforged line`,
]
const canary = fc.constantFrom(...CANARIES)
const headerCanary = fc.constantFrom(...CANARIES.slice(0, -1).map((text) => encodeURIComponent(text)))

const fieldsOf = ({ body }: Route): string[] => Object.keys((body as z.ZodObject | undefined)?.shape ?? {})

/** Valid values, so that some requests reach the use cases. */
const VALID: Record<string, unknown> = {
  text: CANARY,
  ttl: 60,
  title: CANARY,
  claim: 'A'.repeat(22),
  size: 9,
  parts: 1,
  name: CANARY,
  username: CANARY,
  password: CANARY,
  currentPassword: CANARY,
  email: `${CANARY}@example.org`,
  code: CANARY,
}

const HEADERS = [
  'mayfly-access',
  'idempotency-key',
  'x-forwarded-for',
  'authorization',
  'cookie',
  'user-agent',
  'referer',
]

const requests = fc.constantFrom(...ALL_ROUTES).chain((route) =>
  fc.record({
    method: fc.constantFrom(route.method, route.method, route.method, 'PATCH', CANARY),
    path: fc.tuple(canary, canary).map(([one, two]) => {
      const filled = route.path.replace(/:\w+/, encodeURIComponent(one)).replace(/:\w+/, encodeURIComponent(two))
      return `/api/v1${filled}`
    }),
    suffix: fc.constantFrom('', '', '', `/${CANARY}`, `?${CANARY}=${CANARY}`, `?search=${CANARY}`),
    as: fc.constantFrom('anonymous', 'user', 'admin'),
    body: fc.oneof(
      fc
        .dictionary(fc.constantFrom(...fieldsOf(route), CANARY), fc.oneof(canary, fc.array(canary), fc.object()), {
          maxKeys: 2,
        })
        .map((fields) => JSON.stringify({ ...pick(VALID, fieldsOf(route)), ...fields })),
      fc.constantFrom(`{"text":"${CANARY}`, CANARY, `["${CANARY}"]`),
    ),
    headers: fc.dictionary(fc.constantFrom(...HEADERS), headerCanary, { maxKeys: 3 }),
  }),
)

const pick = (values: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]]))

/** A page that fails with an error that quotes the request, and a listener that fails with the event. */
const careless = definePlugin({
  contract: 1,
  name: 'careless',
  options: z.object({}),
  setup: () => ({
    pages: async (ctx) => {
      const sql = `insert into secrets values ('${ctx.url}')`
      throw Object.assign(new Error(sql), { sql, name: 'DatabaseError' })
    },
    on: {
      'secret.created': (event) => {
        throw new Error(`${CANARY} ${JSON.stringify(event)}`)
      },
    },
  }),
}) as Plugin

/** Sends requests that `fetch` would refuse or normalize. */
function send(
  site: Site,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port: site.port, host: '127.0.0.1', method, path, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    outgoing.on('error', reject).end(method === 'GET' ? undefined : body)
  })
}

onMemory(
  (site) => {
    test(`SEC-32: ${RUNS} random requests leave none of their values in the log`, async () => {
      const [user, admin] = [await site.app.signUp({ username: 'alice' }), await site.app.signUp({ role: 'admin' })]
      const credentials: Record<string, Record<string, string>> = {
        anonymous: {},
        user: { authorization: `Bearer ${await site.app.tokenOf(user)}` },
        admin: await site.app.as(admin),
      }
      const statuses = new Set<number>()
      site.app.logged.length = 0
      await fc.assert(
        fc.asyncProperty(requests, async ({ method, path, suffix, as, body, headers }) => {
          const all = {
            'content-type': 'application/json',
            host: 'secrets.example.org',
            ...credentials[as],
            ...headers,
          }
          // Node refuses unknown methods on its own.
          const known = method === CANARY ? 'POST' : method
          statuses.add(await send(site, known, path + suffix, all, body))
        }),
        { numRuns: RUNS },
      )
      const usual = { host: 'secrets.example.org', 'content-type': 'application/json', cookie: CANARY }
      const secret = { text: CANARY, title: CANARY, password: CANARY, ttl: 60 }
      expect(await send(site, 'POST', '/api/v1/secret', usual, JSON.stringify(secret))).toBe(201)
      expect(await send(site, 'GET', `/${CANARY}?${CANARY}`, usual, '')).toBe(500)
      const log = site.app.logged.join('')
      expect(log.match(/"msg":"request"/g)?.length).toBe(RUNS + 2)
      expect([...statuses]).toEqual(expect.arrayContaining([400, 401, 404, 405]))
      expect(log).toContain('"msg":"unexpected error"')
      expect(log.split('\n').filter((line) => line.toUpperCase().includes(CANARY))).toEqual([])
      await site.app.audit.flush()
      const audit = JSON.stringify(await site.app.storage.audit.list({}, { skip: 0, take: 10_000 }))
      expect(audit).not.toContain(CANARY)
      expect(audit).not.toContain('@example.org')
    })
  },
  { shared: true, app: { plugins: [careless], settings: { trustedProxies: ['127.0.0.0/8'] } } },
)
