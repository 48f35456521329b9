import type { AuthContext } from '../contracts/auth-context.js'
import type { SecretMeta } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'
import { verifyPassword } from '../lib/password-hash.js'
import { PASSWORD_ATTEMPTS } from '../shared/limits.js'
import { toPasswordEvents } from './durable-secret-events.js'
import { hasProof } from './secret-access.js'
import type { SecretDeps } from './secret-deps.js'

/** Length of the first lock after too many wrong passwords. Each further lock is twice as long. */
const LOCK_MS = 15 * 60_000

/**
 * Checks the password of a secret, if it has one, and counts a wrong one unless the secret is public. Throws AppError `secret.password_required`,
 * `secret.password_wrong`, `secret.locked`, or `secret.not_found` when the secret ended meanwhile.
 */
export async function checkPassword(
  { store, recorder, events, now }: Pick<SecretDeps, 'store' | 'recorder' | 'events' | 'now'>,
  meta: SecretMeta,
  password: string | undefined,
  caller: AuthContext,
): Promise<void> {
  if (meta.passwordHash === null) return
  if (meta.lockedUntil > now()) throw lockedError(meta.lockedUntil, now())
  if (password === undefined)
    throw new AppError('secret.password_required', { attemptsLeft: PASSWORD_ATTEMPTS - meta.failures })
  if (await isRightPassword(meta.kind, meta.passwordHash, password)) return
  // Everyone has the link of a public secret, so anyone could lock it for everyone. Rate limits slow down guessing.
  if (meta.kind === 'public') {
    await recorder.recordRefused('secret.password_wrong', meta, caller)
    throw new AppError('secret.password_wrong')
  }
  const attempts = await store.recordWrongPassword(meta.id, now(), LOCK_MS, toPasswordEvents(events, meta))
  if (!attempts) throw new AppError('secret.not_found')
  // Other callers locked the secret meanwhile. The caller must not learn whether this password was right.
  if (!attempts.counted) throw lockedError(attempts.lockedUntil, now())
  const action = attempts.attemptsLeft === 0 ? 'secret.locked' : 'secret.password_wrong'
  await recorder.recordRefused(action, meta, caller)
  throw new AppError('secret.password_wrong', { attemptsLeft: attempts.attemptsLeft })
}

/** True without a password, or with the right proof of one. False for a password with a slow hash, right or wrong. */
export function isRightProof({ kind, passwordHash }: SecretMeta, password: string | undefined): boolean {
  return passwordHash === null || (kind === 'sealed' && hasProof(passwordHash, password ?? null))
}

/** AppError `secret.locked`. Times in epoch ms. */
export function lockedError(until: number, now: number): AppError {
  return new AppError('secret.locked', { retryAfter: Math.max(1, Math.ceil((until - now) / 1000)) })
}

/** For a sealed secret the caller sends a proof derived from the password instead of the password. */
async function isRightPassword(kind: SecretMeta['kind'], hash: string, password: string): Promise<boolean> {
  return kind === 'sealed' ? hasProof(hash, password) : verifyPassword(hash, password)
}
