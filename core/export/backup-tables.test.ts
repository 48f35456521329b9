import { expect, test } from 'vitest'
import { makeDatabase } from '#test/databases'
import { ACCOUNTS, NEVER, SECRETS } from './backup-tables.js'

test('of every table it is decided whether a backup has it', async () => {
  const database = await makeDatabase('sqlite')
  const { storage, close } = await database.open()
  const tables = storage.rows?.tables ?? []
  await close()
  await database.drop()
  expect(tables.length).toBeGreaterThan(5)
  expect(tables.filter((name) => ![...ACCOUNTS, ...SECRETS, ...NEVER].includes(name))).toEqual([])
})
