/** Proof: checks that the person of a session is there, before changes by which a thief could stay. */
import type { App } from '../../app.js'
import type { AuthContext } from '../../contracts/auth-context.js'
import type { User } from '../../contracts/users.js'
import { AppError } from '../../lib/errors.js'
import type { ProofOptions, Prove } from '../../shared/api/index.js'
import { challengeUse } from '../passkey-challenge.js'
import type { RequestHeaders } from '../request-headers.js'
import type { OpenedSession } from '../sessions.js'
import { openAuditedSession, verifyUserPassword } from '../sign-in.js'
import { hasLocalPasswords } from '../sign-in-methods.js'
import { loadSelf } from '../verify-caller.js'
import { prepareFactor, verifyFactor } from './verify-factor.js'

/** Also returns the cookie of the challenge; null: no passkey. Throws AppError `auth.required`. */
export async function prepareProof(app: App, caller: AuthContext): Promise<ProofOptions & { cookie: string | null }> {
  const user = await loadSelf(app, caller)
  if (!caller.secondFactor)
    return { methods: [canUsePassword(app, user) ? 'password' : 'sign-in'], passkey: null, cookie: null }
  return prepareFactor(app, user.id, challengeUse('proof', user, caller))
}

/**
 * Proves the session of the caller: with a factor if the account has one, otherwise with the password. Returns a new
 * session for a caller without one, such as a user of a reverse proxy. Throws AppError `auth.password_wrong`,
 * `auth.proof_required`, or an error of `verifyFactor`.
 */
export async function prove(
  app: App,
  { password, ...factor }: Prove,
  caller: AuthContext,
  { client, challenge }: RequestHeaders & { challenge: string | null },
): Promise<OpenedSession | null> {
  const user = await loadSelf(app, caller)
  if (caller.secondFactor)
    await verifyFactor(app, user, factor, {
      caller,
      challenge,
      use: challengeUse('proof', user, caller),
      isKnown: caller.restricted === null,
    })
  else await assertPassword(app, user, password)
  const level = caller.secondFactor ? 2 : 1
  if (caller.sessionId === null) return openAuditedSession(app, user, caller, { client, level })
  if (!(await app.storage.sessions.prove(caller.sessionId, { level, at: app.now() })))
    throw new AppError('auth.required')
  return null
}

const canUsePassword = (app: App, { passwordHash }: User): boolean => passwordHash !== null && hasLocalPasswords(app)

async function assertPassword(app: App, user: User, password: string | undefined): Promise<void> {
  if (!canUsePassword(app, user)) throw new AppError('auth.proof_required')
  if (!(await verifyUserPassword(app, user, password ?? '')))
    throw new AppError('auth.password_wrong', { field: 'password' })
}
