import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { isUsedUp } from '../contracts/secret-state.js'
import type { SecretMeta } from '../contracts/storage.js'
import { createEvents } from '../events/durable-events.js'
import { AppError } from '../lib/errors.js'
import { verifyPassword } from '../lib/password-hash.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { PASSWORD_ATTEMPTS } from '../shared/limits.js'
import { recordPasswordRefused, recordWrongPassword } from './record-secret-event.js'
import { hasProof } from './secret-access.js'
import { wrongPasswordFacts } from './secret-facts.js'

/** Length of the first lock after too many wrong passwords. Each further lock is twice as long. */
export const LOCK_MS = 15 * 60_000

/**
 * Checks the password of a secret, if it has one, and counts a wrong one unless the secret is public or used up. Throws
 * AppError `secret.password_required`, `secret.password_wrong`, `secret.locked`, or `secret.not_found` when the secret
 * ended meanwhile.
 */
export async function checkPassword(
  app: App,
  meta: SecretMeta,
  password: string | undefined,
  caller: AuthContext,
): Promise<void> {
  if (meta.passwordHash === null) return
  const { storage, now } = app
  if (meta.lockedUntil > now()) throw lockedError(meta.lockedUntil, now())
  if (password === undefined)
    throw new AppError('secret.password_required', { attemptsLeft: PASSWORD_ATTEMPTS - meta.failures })
  if (await isRightPassword(meta.kind, meta.passwordHash, password)) return
  // The link of a public secret is public, so any visitor could lock it for all others. Rate limits slow down guessing.
  // A used-up secret is found only by the open claim of its last view, whose holder entered the right password before.
  if (meta.kind === 'public' || isUsedUp(meta)) {
    await recordPasswordRefused(app, meta, caller)
    throw new AppError('secret.password_wrong')
  }
  const attempts = await storage.secrets.recordWrongPassword({
    id: meta.id,
    now: now(),
    lockMs: LOCK_MS,
    toEvents: (counted) => createEvents(app, wrongPasswordFacts(meta, counted)),
  })
  if (!attempts) throw new AppError('secret.not_found')
  // Other callers locked the secret meanwhile. The caller must not learn whether this password was right.
  if (!attempts.counted) throw lockedError(attempts.lockedUntil, now())
  await recordWrongPassword(app, meta, attempts, caller)
  throw new AppError('secret.password_wrong', { attemptsLeft: attempts.attemptsLeft })
}

/** True without a password, or with the right proof of one. False for a password with a slow hash, right or wrong. */
export function isRightProof({ kind, passwordHash }: SecretMeta, password: string | undefined): boolean {
  return passwordHash === null || (kind === 'sealed' && hasProof(passwordHash, password ?? null))
}

/** AppError `secret.locked`. */
export function lockedError(until: EpochMs, now: EpochMs): AppError {
  return new AppError('secret.locked', { retryAfter: Math.max(1, Math.ceil((until - now) / 1000)) })
}

/** For a sealed secret the caller sends a proof derived from the password instead of the password. */
async function isRightPassword(kind: SecretMeta['kind'], hash: string, password: string): Promise<boolean> {
  return kind === 'sealed' ? hasProof(hash, password) : verifyPassword(hash, password)
}
