import type { User } from '../contracts/users.js'
import type { EpochMs } from '../shared/epoch-ms.js'

/**
 * Addresses that get messages about the security of an account: the verified one, and for a week the verified one
 * before it, so that a thief who changes the address cannot hide later changes.
 */
export function securityAddresses(
  {
    email,
    emailVerified,
    formerEmail,
    formerEmailUntil,
  }: Pick<User, 'email' | 'emailVerified' | 'formerEmail' | 'formerEmailUntil'>,
  now: EpochMs,
): string[] {
  const isFormerTold = formerEmail !== null && (formerEmailUntil ?? 0) > now
  return [...(emailVerified === null ? [] : [email]), ...(isFormerTold ? [formerEmail] : [])]
}
