/** Every route lets exactly those callers through that its access rules name, with every kind of credentials. */
import { expect, test } from 'vitest'
import { fakeAuth } from '#test/fake-auth'
import { OWN_PAGE, onMemory, type Site } from '#test/for-each-storage'
import { ERRORS, type ErrorCode } from '../lib/errors.js'
import { openApiDocument } from './openapi/document.js'
import { routes } from './routes/index.js'
import type { Route, RouteConfig } from './routes/route.js'

type Role = 'anonymous' | 'user' | 'admin' | 'deleted'
type Scheme = 'none' | 'cookie' | 'Basic' | 'Bearer'

const SCHEMES: Scheme[] = ['cookie', 'Basic', 'Bearer']
const CALLERS: [Role, Scheme][] = [
  ['anonymous', 'none'],
  ...(['user', 'admin', 'deleted'] as const).flatMap((role) => SCHEMES.map((scheme): [Role, Scheme] => [role, scheme])),
]
/** Errors of the access rules, unless the handler itself throws them. */
const REFUSALS: ErrorCode[] = ['auth.required', 'auth.invalid_token', 'auth.admin_only', 'auth.scope']

const all = routes({ statsFor: 'anyone' } as RouteConfig)
const document = openApiDocument(all, { publicUrl: 'https://example.org', version: '0' })

/** The error code that a caller gets, or null. An API token has all scopes of its account. */
function expectedRefusal({ requires, allowAnonymous }: Route, role: Role, scheme: Scheme): ErrorCode | null {
  const isToken = scheme === 'Basic' || scheme === 'Bearer'
  if (role === 'deleted' && isToken) return 'auth.invalid_token'
  if (!requires) return null
  if (role === 'anonymous' || role === 'deleted') return allowAnonymous ? null : 'auth.required'
  if (requires === 'session' && isToken) return 'auth.required'
  if (requires === 'interactive' && isToken) return 'auth.scope'
  return requires === 'admin' && role !== 'admin' ? 'auth.admin_only' : null
}

async function credentials({ app }: Site, role: Role, scheme: Scheme): Promise<Record<string, string>> {
  if (role === 'anonymous') return {}
  const user = await app.signUp({ role: role === 'admin' ? 'admin' : 'user' })
  const token = await app.tokenOf(user)
  const value = scheme === 'Basic' ? Buffer.from(`${token}:x`).toString('base64') : token
  const headers = scheme === 'cookie' ? await app.as(user) : { Authorization: `${scheme} ${value}` }
  if (role === 'deleted') await app.storage.users.remove(user.id, app.clock.now)
  return headers
}

/** The example of the API reference. */
function exampleBody({ method, path }: Route): unknown {
  type Operation = { requestBody?: { content: { 'application/json'?: { example?: unknown } } } }
  const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation
  return operation.requestBody?.content['application/json']?.example
}

onMemory(
  (site) => {
    test.each(all.map((route) => ({ ...route, route })))('$method $path', async ({ method, path, errors, route }) => {
      if (!(await site.app.storage.users.hasAdmin())) await site.app.signUp({ role: 'admin' })
      const responses: string[] = []
      const expected: string[] = []
      for (const [role, scheme] of CALLERS) {
        const headers = { ...OWN_PAGE, ...(await credentials(site, role, scheme)) }
        const address = path.replace(/:\w+/g, 'A'.repeat(22))
        const { status, body } = await site.call(method, address, headers, exampleBody(route))
        const isRefused = REFUSALS.includes(body?.code) && !errors?.includes(body.code)
        responses.push(`${role} ${scheme}: ${isRefused ? `${status} ${body.code}` : 'allowed'}`)
        const code = expectedRefusal(route, role, scheme)
        expected.push(`${role} ${scheme}: ${code ? `${ERRORS[code][0]} ${code}` : 'allowed'}`)
        expect(status).toBeLessThan(500)
      }
      expect(responses).toEqual(expected)
    })
  },
  { shared: true, app: { auth: [fakeAuth()] } },
)
