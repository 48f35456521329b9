import { expect, test } from 'vitest'
import { makeDatabase } from '#test/databases'
import { emptyPrivateColumns, isInBackups, listTables } from './backup-tables.js'

/** Adding a table to backups must be a decision: a restore brings its rows back. */
test('backups contain accounts, tokens and secrets, and nothing that was revoked or has a retention', async () => {
  const database = await makeDatabase('sqlite')
  const { storage, close } = await database.open()
  const rows = storage.rows
  await close()
  await database.drop()
  if (!rows) throw new Error('the storage has no rows')
  expect(listTables(rows, 'accounts')).toEqual([
    'settings',
    'users',
    'identities',
    'passkeys',
    'authenticators',
    'recovery_codes',
    'audit',
    'stats',
  ])
  expect(listTables(rows, 'tokens')).toEqual(['api_tokens'])
  expect(listTables(rows, 'secrets')).toEqual(['secrets', 'texts', 'named_recipients', 'attachments'])
  expect(['users', 'sessions', 'unknown'].map((table) => isInBackups(rows, table))).toEqual([true, false, false])
  const secret = { id: 'ü ☃', receipt_hash: 'c0ffee' }
  expect(emptyPrivateColumns(rows, 'secrets', [secret])).toEqual([{ id: 'ü ☃', receipt_hash: null }])
  expect(emptyPrivateColumns(rows, 'texts', [secret])).toEqual([secret])
})
