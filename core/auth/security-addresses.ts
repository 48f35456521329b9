import type { User } from '../contracts/users.js'

/**
 * Addresses that get messages about the security of an account: the verified one, and for a week the verified one
 * before it, so that a thief who changes the address cannot hide what follows. `now`: epoch ms.
 */
export function securityAddresses(
  {
    email,
    emailVerified,
    formerEmail,
    formerEmailUntil,
  }: Pick<User, 'email' | 'emailVerified' | 'formerEmail' | 'formerEmailUntil'>,
  now: number,
): string[] {
  const isFormerTold = formerEmail !== null && (formerEmailUntil ?? 0) > now
  return [...(emailVerified === null ? [] : [email]), ...(isFormerTold ? [formerEmail] : [])]
}
