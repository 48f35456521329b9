/** Slows down password guessing for one username from any number of addresses. It never locks an account. */
import type { Counted, RateLimiter } from './rate-limiter.js'

export interface Attempt {
  /** As the user typed it. */
  username: string
  caller: Counted
  /**
   * Id of a known device of this user, or of a session. Its attempts are counted separately from the attempts of
   * strangers.
   */
  device?: string | null
}

/** Call before checking a password. Throws AppError `limit.reached`. */
export async function beginSignIn(limits: RateLimiter, { username, caller, device }: Attempt): Promise<void> {
  const subject = toSubject(username, device)
  // Counted before the check, so that parallel attempts cannot exceed the limit.
  const standing = await limits.tryConsume('sign-in-name', caller, subject)
  if (standing && !standing.granted) await limits.consume('sign-in-name-again', caller, subject)
}

/** Call after a correct password: resets the count. */
export async function resetSignInLimit(limits: RateLimiter, { username, caller, device }: Attempt): Promise<void> {
  await limits.reset('sign-in-name', caller, toSubject(username, device))
}

const toSubject = (username: string, device: string | null | undefined): string =>
  JSON.stringify([normalizeSpelling(username), device ?? null])

/** Maps all spellings of a name to one: case, spaces, accents, and look-alike letters of other alphabets. */
function normalizeSpelling(username: string): string {
  const lower = username.normalize('NFKD').toLowerCase().replaceAll('ı', 'i')
  return lower.replace(/[^a-z0-9._-]/g, '').slice(0, 64)
}
