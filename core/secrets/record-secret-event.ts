/** Records events of secrets: audit entry first, then the cache of the public lists, then the event listeners. */

import type { Audit, Note } from '../contracts/audit.js'
import type { AuditAction } from '../contracts/audit-actions.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { Emit } from '../contracts/events.js'
import type { ReceiptStore } from '../contracts/receipts.js'
import { isUsedUp, viewsLeft } from '../contracts/secret-state.js'
import type { Secret, SecretMeta } from '../contracts/storage.js'
import type { EventService } from '../events/event-service.js'
import { addressEvents, publicPasswordEvents } from './durable-secret-events.js'
import type { PublicListCache } from './public-list-cache.js'

/** Length of the id prefix in the audit log: long enough to find related entries, too short to find the secret. */
const ID_PREFIX = 6

/** The id of a secret or request, as the audit log has it. */
export const auditedId = (id: string): string => id.slice(0, ID_PREFIX)

/** Signs of an attack, which are always in the audit log. */
const REFUSALS: AuditAction[] = ['secret.address_refused', 'secret.password_wrong', 'secret.locked']

interface Deps {
  emit: Emit
  /** For events that belong to no change. The storage stores the others with their changes. */
  events: Pick<EventService, 'create' | 'isWanted' | 'store'>
  audit: Audit
  /** Absent if the storage has no receipts. */
  receipts: Pick<ReceiptStore, 'recordRefusal'> | undefined
  /** Epoch ms. */
  now: () => number
  lists: Pick<PublicListCache, 'invalidate'>
  /** False: refusals are the only audit entries about secrets. */
  auditSecrets: boolean
}

export interface SecretRecorder {
  recordCreated(secret: Secret, caller: AuthContext): Promise<void>
  /** A view that counts. The last one burns the secret. */
  recordViewed(secret: SecretMeta, caller: AuthContext, now: number): Promise<void>
  /** Lowered limits. `secret`: as it is now. */
  recordChanged(secret: SecretMeta, caller: AuthContext): Promise<void>
  /** A burn on request. `secret`: as it was before; it may have been used up. */
  recordBurned(secret: SecretMeta, caller: AuthContext): Promise<void>
  recordExpired(id: string): Promise<void>
  recordRefused(action: AuditAction, secret: SecretMeta, caller: AuthContext): Promise<void>
}

export function createSecretRecorder(deps: Deps): SecretRecorder {
  const { emit, events, audit, lists, auditSecrets } = deps
  const auditEvent = (action: AuditAction, id: string, caller: Note['caller'], detail: Note['detail'] = {}) =>
    auditSecrets || REFUSALS.includes(action)
      ? audit({ action, caller, subject: auditedId(id), detail })
      : Promise.resolve()

  function invalidateLists({ kind }: SecretMeta): void {
    if (kind === 'public') lists.invalidate()
  }

  return {
    async recordCreated(secret, caller) {
      const { id, ownerId, expiresAt, kind, files, passwordHash, allowedIp } = secret
      await auditEvent('secret.created', id, caller, { kind, files })
      invalidateLists(secret)
      const has = { hasPassword: passwordHash !== null, hasAllowedIp: allowedIp !== null }
      await emit('secret:created', { id, ownerId, expiresAt, kind, files, ...has })
    },
    async recordViewed(secret, caller, now) {
      const { id, views, createdAt } = secret
      const left = viewsLeft(secret)
      if (left === 0) invalidateLists(secret)
      await auditEvent('secret.viewed', id, caller, { left })
      await emit('secret:viewed', { id, viewsLeft: left, views, age: now - createdAt })
      if (left !== 0) return
      await auditEvent('secret.burned', id, caller, { reason: 'last-view' })
      await emit('secret:burned', { id, reason: 'last-view' })
    },
    async recordChanged(secret, caller) {
      invalidateLists(secret)
      await auditEvent('secret.changed', secret.id, caller)
    },
    async recordBurned(secret, caller) {
      invalidateLists(secret)
      await auditEvent('secret.burned', secret.id, caller, { reason: 'request' })
      // Its end was reported with its last view.
      if (isUsedUp(secret)) return
      await emit('secret:burned', { id: secret.id, reason: 'request' })
    },
    async recordExpired(id) {
      await auditEvent('secret.expired', id, { username: null, address: null })
      await emit('secret:burned', { id, reason: 'expired' })
    },
    async recordRefused(action, secret, caller) {
      const { id, kind } = secret
      await recordOnReceipt(deps, action, secret)
      if (action === 'secret.address_refused') events.store(addressEvents(events, secret))
      else if (kind === 'public') events.store(publicPasswordEvents(events, secret))
      await auditEvent(action, id, caller)
    },
  }
}

/** Refusals that change nothing else. The storage counts the other wrong passwords itself. */
async function recordOnReceipt(
  { receipts, now }: Pick<Deps, 'receipts' | 'now'>,
  action: AuditAction,
  { kind, receiptHash }: SecretMeta,
): Promise<void> {
  if (receiptHash === undefined) return
  if (action === 'secret.address_refused') await receipts?.recordRefusal(receiptHash, 'address', now())
  else if (kind === 'public') await receipts?.recordRefusal(receiptHash, 'password', now())
}
