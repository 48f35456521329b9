/** Facts about users and API tokens, which changes of accounts report. */
import type { SecurityChange } from '../contracts/outbox.js'
import type { ApiToken } from '../contracts/tokens.js'
import type { User } from '../contracts/users.js'
import type { FactData, FactFor } from '../shared/event-catalog.js'

type Fact = FactFor<'operator'>

/** `provider`: id of the auth provider. */
export const userCreatedFacts = (userId: string, provider: string): Fact[] => [
  { name: 'user.created', data: { userId, provider } },
]

/** Also a message to `recipient`, see `encryptRecipient`. */
export const userDeletedFacts = (userId: string, recipient: string): Fact[] => [
  { name: 'user.deleted', data: { userId } },
  { name: 'user.security_changed', data: { userId, change: 'deleted', recipient } },
]

/** Also a message to the user. */
export const userSuspendedFacts = (userId: string, isSuspended: boolean): Fact[] => [
  { name: isSuspended ? 'user.suspended' : 'user.resumed', data: { userId } },
  ...securityFacts(userId, isSuspended ? 'suspended' : 'resumed'),
]

/** A message to the user for each change of access to the account. */
export const securityFacts = (userId: string, ...changes: SecurityChange[]): Fact[] =>
  changes.map((change) => ({ name: 'user.security_changed', data: { userId, change, recipient: null } }))

type LinkOwner = Pick<User, 'id' | 'epoch'>

/** `language`: of the request; null: unknown. */
export const resetRequestedFacts = ({ id: userId, epoch }: LinkOwner, language: string | null): Fact[] => [
  { name: 'user.reset_requested', data: { userId, language, epoch } },
]

/** `language`: of the request; null: unknown. */
export const verificationRequestedFacts = ({ id: userId, epoch }: LinkOwner, language: string | null): Fact[] => [
  { name: 'user.verification_requested', data: { userId, language, epoch } },
]

export const newDeviceFacts = (data: FactData<'user.new_device'>): Fact[] => [{ name: 'user.new_device', data }]

/** Also a message to the user. */
export const tokenCreatedFacts = ({ id: tokenId, userId, expiresAt }: ApiToken): Fact[] => [
  { name: 'token.created', data: { tokenId, userId, expiresAt } },
  ...securityFacts(userId, 'token'),
]

/** Also a message to the user. */
export const tokenDeletedFacts = (tokenId: string, userId: string): Fact[] => [
  { name: 'token.deleted', data: { tokenId, userId } },
  ...securityFacts(userId, 'token'),
]
