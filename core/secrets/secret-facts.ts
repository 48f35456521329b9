/** Facts about secrets, which their changes report. */
import { isUsedUp, viewsLeft } from '../contracts/secret-state.js'
import type { PasswordAttempts, SecretMeta } from '../contracts/storage.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import type { FactFor } from '../shared/event-catalog.js'

type Fact = FactFor<'operator'>

const toOwnedData = ({ id: secretId, ownerId, notify, createdAt }: SecretMeta) => ({
  secretId,
  ownerId,
  notify,
  createdAt,
})

export function createdFacts(secret: SecretMeta): Fact[] {
  const { id: secretId, ownerId, kind, expiresAt, maxViews, files, passwordHash, allowedIp, notify } = secret
  const hasPassword = passwordHash !== null
  const hasAllowedIp = allowedIp !== null
  const data = { secretId, ownerId, kind, expiresAt, maxViews, files, hasPassword, hasAllowedIp, notify }
  return [{ name: 'secret.created', data }]
}

/** A counted view. The last one burns the secret. `recipient`: number of the named recipient; null: none. */
export function viewedFacts(secret: SecretMeta, recipient: number | null): Fact[] {
  const { views } = secret
  const left = viewsLeft(secret)
  const viewed: Fact = { name: 'secret.viewed', data: { ...toOwnedData(secret), views, viewsLeft: left, recipient } }
  if (left !== 0) return [viewed]
  return [viewed, { name: 'secret.burned', data: { ...toOwnedData(secret), reason: 'last-view', views } }]
}

/** A burn on request. Empty for a used-up secret, which ended with its last view. */
export function burnedFacts(secret: SecretMeta): Fact[] {
  if (isUsedUp(secret)) return []
  return [{ name: 'secret.burned', data: { ...toOwnedData(secret), reason: 'request', views: secret.views } }]
}

export const expiredFacts = (secret: SecretMeta): Fact[] => [
  { name: 'secret.expired', data: { ...toOwnedData(secret), views: secret.views } },
]

/** A counted wrong password. The last attempt locks the secret. */
export function wrongPasswordFacts(secret: SecretMeta, { attemptsLeft, lockedUntil }: PasswordAttempts): Fact[] {
  const { id: secretId, ownerId } = secret
  const wrong: Fact = { name: 'secret.password_wrong', data: { secretId, ownerId, attemptsLeft } }
  return attemptsLeft > 0 ? [wrong] : [wrong, ...lockedFacts(secret, lockedUntil)]
}

export const lockedFacts = (secret: SecretMeta, lockedUntil: EpochMs): Fact[] => [
  { name: 'secret.locked', data: { ...toOwnedData(secret), lockedUntil } },
]

/** A wrong password of a public secret, which is not counted. */
export const publicPasswordFacts = ({ id: secretId, ownerId }: SecretMeta): Fact[] => [
  { name: 'secret.password_wrong', data: { secretId, ownerId, attemptsLeft: null } },
]

export const addressFacts = ({ id: secretId, ownerId }: SecretMeta): Fact[] => [
  { name: 'secret.address_refused', data: { secretId, ownerId } },
]
