import { expect, test } from 'vitest'
import type { AuthContext } from '../contracts/auth-context.js'
import type { User } from '../contracts/users.js'
import type { CurrentSettings } from '../settings/create-settings.js'
import { aUser, DAY, MINUTE, T0 } from '../testing/lib/fixtures.js'
import { assertProof, assertProven } from './proof.js'
import { assertUnrestricted, findGraceEnd, hasSecondFactor, identifyUser, isCovered } from './second-factor-policy.js'

type Policy = CurrentSettings['second_factor']

/** `since`: when the policy became stricter. */
const settings = (second_factor: Policy, since = 0, second_factor_grace_days = '7') =>
  ({ second_factor, second_factor_grace_days, secondFactorSince: since }) as CurrentSettings

const identify = (user: User, level: AuthContext['level'], current: CurrentSettings, now = T0 + 1000 * DAY) =>
  identifyUser(user, { address: null, sessionId: 'session', level, provenAt: T0 }, { settings: current, now })

test.each<[Policy, user: boolean, admin: boolean]>([
  ['off', false, false],
  ['optional', false, false],
  ['administrators', false, true],
  ['everyone', true, true],
])('the policy %s covers users: %s, and administrators: %s', (policy, user, admin) => {
  expect(isCovered({ role: 'user' }, settings(policy))).toBe(user)
  expect(isCovered({ role: 'admin' }, settings(policy))).toBe(admin)
})

test('grace ends some days after the later one of the policy and the account', () => {
  const user = aUser({ createdAt: T0 })
  expect(findGraceEnd(user, settings('everyone', T0 - DAY))).toBe(T0 + 7 * DAY)
  expect(findGraceEnd(user, settings('everyone', T0 + DAY, '30'))).toBe(T0 + 31 * DAY)
  expect(findGraceEnd(user, settings('everyone', T0, '0'))).toBe(T0)
  expect(findGraceEnd(user, settings('administrators', T0))).toBeNull()
  expect(findGraceEnd({ ...user, secondFactor: true }, settings('everyone', T0))).toBeNull()
})

test('SEC-50: a covered account without a factor is restricted from the end of its grace on, at level 1', () => {
  const user = aUser({ createdAt: T0, role: 'admin' })
  const current = settings('administrators', T0)
  const end = T0 + 7 * DAY
  const before = identify(user, 1, current, end - 1)
  expect(before).toMatchObject({ restricted: null, secondFactor: false, level: 1, provenAt: T0 })
  expect(before.scopes).toContain('admin')
  const after = identify(user, 1, current, end)
  expect(after).toMatchObject({ restricted: 'enrolment', scopes: [] })
  expect(() => assertUnrestricted(before)).not.toThrow()
  expect(() => assertUnrestricted(after)).toThrow(expect.objectContaining({ code: 'auth.factor_enrolment_required' }))
  // By the factor of a provider that counts, or by an API token.
  expect(identify(user, 2, current, end)).toMatchObject({ restricted: null })
  expect(identify({ ...user, role: 'user' }, 1, current, end)).toMatchObject({ restricted: null })
})

test('SEC-50: a covered account with a factor is restricted at level 1, without grace', () => {
  const user = aUser({ createdAt: T0, secondFactor: true })
  const one = identify(user, 1, settings('everyone', T0, '30'), T0)
  expect(one).toMatchObject({ restricted: 'second-factor', scopes: [], secondFactor: true })
  expect(() => assertUnrestricted(one)).toThrow(expect.objectContaining({ code: 'auth.second_factor_required' }))
  expect(identify(user, 2, settings('everyone', T0), T0)).toMatchObject({ restricted: null })
  for (const policy of ['off', 'optional', 'administrators'] as const)
    expect(identify(user, 1, settings(policy, T0), T0)).toMatchObject({ restricted: null })
})

test('factors do not count while second factors are turned off', () => {
  const user = aUser({ secondFactor: true })
  expect(hasSecondFactor(user, settings('off'))).toBe(false)
  expect(hasSecondFactor(user, settings('optional'))).toBe(true)
  expect(hasSecondFactor(aUser(), settings('everyone'))).toBe(false)
})

const inSession = (provenAt: number | null, secondFactor = false): AuthContext => ({
  ...identify(aUser({ secondFactor }), 2, settings('optional')),
  provenAt,
})

/** The code of the refusal, or null. */
function refusalOf(check: () => void): unknown {
  try {
    check()
    return null
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

test('SEC-50: a proof counts for less than ten minutes', () => {
  const code = (caller: AuthContext, now: number) => refusalOf(() => assertProof(caller, 'always', now))
  expect(code(inSession(T0), T0)).toBeNull()
  expect(code(inSession(T0), T0 + 10 * MINUTE - 1)).toBeNull()
  expect(code(inSession(T0), T0 + 10 * MINUTE)).toBe('auth.proof_required')
  expect(code(inSession(null), T0)).toBe('auth.proof_required')
})

test('SEC-50: with-factor asks only accounts with a second factor, and no rule asks API tokens', () => {
  const at = T0 + DAY
  const code = (caller: AuthContext, rule: 'always' | 'with-factor') => refusalOf(() => assertProof(caller, rule, at))
  expect(code(inSession(T0), 'with-factor')).toBeNull()
  expect(code(inSession(T0, true), 'with-factor')).toBe('auth.proof_required')
  const token = { ...inSession(null, true), sessionId: null, tokenId: 'token' }
  expect(code(token, 'always')).toBeNull()
  expect(code(token, 'with-factor')).toBeNull()
  // An account without a password proves itself by its session only.
  expect(refusalOf(() => assertProven(token, at))).toBe('auth.proof_required')
})

test('SEC-50: a proxy proves each request of an account without a second factor', () => {
  const byProxy = { ...inSession(null), sessionId: null }
  expect(refusalOf(() => assertProof(byProxy, 'always', T0))).toBeNull()
  const withFactor = { ...inSession(null, true), sessionId: null }
  expect(refusalOf(() => assertProof(withFactor, 'always', T0))).toBe('auth.proof_required')
})
