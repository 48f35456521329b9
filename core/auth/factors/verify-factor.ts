/** Checks one second factor of a user: a code of the app, a recovery code or a passkey. */
import type { App } from '../../app.js'
import type { AuthContext } from '../../contracts/auth-context.js'
import type { Factors } from '../../contracts/factors.js'
import type { User } from '../../contracts/users.js'
import { AppError } from '../../lib/errors.js'
import type { FactorMethod, FinishSecondStep, PasskeyRequest } from '../../shared/api/index.js'
import type { ChallengeUse } from '../passkey-challenge.js'
import { findStep } from './authenticator.js'
import { openFactorSecret } from './factor-key.js'
import { createAssertion, verifyAssertion } from './passkeys.js'
import { hashRecoveryCode } from './recovery-codes.js'

export interface FactorCheck {
  caller: AuthContext
  /** Cookie of the challenge for a passkey, or null. */
  challenge: string | null
  use: ChallengeUse
  /** The user has signed in with this browser before: its attempts are counted apart from the attempts of strangers. */
  isKnown: boolean
}

/**
 * Throws AppError `auth.code_wrong`, `auth.passkey_refused`, `auth.unavailable` or `limit.reached`. Only codes of the
 * app are limited: the others have too many bits to guess.
 */
export async function verifyFactor(app: App, user: User, given: FinishSecondStep, check: FactorCheck): Promise<void> {
  try {
    if (given.passkey) {
      const { challenge: cookie, use, caller } = check
      await verifyAssertion(app, given.passkey, { cookie, use, caller })
    } else if (given.recoveryCode !== undefined) await takeRecoveryCode(app, user, given.recoveryCode, check)
    else await takeCode(app, user, given.code ?? '', check)
  } catch (error) {
    const { username: subject } = user
    await app.audit.note({ action: 'session.second_step_refused', caller: check.caller, subject })
    throw error
  }
}

/** The factors that a user can use now. */
export const listMethods = async ({ storage }: App, userId: string): Promise<FactorMethod[]> =>
  methodsOf(await storage.factors.list(userId))

/** The factors that a user can choose from, with options for a passkey if there is one. `cookie`: of its challenge. */
export async function prepareFactor(
  app: App,
  userId: string,
  use: ChallengeUse,
): Promise<{ methods: FactorMethod[]; passkey: PasskeyRequest | null; cookie: string | null }> {
  const factors = await app.storage.factors.list(userId)
  const methods = methodsOf(factors)
  if (factors.passkeys.length === 0) return { methods, passkey: null, cookie: null }
  const { options, cookie } = createAssertion(app, factors.passkeys, use)
  return { methods, passkey: options, cookie }
}

const methodsOf = ({ passkeys, authenticator, recoveryCodes }: Factors): FactorMethod[] => [
  ...(passkeys.length > 0 ? ['passkey' as const] : []),
  ...(authenticator ? ['authenticator' as const] : []),
  ...(recoveryCodes > 0 ? ['recovery-code' as const] : []),
]

async function takeRecoveryCode(app: App, user: User, code: string, { caller }: FactorCheck): Promise<void> {
  if (!(await app.storage.factors.takeRecoveryCode(user.id, hashRecoveryCode(code)))) throw wrongCode('recoveryCode')
  await app.audit.note({ action: 'factor.used_recovery_code', caller, subject: user.username })
}

async function takeCode(app: App, user: User, code: string, { caller, isKnown }: FactorCheck): Promise<void> {
  const authenticator = await app.storage.factors.getAuthenticator(user.id)
  if (!authenticator) throw wrongCode('code')
  const secret = await openFactorSecret(app, authenticator)
  // Known devices share one count: the instance key is enough to forge any number of them.
  const subject = JSON.stringify([user.id, isKnown])
  // Counted before the check, so that parallel attempts cannot exceed the limit.
  await app.limits.consume('second-factor', caller, subject)
  const step = await findStep(secret, code, app.now())
  // A code is accepted once. Codes of earlier steps are refused afterwards.
  if (step === null || !(await app.storage.factors.takeStep(user.id, step, app.now()))) throw wrongCode('code')
  await app.limits.reset('second-factor', caller, subject)
}

const wrongCode = (field: string): AppError => new AppError('auth.code_wrong', { field })
