/** Who may create secrets and requests, by the instance settings. */
import type { AuthContext } from '../contracts/auth-context.js'
import { AppError, type ErrorCode } from '../lib/errors.js'
import type { CurrentSettings } from './create-settings.js'

export type Creator = Pick<AuthContext, 'role' | 'emailVerified' | 'creationDeniedBy'>

/** Why a signed-in caller counts as a visitor who creates secrets; null if not. */
export function findEmailRefusal(
  { role, emailVerified }: Creator,
  { requiresVerifiedEmail }: CurrentSettings,
): 'auth.email_unverified' | null {
  return role === 'user' && requiresVerifiedEmail && !emailVerified ? 'auth.email_unverified' : null
}

/**
 * Why the groups of a caller at the sign-in provider do not let the caller create secrets; null if they do, or do not
 * decide.
 */
export function findGroupRefusal(
  { role, creationDeniedBy }: Creator,
  { creationDeciders }: CurrentSettings,
): 'auth.not_creator' | null {
  const isDenied = role === 'user' && creationDeniedBy !== null && creationDeciders.includes(creationDeniedBy)
  return isDenied ? 'auth.not_creator' : null
}

/** Why the caller cannot create secrets; null if they can. Administrators always can. */
export function findCreateRefusal(caller: Creator, settings: CurrentSettings): ErrorCode | null {
  const { role } = caller
  const { read_only, who_can_create } = settings
  if (role === 'admin') return null
  if (read_only) return 'settings.read_only'
  if (who_can_create === 'admins') return 'settings.admins_only'
  const refusal = findGroupRefusal(caller, settings)
  if (refusal || who_can_create === 'anyone') return refusal
  return role === null ? 'settings.users_only' : findEmailRefusal(caller, settings)
}

/** Why the caller cannot create requests for secrets; null if they can. */
export function findRequestRefusal(caller: Creator, settings: CurrentSettings): ErrorCode | null {
  const { role } = caller
  if (settings.who_can_request === 'none') return 'settings.requests_disabled'
  const refusal = findCreateRefusal(caller, settings)
  if (refusal || role === 'admin' || settings.who_can_request === 'anyone') return refusal
  if (role === null) return 'auth.required'
  return settings.who_can_request === 'users' ? findEmailRefusal(caller, settings) : 'auth.admin_only'
}

/**
 * Throws AppError `settings.read_only`, `settings.users_only`, `settings.admins_only`, `auth.not_creator` or
 * `auth.email_unverified`.
 */
export function assertCanCreate(caller: Creator, settings: CurrentSettings): void {
  const refusal = findCreateRefusal(caller, settings)
  if (refusal) throw new AppError(refusal)
}

/** For actions that only users may do. Throws AppError `auth.email_unverified`. */
export function assertEmailVerified(caller: Creator, settings: CurrentSettings): void {
  const refusal = findEmailRefusal(caller, settings)
  if (refusal) throw new AppError(refusal)
}
