import { expect, test } from 'vitest'
import { makeDatabase } from '#test/databases'
import { ACCOUNTS, NEVER, SECRETS } from './backup-tables.js'

test('every table is listed as included in a backup or not', async () => {
  const database = await makeDatabase('sqlite')
  const { storage, close } = await database.open()
  const tables = storage.rows?.tables ?? []
  await close()
  await database.drop()
  expect(tables.length).toBeGreaterThan(5)
  expect(tables.filter((name) => ![...ACCOUNTS, ...SECRETS, ...NEVER].includes(name))).toEqual([])
})
