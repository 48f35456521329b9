/** Records facts about secrets after their change: in the caches, the audit log and for the listeners. */

import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { isUsedUp, viewsLeft } from '../contracts/secret-state.js'
import type { PasswordAttempts, Secret, SecretMeta, ViewedSecret } from '../contracts/storage.js'
import { announceFacts, auditedId } from '../events/announce-facts.js'
import { reportFacts } from '../events/durable-events.js'
import {
  addressFacts,
  burnedFacts,
  createdFacts,
  expiredFacts,
  publicPasswordFacts,
  viewedFacts,
  wrongPasswordFacts,
} from './secret-facts.js'

const NO_CALLER = { username: null, address: null }

export async function recordCreated(app: App, secret: Secret, caller: AuthContext): Promise<void> {
  invalidateLists(app, secret)
  app.caches.knownSecrets.add(secret)
  await announceFacts(app, createdFacts(secret), caller)
}

/** A view that counts. The last one burns the secret. */
export async function recordViewed(app: App, secret: ViewedSecret, caller: AuthContext): Promise<void> {
  if (viewsLeft(secret) === 0) forget(app, secret)
  await announceFacts(app, viewedFacts(secret, secret.recipient ?? null), caller)
}

/** Lowered limits. `secret`: after the change. */
export async function recordChanged(app: App, secret: SecretMeta, caller: AuthContext): Promise<void> {
  invalidateLists(app, secret)
  app.caches.knownSecrets.add(secret)
  if (app.config.auditSecrets) await app.audit.note({ action: 'secret.changed', caller, subject: auditedId(secret.id) })
}

/** A burn on request. `secret`: before the burn; it may have been used up. */
export async function recordBurned(app: App, secret: SecretMeta, caller: AuthContext): Promise<void> {
  const { config, audit } = app
  forget(app, secret)
  // Its end was reported with its last view.
  if (isUsedUp(secret) && config.auditSecrets)
    await audit.note({ action: 'secret.burned', caller, subject: auditedId(secret.id), detail: { reason: 'request' } })
  await announceFacts(app, burnedFacts(secret), caller)
}

export async function recordExpired(app: App, secret: SecretMeta): Promise<void> {
  app.caches.knownSecrets.delete(secret.id)
  await announceFacts(app, expiredFacts(secret), NO_CALLER)
}

/** The address of a caller with the complete link. */
export async function recordAddressRefused(app: App, secret: SecretMeta, caller: AuthContext): Promise<void> {
  await recordOnReceipt(app, secret, 'address')
  await reportFacts(app, addressFacts(secret), caller)
}

/** A wrong password that is not counted, such as of a public secret. */
export async function recordPasswordRefused(app: App, secret: SecretMeta, caller: AuthContext): Promise<void> {
  // A wrong password of a used-up secret is not recorded for its owner.
  if (secret.kind !== 'public') return void (await announceFacts(app, publicPasswordFacts(secret), caller))
  await recordOnReceipt(app, secret, 'password')
  await reportFacts(app, publicPasswordFacts(secret), caller)
}

/** A wrong password that the storage has counted. */
export async function recordWrongPassword(
  app: App,
  secret: SecretMeta,
  attempts: PasswordAttempts,
  caller: AuthContext,
): Promise<void> {
  await announceFacts(app, wrongPasswordFacts(secret, attempts), caller)
}

/** A reader got content that its sender cannot have made. */
export async function recordDamaged({ audit }: App, id: string, caller: AuthContext): Promise<void> {
  await audit.note({ action: 'secret.damaged', caller, subject: auditedId(id) })
}

function invalidateLists({ caches }: App, { kind }: SecretMeta): void {
  if (kind === 'public') caches.publicLists.invalidate()
}

function forget(app: App, secret: SecretMeta): void {
  invalidateLists(app, secret)
  app.caches.knownSecrets.delete(secret.id)
}

/** Refusals that change nothing else. The storage counts the other wrong passwords itself. */
async function recordOnReceipt(
  { storage, now }: App,
  { receiptHash }: SecretMeta,
  refused: 'address' | 'password',
): Promise<void> {
  if (receiptHash !== undefined) await storage.receipts.recordRefusal(receiptHash, refused, now())
}
