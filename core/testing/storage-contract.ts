/** The rules of core/contracts/storage.ts as tests. A storage has to pass all of them. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Storage } from '../contracts/storage.js'
import { aSecret, T0 } from './lib/fixtures.js'
import { bindingLaws, leaseLaws, ticketLaws, uploadLaws, uploadLimitLaws } from './storage/attachments.js'
import { auditLaws } from './storage/audit.js'
import { burnAndExpiryLaws } from './storage/burn-and-expiry.js'
import { claimLaws } from './storage/claims.js'
import { createLaws } from './storage/create.js'
import { instanceStateLaws } from './storage/instance-state.js'
import { limitLaws } from './storage/limits.js'
import { listLaws } from './storage/lists.js'
import { passwordLaws } from './storage/passwords.js'
import { lastAdminLaws } from './storage/roles.js'
import { rotationLaws, sessionEndLaws, sessionLaws } from './storage/sessions.js'
import { settingsLaws } from './storage/settings.js'
import { statsLaws } from './storage/stats.js'
import { sweepLaws } from './storage/sweep.js'
import { tokenLaws } from './storage/tokens.js'
import { userListLaws } from './storage/user-lists.js'
import { userRemovalLaws } from './storage/user-removal.js'
import { userLaws } from './storage/users.js'
import { viewLaws } from './storage/views.js'

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

  describe('create', () => createLaws(current))
  describe('view and peek', () => viewLaws(current))
  describe('claims and ack', () => claimLaws(current))
  describe('wrong passwords', () => passwordLaws(current))
  describe('burn and expiry', () => burnAndExpiryLaws(current))
  describe('lists', () => listLaws(current))
  describe('sweep', () => sweepLaws(current))
  describe('uploads', () => uploadLaws(current))
  describe('limits of uploads', () => uploadLimitLaws(current))
  describe('files of a secret', () => bindingLaws(current))
  describe('tickets', () => ticketLaws(current))
  describe('leases', () => leaseLaws(current))
  describe('limits', () => limitLaws(current))
  describe('users', () => userLaws(current))
  describe('lists of users', () => userListLaws(current))
  describe('the last administrator', () => lastAdminLaws(current))
  describe('deleting a user', () => userRemovalLaws(current))
  describe('sessions', () => sessionLaws(current))
  describe('rotation of sessions', () => rotationLaws(current))
  describe('the end of sessions', () => sessionEndLaws(current))
  describe('tokens', () => tokenLaws(current))
  describe('audit', () => auditLaws(current))
  describe('statistics', () => statsLaws(current))
  describe('settings', () => settingsLaws(current))
  describe('instance state', () => instanceStateLaws(current))

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
