/**
 * Which routes respond, for every policy, role, way to sign in and age of the proof. The tables repeat the rules on
 * purpose, so that a change of the route table or of the policy has to be made in both places. Routes with the same
 * rules take turns: each caller tries some of them under each policy, and each route is tried under each policy.
 */
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAuthenticatorApp, addPasskey, withCookies } from '#test/factors'
import { fakeAuth } from '#test/fake-auth'
import { OWN_PAGE, onOneStorage, type Site } from '#test/for-each-storage'
import { redirectCalls } from '#test/redirect-calls'
import type { TestUser } from '#test/test-app'
import { routes } from './routes/index.js'
import type { Route, RouteConfig } from './routes/route.js'

const MINUTE = 60_000
const POLICIES = ['off', 'optional', 'administrators', 'everyone'] as const
type Policy = (typeof POLICIES)[number]

/** `provider-factor`: its second factor counts. */
type Way = 'password' | 'code' | 'passkey' | 'provider' | 'provider-factor' | 'proxy' | 'token'

interface Cell {
  role: 'user' | 'admin'
  hasFactor: boolean
  way: Way
}

const WAYS: Way[] = ['password', 'provider', 'provider-factor', 'proxy', 'token']
const CELLS: Cell[] = (['user', 'admin'] as const).flatMap((role) => [
  ...WAYS.map((way) => ({ role, hasFactor: false, way })),
  ...[...WAYS, 'code' as const, 'passkey' as const].map((way) => ({ role, hasFactor: true, way })),
])

/** Routes of callers who have to complete the sign-in, or to add a second factor. */
const WHILE_RESTRICTED = new Set([
  'GET /secret/public',
  'GET /secret/public/:username',
  'GET /secret/:id/exist',
  'GET /secret/:id',
  'POST /secret/:id',
  'POST /secret/:id/ack',
  'POST /secret/:id/code',
  'POST /download',
  'POST /authentication/signup',
  'POST /authentication/signin',
  'POST /authentication/setup',
  'POST /authentication/forgot',
  'POST /authentication/reset',
  'POST /authentication/reset/access',
  'POST /authentication/verify-email',
  'POST /authentication/signout',
  'GET /authentication/verify',
  'GET /authentication/refresh',
  'GET /authentication/:provider/start',
  'GET /authentication/:provider/callback',
  'POST /authentication/second-factor/options',
  'POST /authentication/second-factor',
  'POST /authentication/passkey/options',
  'POST /authentication/passkey',
  'POST /authentication/device',
  'POST /authentication/device/token',
  'GET /account',
  'PUT /account/update',
  'GET /account/factors',
  'POST /account/factors/passkeys/options',
  'POST /account/factors/passkeys',
  'DELETE /account/factors/passkeys',
  'POST /account/factors/authenticator/options',
  'POST /account/factors/authenticator',
  'DELETE /account/factors/authenticator',
  'POST /account/factors/recovery-codes',
  'POST /account/proof/options',
  'POST /account/proof',
  'GET /notifications/unsubscribe/:token',
  'POST /notifications/unsubscribe/:token',
  'GET /settings',
  'GET /healthz',
  'GET /readyz',
])

/** Routes that need a proof of every caller. */
const PROOF_ALWAYS = new Set([
  'POST /authentication/:provider/connect',
  'DELETE /account/identities',
  'POST /account/tokens',
  'POST /account/device',
  'POST /account/webhooks',
  'PUT /account/webhooks/:id',
  'DELETE /account/webhooks/:id',
  'POST /account/webhooks/:id/secret',
  'POST /account/factors/passkeys/options',
  'POST /account/factors/passkeys',
  'DELETE /account/factors/passkeys',
  'POST /account/factors/authenticator/options',
  'POST /account/factors/authenticator',
  'DELETE /account/factors/authenticator',
  'POST /account/factors/recovery-codes',
  'POST /admin/users',
  'PUT /admin/users',
  'DELETE /admin/users',
  'DELETE /admin/sessions',
  'POST /admin/lock-out',
  'POST /admin/factors/reset',
  'DELETE /admin/access',
  'DELETE /admin/tokens',
  'PUT /admin/policies',
  'PUT /admin/presets',
  'PUT /admin/settings',
  'PUT /admin/settings/plugins',
])

/** Routes that need the password of other accounts in the request. */
const PROOF_WITH_FACTOR = new Set(['PUT /account/update', 'POST /account/lock-out', 'POST /account/delete'])

const ALL = routes({ statsFor: 'anyone' } as RouteConfig)
const nameOf = ({ method, path }: Route): string => `${method} ${path}`

/** A caller tries one of this many routes with the same rules. */
const TURNS = 8
/** Routes with the same rules, from the tables of this file. */
const CLASSES: Route[][] = [...new Set(ALL.map(classOf))].map((name) => ALL.filter((route) => classOf(route) === name))

function classOf(route: Route): string {
  const name = nameOf(route)
  const isIn = [WHILE_RESTRICTED, PROOF_ALWAYS, PROOF_WITH_FACTOR].map((names) => names.has(name))
  return JSON.stringify([route.requires, route.allowAnonymous, route.proof, ...isIn])
}

/** The routes of a turn: some of each class, and others for the next number. */
const routesOfTurn = (turn: number): Route[] =>
  CLASSES.flatMap((routes) => routes.filter((_, index) => (turn + index) % Math.min(TURNS, routes.length) === 0))
const REFUSALS = [
  'auth.required',
  'auth.scope',
  'auth.admin_only',
  'auth.second_factor_required',
  'auth.factor_enrolment_required',
  'auth.proof_required',
]

const isCovered = ({ role }: Cell, policy: Policy): boolean =>
  policy === 'everyone' || (policy === 'administrators' && role === 'admin')

/** Whether the factor of the account is asked for. */
const isAsked = ({ hasFactor }: Cell, policy: Policy): boolean => hasFactor && policy !== 'off'

/** Whether only the first step of the sign-in has succeeded. */
const isVisitor = (cell: Cell, policy: Policy): boolean =>
  isAsked(cell, policy) && (cell.way === 'password' || (cell.way === 'provider' && isCovered(cell, policy)))

const hasLevelTwo = ({ way }: Cell): boolean => ['code', 'passkey', 'provider-factor', 'token'].includes(way)

/** The error code of a refusal, or null. The time for adding a second factor has ended for every account. */
function expectedRefusal(route: Route, cell: Cell, policy: Policy, ageMs: number): string | null {
  const { requires, allowAnonymous } = route
  const name = nameOf(route)
  const { role, hasFactor, way } = cell
  const isPublic = requires === undefined || allowAnonymous === true
  if (isVisitor(cell, policy)) return isPublic ? null : 'auth.required'
  if (isCovered(cell, policy) && !hasLevelTwo(cell) && !WHILE_RESTRICTED.has(name))
    return hasFactor ? 'auth.second_factor_required' : 'auth.factor_enrolment_required'
  if (requires === 'session' && (way === 'token' || way === 'proxy')) return 'auth.required'
  if (requires === 'interactive' && way === 'token') return 'auth.scope'
  if (requires?.startsWith('admin') && role === 'user') return 'auth.admin_only'
  const needsProof = PROOF_ALWAYS.has(name) || (PROOF_WITH_FACTOR.has(name) && isAsked(cell, policy))
  if (!needsProof || way === 'token') return null
  // A provider without a second factor, and a proxy, prove only accounts without a second factor.
  const isProven = !isAsked(cell, policy) || hasLevelTwo(cell)
  return isProven && (way === 'proxy' || ageMs < 10 * MINUTE) ? null : 'auth.proof_required'
}

interface Person {
  user: TestUser
  /** Of the authenticator app. */
  code?: () => string
  passkey?: Awaited<ReturnType<typeof addPasskey>>['passkey']
}

describe.each(POLICIES)('policy %s', (policy) => {
  onOneStorage(
    (site) => {
      const agent = new Agent({ keepAlive: true })
      afterAll(() => agent.destroy())
      const callers: [Cell, Record<string, string>][] = []
      let signedInAt: number
      beforeAll(async () => {
        const people = new Map<string, Person>()
        const keyOf = ({ role, hasFactor }: Cell) => `${role} ${hasFactor}`
        for (const cell of CELLS) {
          if (people.has(keyOf(cell))) continue
          const user = await site.app.signUp({ role: cell.role })
          const identity = { provider: 'company', subject: user.id }
          await site.app.storage.users.link(user.id, identity, 0)
          people.set(keyOf(cell), { user, ...(cell.hasFactor && (await addFactors(site, user))) })
        }
        const changes = {
          second_factor: policy,
          second_factor_grace_days: '0',
          second_factor_by_provider: true,
        } as const
        await site.app.settings.update(changes, { username: null, address: null })
        // Codes of an authenticator app are accepted once.
        site.app.clock.now += MINUTE
        signedInAt = site.app.clock.now
        for (const cell of CELLS) callers.push([cell, await signIn(site, cell, people.get(keyOf(cell)) as Person)])
      })

      test.each([
        ['fresh', 0],
        ['9 minutes old', 9 * MINUTE],
        ['11 minutes old', 11 * MINUTE],
      ])(
        'SEC-50: each route refuses the callers that the policy and its proof rule exclude; proofs are %s',
        async (_, ageMs) => {
          site.app.clock.now = signedInAt + ageMs
          const wrong: string[] = []
          const answers: Answer[] = []
          for (const [index, [cell, headers]] of callers.entries()) {
            const routes = routesOfTurn(index + POLICIES.indexOf(policy) + ageMs / MINUTE)
            // The age of a proof changes nothing elsewhere. Last, because one of these routes renews the session.
            const hasProof = (route: Route) => PROOF_ALWAYS.has(nameOf(route)) || route.proof
            for (const route of ageMs > 10 * MINUTE ? routes : routes.filter(hasProof)) {
              const code = await send(agent, site.port, route, headers)
              const expected = expectedRefusal(route, cell, policy, ageMs)
              if (code !== expected)
                wrong.push(`${Object.values(cell).join(' ')}, ${nameOf(route)}: ${code}, expected ${expected}`)
              if (code === null) answers.push({ cell, name: nameOf(route) })
            }
          }
          expect(wrong).toEqual([])
          expect(answers.filter((answer) => isTooMuch(answer, policy))).toEqual([])
          expect(answers.length).toBeGreaterThan(20)
        },
      )
    },
    { shared: true, app: { auth: [fakeAuth()] } },
  )
})

test('each route has its turn under each policy', () => {
  for (const [policy] of POLICIES.entries()) {
    const tried = new Set(CELLS.flatMap((_, index) => routesOfTurn(index + policy)))
    expect(tried.size).toBe(ALL.length)
  }
})

test('the tables of this file name existing routes', () => {
  const names = new Set(ALL.map(nameOf))
  const unknown = [...WHILE_RESTRICTED, ...PROOF_ALWAYS, ...PROOF_WITH_FACTOR].filter((name) => !names.has(name))
  expect(unknown).toEqual([])
})

interface Answer {
  cell: Cell
  name: string
}

/** Whether administration or a new token was granted without the required second factor. */
function isTooMuch({ cell, name }: Answer, policy: Policy): boolean {
  const isGuarded = / \/admin\//.test(name) || ['POST /account/tokens', 'POST /account/device'].includes(name)
  return isGuarded && isCovered(cell, policy) && !hasLevelTwo(cell)
}

async function addFactors(site: Site, user: TestUser): Promise<Pick<Person, 'code' | 'passkey'>> {
  const session = await site.app.as(user)
  const { code } = await addAuthenticatorApp(site, session)
  const { passkey } = await addPasskey(site, session)
  return { code, passkey }
}

/** Headers of a browser or program after the sign-in. */
async function signIn(site: Site, { way }: Cell, { user, code, passkey }: Person): Promise<Record<string, string>> {
  const { username, password, email, id: subject } = user
  const post = (path: string, headers: Record<string, string>, body?: object) =>
    site.call('POST', `/authentication/${path}`, headers, body).expect(200)
  const identity = { subject, username, email, secondFactor: way === 'provider-factor' }
  switch (way) {
    case 'token':
      return { ...OWN_PAGE, Authorization: `Bearer ${await site.app.tokenOf(user)}` }
    case 'proxy':
      return { ...OWN_PAGE, 'X-Company-Identity': JSON.stringify(identity) }
    case 'provider':
    case 'provider-factor': {
      const { start, back } = redirectCalls(site)
      const { state, Cookie } = await start()
      return withCookies(OWN_PAGE, await back(state, Cookie, identity))
    }
    case 'passkey': {
      const options = await post('passkey/options', OWN_PAGE)
      const used = { passkey: passkey?.get(options.body) }
      return withCookies(OWN_PAGE, await post('passkey', withCookies(OWN_PAGE, options), used))
    }
    default: {
      const first = await post('signin', OWN_PAGE, { username, password })
      const after = withCookies(OWN_PAGE, first)
      if (way === 'password' || first.body.secondFactor === undefined) return after
      return withCookies(after, await post('second-factor', after, { code: code?.() }))
    }
  }
}

/** The code of the refusal, or null. The query makes each route that changes something invalid, so that it does not. */
function send(agent: Agent, port: number, route: Route, headers: Record<string, string>): Promise<string | null> {
  const { method } = route
  const path = route.path.replace(':provider', 'company').replace(/:\w+/g, 'A'.repeat(22))
  const query = method === 'GET' ? '' : '?unknown=1'
  return new Promise((resolve, reject) => {
    const sent = { Host: 'secrets.example.org', ...headers }
    const options = { agent, port, method, path: `/api/v1${path}${query}`, headers: sent }
    const outgoing = request(options, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const isJson = response.headers['content-type']?.includes('json')
        const code: unknown = isJson ? JSON.parse(text)?.code : undefined
        // The page of a redirect gets the code in its address.
        const told = new URL(response.headers.location ?? '/', 'https://x').searchParams.get('error') ?? code
        resolve(REFUSALS.includes(String(told)) ? String(told) : null)
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
