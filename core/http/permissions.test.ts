/**
 * Every route accepts exactly the callers that its access rules name, with all credentials. Of the API tokens with one
 * scope, it is tried with the accepted tokens, and in turns with others.
 */
import { expect, test } from 'vitest'
import { fakeAuth } from '#test/fake-auth'
import { OWN_PAGE, onMemory, type Site } from '#test/for-each-storage'
import { isAdminScope, scopesOf } from '../contracts/auth-context.js'
import type { Scope } from '../contracts/tokens.js'
import { ERRORS, type ErrorCode } from '../lib/errors.js'
import { openApiDocument } from './openapi/document.js'
import { routes } from './routes/index.js'
import type { Route, RouteConfig } from './routes/route.js'

type Role = 'anonymous' | 'user' | 'admin' | 'deleted'
type Scheme = 'none' | 'cookie' | 'Basic' | 'Bearer'

interface Caller {
  role: Role
  scheme: Scheme
  /** The only scope of the API token; absent: all scopes of its account. */
  scope?: Scope
}

const SCHEMES: Scheme[] = ['cookie', 'Basic', 'Bearer']
const CALLERS: Caller[] = [
  { role: 'anonymous', scheme: 'none' },
  ...(['user', 'admin', 'deleted'] as const).flatMap((role) => SCHEMES.map((scheme) => ({ role, scheme }))),
  ...(['user', 'admin'] as const).flatMap((role) =>
    scopesOf(role).map((scope): Caller => ({ role, scheme: 'Bearer', scope })),
  ),
]
/** Errors of the access rules, unless the handler itself throws them. */
const REFUSALS: ErrorCode[] = ['auth.required', 'auth.invalid_token', 'auth.admin_only', 'auth.scope']

/** A route is tried with one of this many scopes that it refuses. */
const TURNS = 5

const all = routes({ statsFor: 'anyone' } as RouteConfig)
const document = openApiDocument(all, { publicUrl: 'https://example.org', version: '0' })

/** The error code that a caller gets, or null. */
function expectedRefusal({ requires, allowAnonymous }: Route, { role, scheme, scope }: Caller): ErrorCode | null {
  const isToken = scheme === 'Basic' || scheme === 'Bearer'
  if (role === 'deleted' && isToken) return 'auth.invalid_token'
  if (!requires) return null
  if (role === 'anonymous' || role === 'deleted') return allowAnonymous ? null : 'auth.required'
  if (requires === 'session' && isToken) return 'auth.required'
  if (requires === 'interactive' && isToken) return 'auth.scope'
  if (isAdminScope(requires) && role !== 'admin') return 'auth.admin_only'
  if (scope === undefined || scope === requires || requires === 'user' || requires === 'interactive') return null
  return scope === 'admin' && isAdminScope(requires) ? null : 'auth.scope'
}

/** The callers that try a route. `turn`: its number. */
const callersOf = (route: Route, turn: number): Caller[] =>
  CALLERS.filter(
    (caller, index) =>
      caller.scope === undefined || expectedRefusal(route, caller) === null || (turn + index) % TURNS === 0,
  )

async function credentials({ app }: Site, { role, scheme, scope }: Caller): Promise<Record<string, string>> {
  if (role === 'anonymous') return {}
  const user = await app.signUp({ role: role === 'admin' ? 'admin' : 'user' })
  const token = await app.tokenOf(user, scope && { scopes: [scope] })
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
    /** Of callers that keep their credentials, because a route refuses them or only reads. */
    const reusable = new Map<Caller, Record<string, string>>()
    test.each(all.map((route, turn) => ({ ...route, route, turn })))(
      'SEC-10: $method $path',
      async ({ method, path, errors, route, turn }) => {
        if (!(await site.app.storage.users.hasAdmin())) await site.app.signUp({ role: 'admin' })
        const responses: string[] = []
        const expected: string[] = []
        for (const caller of callersOf(route, turn)) {
          const code = expectedRefusal(route, caller)
          const isKept = code !== null || method === 'GET' || caller.role === 'deleted'
          const own = (isKept ? reusable.get(caller) : undefined) ?? (await credentials(site, caller))
          if (isKept) reusable.set(caller, own)
          const headers = { ...OWN_PAGE, ...own }
          const address = path.replace(/:\w+/g, 'A'.repeat(22))
          const { status, body } = await site.call(method, address, headers, exampleBody(route))
          const isRefused = REFUSALS.includes(body?.code) && !errors?.includes(body.code)
          const name = Object.values(caller).join(' ')
          responses.push(`${name}: ${isRefused ? `${status} ${body.code}` : 'allowed'}`)
          expected.push(`${name}: ${code ? `${ERRORS[code][0]} ${code}` : 'allowed'}`)
          expect(status).toBeLessThan(500)
        }
        expect(responses).toEqual(expected)
      },
    )
  },
  { shared: true, app: { auth: [fakeAuth()] } },
)
