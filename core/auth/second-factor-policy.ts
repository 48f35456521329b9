/** Second factors: which accounts need one and from when on, and the restrictions of a caller without it. */
import { type AuthContext, toAuthContext } from '../contracts/auth-context.js'
import type { Identity } from '../contracts/auth-provider.js'
import type { User } from '../contracts/users.js'
import { AppError } from '../lib/errors.js'
import type { CurrentSettings } from '../settings/create-settings.js'
import type { EpochMs } from '../shared/epoch-ms.js'

const DAY_MS = 24 * 60 * 60_000

type Policed = Pick<User, 'role' | 'createdAt' | 'secondFactor'>

/** Whether the policy requires a second factor of accounts with this role. */
export const isCovered = ({ role }: Pick<User, 'role'>, { second_factor }: CurrentSettings): boolean =>
  second_factor === 'everyone' || (second_factor === 'administrators' && role === 'admin')

/** Whether an account has a second factor that counts: false while second factors are turned off. */
export const hasSecondFactor = ({ secondFactor }: Policed, { second_factor }: CurrentSettings): boolean =>
  secondFactor && second_factor !== 'off'

/** The level of a sign-in at a provider that asserts `identity`. */
export const levelOf = ({ secondFactor }: Pick<Identity, 'secondFactor'>, settings: CurrentSettings): 1 | 2 =>
  secondFactor === true && settings.second_factor_by_provider ? 2 : 1

/** When an account without a second factor can do nothing but add one; null: never. */
export function findGraceEnd(user: Policed, settings: CurrentSettings): EpochMs | null {
  if (user.secondFactor || !isCovered(user, settings)) return null
  return Math.max(settings.secondFactorSince, user.createdAt) + Number(settings.second_factor_grace_days) * DAY_MS
}

/** Why a caller may only complete the sign-in or add a second factor; null if it may do everything. */
function findRestriction(
  user: Policed,
  { level, now }: { level: AuthContext['level']; now: EpochMs },
  settings: CurrentSettings,
): AuthContext['restricted'] {
  if (level === 2 || !isCovered(user, settings)) return null
  if (user.secondFactor) return 'second-factor'
  const graceEnd = findGraceEnd(user, settings)
  return graceEnd !== null && now >= graceEnd ? 'enrolment' : null
}

/** Auth context of a user who makes a request, with the restrictions of the policy. `level`: 1 for a proxy. */
export function identifyUser(
  user: User,
  credentials: Parameters<typeof toAuthContext>[1] & Pick<AuthContext, 'level'>,
  { settings, now }: { settings: CurrentSettings; now: EpochMs },
): AuthContext {
  const restricted = findRestriction(user, { level: credentials.level, now }, settings)
  const caller = toAuthContext(user, { ...credentials, secondFactor: hasSecondFactor(user, settings), restricted })
  return restricted === null ? caller : { ...caller, scopes: [] }
}

/** Throws AppError `auth.second_factor_required` or `auth.factor_enrolment_required`. */
export function assertUnrestricted({ restricted }: AuthContext): void {
  if (restricted !== null) throw new AppError(RESTRICTIONS[restricted])
}

const RESTRICTIONS = {
  'second-factor': 'auth.second_factor_required',
  enrolment: 'auth.factor_enrolment_required',
} as const
