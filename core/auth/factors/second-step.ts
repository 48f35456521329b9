/** The second step of a sign-in, and the sign-in with a passkey, which is a single step. */
import type { App } from '../../app.js'
import type { AuthContext } from '../../contracts/auth-context.js'
import type { User } from '../../contracts/users.js'
import { AppError } from '../../lib/errors.js'
import type { FinishSecondStep, PasskeyRequest, SecondStepOptions, UsedPasskey } from '../../shared/api/index.js'
import { identifyDevice } from '../known-devices.js'
import { type ChallengeUse, challengeUse } from '../passkey-challenge.js'
import { findPendingSignIn } from '../pending-sign-in.js'
import type { RequestHeaders } from '../request-headers.js'
import type { OpenedSession } from '../sessions.js'
import { openAuditedSession } from '../sign-in.js'
import { reportSignIn } from '../sign-in-alerts.js'
import { hasLocalPasswords } from '../sign-in-methods.js'
import { loadSelf } from '../verify-caller.js'
import { createAssertion, verifyAssertion, type WithChallenge } from './passkeys.js'
import { prepareFactor, verifyFactor } from './verify-factor.js'

/** Data that the browser sent. A cookie is null if it is missing. */
export interface SignInRequest extends RequestHeaders {
  pending: string | null
  challenge: string | null
  deviceCookie: string | null
}

/** Also returns the cookie of the challenge; null: no passkey. Throws AppError `auth.second_step_expired`. */
export async function prepareSecondStep(
  app: App,
  pending: string | null,
  caller: AuthContext,
): Promise<SecondStepOptions & { cookie: string | null }> {
  const { user } = await requireFirstStep(app, pending, caller)
  return prepareFactor(app, user.id, challengeUse('second-step', user, caller))
}

/**
 * Opens a session of level 2. Throws AppError `auth.second_step_expired`, `auth.suspended`, `auth.users_disabled`, or
 * an error of `verifyFactor`.
 */
export async function finishSecondStep(
  app: App,
  given: FinishSecondStep,
  caller: AuthContext,
  request: SignInRequest,
): Promise<OpenedSession> {
  const { pending, challenge, client, deviceCookie } = request
  const { user, end } = await requireFirstStep(app, pending, caller)
  const isKnown = deviceCookie !== null && identifyDevice(app, user, deviceCookie) !== null
  await verifyFactor(app, user, given, { caller, challenge, use: challengeUse('second-step', user, caller), isKnown })
  if (!(await end())) throw new AppError('auth.second_step_expired')
  const opened = await openAuditedSession(app, user, caller, { client, level: 2 })
  reportSignIn(app, user, caller, request)
  return opened
}

export const preparePasskeySignIn = (app: App): WithChallenge<PasskeyRequest> => createAssertion(app, [], SIGN_IN)

/**
 * Opens a session of level 2. A passkey replaces the password of an account. An account without a password signs in at
 * its provider, which decides whether the user still may. Throws AppError `auth.passkey_refused`, `auth.suspended` or
 * `auth.users_disabled`.
 */
export async function signInByPasskey(
  app: App,
  used: UsedPasskey,
  caller: AuthContext,
  request: SignInRequest,
): Promise<OpenedSession> {
  const user = await verifySignIn(app, used, request.challenge, caller).catch(async (error) => {
    await app.audit.note({ action: 'session.refused', caller, detail: { provider: 'passkey' } })
    void app.emit('session.refused', { provider: 'passkey' })
    throw error
  })
  const opened = await openAuditedSession(app, user, caller, { client: request.client, level: 2 })
  reportSignIn(app, user, caller, request)
  return opened
}

async function verifySignIn(app: App, used: UsedPasskey, cookie: string | null, caller: AuthContext): Promise<User> {
  const user = await verifyAssertion(app, used, { cookie, use: SIGN_IN, caller })
  if (user.passwordHash === null || !hasLocalPasswords(app)) throw new AppError('auth.passkey_refused')
  return user
}

const SIGN_IN: ChallengeUse = { purpose: 'sign-in', userId: null, sessionId: null }

/**
 * The user whose first step has succeeded, by a pending sign-in or as a restricted caller. Throws AppError
 * `auth.second_step_expired`.
 */
async function requireFirstStep(
  app: App,
  pending: string | null,
  caller: AuthContext,
): Promise<{ user: User; end(): Promise<boolean> }> {
  const found = pending === null ? null : await findPendingSignIn(app, pending)
  if (found) return found
  if (caller.restricted !== 'second-factor') throw new AppError('auth.second_step_expired')
  return { user: await loadSelf(app, caller), end: async () => true }
}
