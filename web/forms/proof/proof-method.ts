/** How users prove who they are, at the second step of the sign-in and before changes by which a thief could stay. */
import type { AuthenticationResponseJSON } from '../../lib/ask-for-passkey.js'

/** `sign-in`: only a new sign-in with the external provider helps. */
export type ProofMethod = 'password' | 'authenticator' | 'passkey' | 'recovery-code' | 'sign-in'

/** A method with a text field. */
export type TypedMethod = 'password' | 'authenticator' | 'recovery-code'

/** As it is sent to the server. */
export type Proof =
  | { password: string }
  | { code: string }
  | { recoveryCode: string }
  | { passkey: AuthenticationResponseJSON }

export const isTyped = (method: ProofMethod): method is TypedMethod => method !== 'passkey' && method !== 'sign-in'

/** Whether the value can be right. */
export const isComplete = (method: TypedMethod, value: string): boolean =>
  method === 'authenticator' ? /^\d{6}$/.test(withoutSpaces(value)) : value.trim() !== ''

export function toProof(method: TypedMethod, value: string): Proof {
  if (method === 'password') return { password: value }
  return method === 'authenticator' ? { code: withoutSpaces(value) } : { recoveryCode: value.trim() }
}

/** Apps show codes in two groups. */
const withoutSpaces = (value: string): string => value.replace(/\s/g, '')
