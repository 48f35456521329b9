import { expect, test } from 'vitest'
import { makeDatabase, tablesOf } from '#test/databases'
import { TABLES } from './tables.js'

test('TABLES lists every column except process state, migrations, text margins, sequences and new events', async () => {
  const database = await makeDatabase('sqlite')
  const { storage, close } = await database.open()
  await storage.migrate()
  const columns: string[] = []
  for (const table of await tablesOf('sqlite', database.db)) {
    const info = await database.db(table).columnInfo()
    columns.push(...Object.keys(info).map((column) => `${table}.${column}`))
  }
  await close()
  await database.drop()
  const copied = Object.entries(TABLES).flatMap(([table, { strings = [], numbers = [], booleans = [] }]) =>
    [...strings, ...numbers, ...booleans].map((column) => `${table}.${column}`),
  )
  const own =
    /^(leases|new_events|migrations|migration_lock|migration_progress|sqlite_\w+)\.|^texts\.margin$|^outbox\.seq$/
  expect(copied.sort()).toEqual(columns.filter((column) => !own.test(column)).sort())
})
