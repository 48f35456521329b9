/** Facts about named recipients of secrets. */
import type { PasswordAttempts, SecretMeta } from '../contracts/storage.js'
import type { FactFor } from '../shared/event-catalog.js'
import { lockedFacts } from './secret-facts.js'

type Fact = FactFor<'operator'>

interface Requested {
  /** Of the recipient. */
  number: number
  /** Encrypted. */
  address: string
  /** Of the request; null: unknown. */
  language: string | null
}

/** Also a message to the recipient. */
export const codeRequestedFacts = (
  { id: secretId, ownerId }: SecretMeta,
  { number, address, language }: Requested,
): Fact[] => [{ name: 'secret.code_requested', data: { secretId, ownerId, recipient: number, address, language } }]

/** A counted wrong code. The last attempt locks the secret. */
export const wrongCodeFacts = (secret: SecretMeta, { attemptsLeft, lockedUntil }: PasswordAttempts): Fact[] => [
  { name: 'secret.code_wrong', data: { secretId: secret.id, ownerId: secret.ownerId, attemptsLeft } },
  ...(attemptsLeft > 0 ? [] : lockedFacts(secret, lockedUntil)),
]
