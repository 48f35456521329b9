/**
 * Hostile JSON bodies on every route that has one, for every kind of caller: never a 5xx, an error that names the
 * invalid field, and no part of a body in the log or the audit log. test/chaos/body-cost.test.ts measures their cost.
 */
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { OWN_PAGE, onMemory, type Site } from '#test/for-each-storage'
import { type BodyRoute, type HostileBody, hostileBodies, listBodyRoutes } from '#test/hostile-bodies'
import { recordingNotifier } from '#test/recording-notifier'
import { ALL_ROUTES, bodyLimitOf } from '#test/response-schemas'
import { silentWebhookSender } from '#test/silent-webhook-sender'
import { definePlugin, type Plugin } from '../plugins/plugin.js'
import { route } from '../plugins/plugin-route.js'

const MAX_TEXT = 32 * 1024
const FORMS_LIMIT = 80 * 1024

const forms = definePlugin({
  contract: 1,
  name: 'forms',
  options: z.object({}),
  setup: () => ({
    routes: [
      route({
        method: 'POST',
        path: '/forms',
        summary: 'Fill in a form',
        access: 'anyone',
        bodyLimit: FORMS_LIMIT,
        body: z.strictObject({ name: z.string().max(100), answers: z.array(z.int()).optional() }),
        handle: async () => {},
      }),
    ],
  }),
}) as Plugin

type Caller = 'visitor' | 'user' | 'admin' | 'token'
const CALLERS: Caller[] = ['visitor', 'user', 'admin', 'token']
/** A caller without access is refused before the body is read, for any body. */
const REFUSALS = ['auth.required', 'auth.scope', 'auth.admin_only']

interface Answer {
  status: number
  body: { code?: string; field?: string; message?: string }
}

function createSender(site: Site) {
  const credentials = new Map<Caller, Record<string, string>>()

  async function signIn(caller: Caller): Promise<Record<string, string>> {
    if (caller === 'visitor') return {}
    const user = await site.app.signUp({ role: caller === 'user' ? 'user' : 'admin', emailVerified: 1 })
    return caller === 'token' ? { authorization: `Bearer ${await site.app.tokenOf(user)}` } : site.app.as(user)
  }

  /** Signs in again after a request that ended the session of the caller. */
  return async ({ method, path }: BodyRoute, bytes: Buffer, caller: Caller): Promise<Answer> => {
    const known = credentials.get(caller) ?? (await signIn(caller))
    credentials.set(caller, known)
    const answer = await send(site.port, method, path, { ...OWN_PAGE, ...known }, bytes)
    if (answer.status === 401) credentials.delete(caller)
    return answer
  }
}

function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  bytes: Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { 'content-type': 'application/json', 'content-length': bytes.length, ...headers }
    const options = { host: '127.0.0.1', port, method, path: `/api/v1${path}`, headers: all }
    const outgoing = request(options, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode ?? 0, body: text === '' ? {} : JSON.parse(text) })
    })
    outgoing.on('error', reject).end(bytes)
  })
}

/** The fault of the response; null if it is correct. */
function findFault({ status, body }: Answer, { bytes, field }: HostileBody, maxBytes: number): string | null {
  if (status >= 500) return `status ${status}`
  if (bytes.length > maxBytes && (status !== 413 || body.field !== undefined)) return `status ${status} over the limit`
  if (field !== undefined && !(status === 400 && isWithin(body.field, field))) return `${status} names ${body.field}`
  if (status === 400 && JSON.stringify(body).length > 1000) return 'the response quotes the body'
  return null
}

const isWithin = (named = '', field: string): boolean => named === field || named.startsWith(`${field}.`)

/** Any part of a hostile body with a short unit that is repeated, or one of its keys. */
const PART_OF_BODY = /(.{1,6})\1{11}|key-\d|isAdmin|toString/s

onMemory(
  (site) => {
    test('SEC-09, SEC-29, SEC-32, SEC-07: hostile bodies on every route get a 4xx that names the field', async () => {
      const document = (await site.call('GET', '/openapi.json').expect(200)).body
      const routes = listBodyRoutes(document)
      const sendAs = createSender(site)
      const faults: string[] = []
      for (const [index, route] of routes.entries()) {
        const maxBytes = route.path === '/forms' ? FORMS_LIMIT : bodyLimitOf(route.method, route.path, MAX_TEXT)
        const callers: Caller[] = []
        for (const caller of CALLERS) {
          const { body } = await sendAs(route, Buffer.from('[]'), caller)
          if (!REFUSALS.includes(body.code ?? '')) callers.push(caller)
        }
        expect(callers, route.path).not.toEqual([])
        for (const [count, hostile] of [...hostileBodies(route, maxBytes)].entries()) {
          // Callers take turns. Of bodies without a field, each route gets every fifth, because all routes parse them
          // in the same way.
          if (hostile.field === undefined && (count + index) % 5 !== 0) continue
          const caller = callers[count % callers.length] as Caller
          const fault = findFault(await sendAs(route, hostile.bytes, caller), hostile, maxBytes)
          if (fault !== null) faults.push(`${route.method} ${route.path} (${caller}): ${hostile.name}: ${fault}`)
        }
      }
      expect(faults).toEqual([])
      expect(routes.length).toBe(ALL_ROUTES.filter(({ body }) => body).length + 1)
      await site.app.audit.flush()
      const audit = JSON.stringify(await site.app.storage.audit.list({}, { skip: 0, take: 10_000 }))
      expect(PART_OF_BODY.exec(audit)?.[0]).toBeUndefined()
      expect(PART_OF_BODY.exec(site.app.logged.join(''))?.[0]).toBeUndefined()
    })
  },
  {
    shared: true,
    app: {
      plugins: [forms, recordingNotifier().notifier, silentWebhookSender],
      settings: { maxTextBytes: MAX_TEXT, trustedProxies: ['127.0.0.0/8'] },
    },
  },
)
