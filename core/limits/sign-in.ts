/** Wrong passwords of one name, from wherever they come. They slow down who tries, and never lock anybody out. */
import type { Counted, LimitsService } from './service.js'

/** An attempt to sign in. */
export interface Attempt {
  /** As it was typed. */
  username: string
  caller: Counted
  /** Id of a session that this browser has of that very user; whoever else tries the name does not slow it down. */
  device?: string | null
}

/** Before a password is looked at. Throws AppError `limit.reached`. */
export async function beginSignIn(limits: LimitsService, { username, caller, device }: Attempt): Promise<void> {
  const subject = subjectOf(username, device)
  // Counted before it is known to be wrong, so that no more are tried at once than one after the other.
  const standing = await limits.tryTake('sign-in-name', caller, subject)
  if (standing && !standing.granted) await limits.take('sign-in-name-again', caller, subject)
}

/** The password was right. */
export async function signedIn(limits: LimitsService, { username, caller, device }: Attempt): Promise<void> {
  await limits.forget('sign-in-name', caller, subjectOf(username, device))
}

const subjectOf = (username: string, device: string | null | undefined): string =>
  JSON.stringify([spelling(username), device ?? null])

/** The same for all ways to write a name: case, spaces, accents, letters of other alphabets that look like it or are left out. */
function spelling(username: string): string {
  const plain = username.normalize('NFKD').toLowerCase().replaceAll('ı', 'i')
  return plain.replace(/[^a-z0-9_-]/g, '').slice(0, 64)
}
