import { expect, test } from 'vitest'
import { makeDatabase } from '#test/databases'
import { ACCOUNTS, NEVER, SECRETS, upgradeRows } from './backup-tables.js'

test('every table is listed as included in a backup or not', async () => {
  const database = await makeDatabase('sqlite')
  const { storage, close } = await database.open()
  const tables = storage.rows?.tables ?? []
  await close()
  await database.drop()
  expect(tables.length).toBeGreaterThan(5)
  expect(tables.filter((name) => ![...ACCOUNTS, ...SECRETS, ...NEVER].includes(name))).toEqual([])
})

test('rows of older versions get the columns of later migrations, and keep the others', () => {
  const user = { id: 'ü ☃', username: 'alice' }
  expect(upgradeRows('users', [user])).toEqual([
    { ...user, notifications: true, language: null, email_verified: null, sign_in_alerts: true },
  ])
  const row = { id: 'ü ☃', notify: true, receipt_hash: 'c0ffee' }
  const withoutReceipts = { receipt_hash: null }
  expect(upgradeRows('secrets', [row, { id: 'b' }])).toEqual([
    { ...row, ...withoutReceipts },
    { id: 'b', notify: false, ...withoutReceipts },
  ])
  expect(upgradeRows('settings', [{ name: 'clock' }, { name: 'read_only' }])).toEqual([{ name: 'read_only' }])
  expect(upgradeRows('texts', [{ text: '☃' }])).toEqual([{ text: '☃' }])
})
