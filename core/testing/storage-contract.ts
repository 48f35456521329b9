/** Tests of the requirements in core/contracts/storage.ts. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Storage } from '../contracts/storage.js'
import { aSecret, T0 } from './lib/fixtures.js'
import {
  bindingContract,
  leaseContract,
  ticketContract,
  uploadContract,
  uploadLimitContract,
  usedUpFilesContract,
} from './storage/attachments.js'
import { auditContract } from './storage/audit.js'
import { burnAndExpiryContract } from './storage/burn-and-expiry.js'
import { changeLimitsContract } from './storage/change-limits.js'
import { claimContract } from './storage/claims.js'
import { createContract } from './storage/create.js'
import { deleteExpiredContract } from './storage/delete-expired.js'
import { droppedEventContract } from './storage/dropped-events.js'
import { emailVerificationContract } from './storage/email-verifications.js'
import { endedSecretContract } from './storage/ended-secrets.js'
import { instanceStateContract } from './storage/instance-state.js'
import { limitContract } from './storage/limits.js'
import { listContract } from './storage/lists.js'
import { outboxContract, outboxWriteContract } from './storage/outbox.js'
import { passwordResetContract } from './storage/password-resets.js'
import { passwordContract } from './storage/passwords.js'
import { receiptContract } from './storage/receipts.js'
import { requestContract } from './storage/requests.js'
import { lastAdminContract } from './storage/roles.js'
import { rotationContract, sessionContract, sessionEndContract } from './storage/sessions.js'
import { settingsContract } from './storage/settings.js'
import { statsContract } from './storage/stats.js'
import { tokenContract } from './storage/tokens.js'
import { userListContract } from './storage/user-lists.js'
import { userRemovalContract } from './storage/user-removal.js'
import { userWebhookContract } from './storage/user-webhooks.js'
import { userContract } from './storage/users.js'
import { viewContract } from './storage/views.js'

interface Opened {
  storage: Storage
  close(): Promise<void>
  /**
   * Deletes all data but the record of the migrations. With it, one storage serves all tests, which is faster where
   * migrations are slow.
   */
  empty?(): Promise<void>
}

/** Returns a storage that is empty, shares nothing with any other, and is not migrated yet: see `openStorage`. */
type Open = () => Promise<Opened>

/** Call it in a test file of your plugin, under vitest: `storageContract(() => openStorage(plugin))`. */
export function storageContract(open: Open): void {
  let opened: Opened | undefined
  beforeEach(async () => {
    if (opened) return opened.empty?.()
    opened = await open()
    await opened.storage.migrate()
  })
  const close = async () => {
    await opened?.close()
    opened = undefined
  }
  afterEach(async () => {
    if (!opened?.empty) await close()
  })
  afterAll(close)
  const current = () => (opened as Opened).storage

  describe('create', () => createContract(current))
  describe('view and peek', () => viewContract(current))
  describe('claims and ack', () => claimContract(current))
  describe('wrong passwords', () => passwordContract(current))
  describe('burn and expiry', () => burnAndExpiryContract(current))
  describe('changed limits', () => changeLimitsContract(current))
  describe('lists', () => listContract(current))
  describe('deletion of expired secrets', () => deleteExpiredContract(current))
  describe('uploads', () => uploadContract(current))
  describe('limits of uploads', () => uploadLimitContract(current))
  describe('files of a secret', () => bindingContract(current))
  describe('files of a used-up secret', () => usedUpFilesContract(current))
  describe('tickets', () => ticketContract(current))
  describe('secret requests', () => requestContract(current))
  describe('receipts', () => receiptContract(current))
  describe('ended secrets', () => endedSecretContract(current))
  describe('leases', () => leaseContract(current))
  describe('limits', () => limitContract(() => current().limits))
  describe('users', () => userContract(current))
  describe('lists of users', () => userListContract(current))
  describe('last administrator', () => lastAdminContract(current))
  describe('deleting a user', () => userRemovalContract(current))
  describe('sessions', () => sessionContract(current))
  describe('rotation of sessions', () => rotationContract(current))
  describe('end of sessions', () => sessionEndContract(current))
  describe('tokens', () => tokenContract(current))
  describe('password resets', () => passwordResetContract(current))
  describe('e-mail verifications', () => emailVerificationContract(current))
  describe('webhooks of users', () => userWebhookContract(current))
  describe('audit', () => auditContract(current))
  describe('statistics', () => statsContract(current))
  describe('settings', () => settingsContract(current))
  describe('instance state', () => instanceStateContract(current))
  describe('events of changes', () => outboxWriteContract(current))
  describe('outbox', () => outboxContract(current))
  describe('dropped events', () => droppedEventContract(current))

  test('migrating again does nothing', async () => {
    const secret = aSecret()
    await current().secrets.create(secret, T0)
    expect(await current().migrate()).toEqual([])
    expect(await current().secrets.peek(secret.id, T0)).not.toBeNull()
  })

  test('ping succeeds, and scrub succeeds without concurrent requests', async () => {
    await current().ping()
    expect(await current().scrub()).toBe(true)
  })

  test('two storages share no data', async () => {
    const other = await open()
    try {
      await other.storage.migrate()
      const secret = aSecret()
      await current().secrets.create(secret, T0)
      expect(await other.storage.secrets.peek(secret.id, T0)).toBeNull()
    } finally {
      await other.close()
    }
  })
}
