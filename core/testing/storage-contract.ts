/** Tests of the requirements in core/contracts/storage.ts. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Storage } from '../contracts/storage.js'
import { aSecret, T0 } from './lib/fixtures.js'
import { lateBoundStores } from './lib/late-bound.js'
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
import { deviceLoginContract } from './storage/device-logins.js'
import { endedSecretContract } from './storage/ended-secrets.js'
import { factorContract, factorRaceContract } from './storage/factors.js'
import { instanceStateContract } from './storage/instance-state.js'
import { limitContract } from './storage/limits.js'
import { listContract } from './storage/lists.js'
import { lockOutContract } from './storage/lock-out.js'
import { namedRecipientContract } from './storage/named-recipients.js'
import { oneTimeLinkContract } from './storage/one-time-links.js'
import { outboxContract, outboxWriteContract } from './storage/outbox.js'
import { passwordContract } from './storage/passwords.js'
import { receiptContract } from './storage/receipts.js'
import { requestContract } from './storage/requests.js'
import { lastAdminContract } from './storage/roles.js'
import { rotationContract, sessionContract, sessionEndContract } from './storage/sessions.js'
import { settingsContract } from './storage/settings.js'
import { sharedFilesContract } from './storage/shared-files.js'
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
   * Deletes all data but the record of the migrations. With it, all tests share one storage, which is faster if
   * migrations are slow.
   */
  empty?(): Promise<void>
}

/** Returns a storage that is empty, shares nothing with any other, and is not migrated yet: see `openStorage`. */
type Open = () => Promise<Opened>

/** The parts of the suite by name. */
export const STORAGE_PARTS: Record<string, (storage: Storage) => void> = {
  create: createContract,
  'view and peek': viewContract,
  'claims and ack': claimContract,
  'wrong passwords': passwordContract,
  'burn and expiry': burnAndExpiryContract,
  'changed limits': changeLimitsContract,
  lists: listContract,
  'deletion of expired secrets': deleteExpiredContract,
  uploads: uploadContract,
  'limits of uploads': uploadLimitContract,
  'files of a secret': bindingContract,
  'files of a used-up secret': usedUpFilesContract,
  'files of several secrets': sharedFilesContract,
  tickets: ticketContract,
  'secret requests': requestContract,
  'named recipients': namedRecipientContract,
  receipts: receiptContract,
  'ended secrets': endedSecretContract,
  leases: leaseContract,
  limits: ({ limits }) => limitContract(limits),
  users: userContract,
  'lists of users': userListContract,
  'last administrator': lastAdminContract,
  'lock-out': lockOutContract,
  'deleting a user': userRemovalContract,
  sessions: sessionContract,
  'rotation of sessions': rotationContract,
  'end of sessions': sessionEndContract,
  tokens: tokenContract,
  factors: factorContract,
  'races for factors': factorRaceContract,
  'one-time links': oneTimeLinkContract,
  'device logins': deviceLoginContract,
  'webhooks of users': userWebhookContract,
  audit: auditContract,
  statistics: statsContract,
  settings: settingsContract,
  'instance state': instanceStateContract,
  'events of changes': outboxWriteContract,
  outbox: outboxContract,
}

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
  const stores = lateBoundStores(current)

  for (const [name, define] of Object.entries(STORAGE_PARTS)) describe(name, () => define(stores))

  test('migrating again does nothing', async () => {
    const secret = aSecret()
    await current().secrets.create({ secret, now: T0 })
    expect(await current().migrate()).toEqual([])
    expect(await current().secrets.peek(secret.id, T0)).not.toBeNull()
  })

  test('ping succeeds, and scrub succeeds without concurrent requests', async () => {
    await current().ping()
    expect(await current().scrub()).toBe(true)
  })

  test('two storages do not share data', async () => {
    const other = await open()
    try {
      await other.storage.migrate()
      const secret = aSecret()
      await current().secrets.create({ secret, now: T0 })
      expect(await other.storage.secrets.peek(secret.id, T0)).toBeNull()
    } finally {
      await other.close()
    }
  })
}
