import { mkdtemp, rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SqliteConnection } from '#plugins/knex/connection/knex-internals'
import { SQLITE_DRIVERS } from '#test/sqlite-drivers'
import { chooseDriver } from './sqlite-driver.js'
import { findSqlite3 } from './sqlite3.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-driver-'))
})
afterAll(() => rm(folder, { recursive: true }))

type Failure = Error & { code?: string; errno?: number }

/** Resolves with the rows, or the error. `this` of the callback has the number of changes. */
const call = (connection: SqliteConnection, method: 'run' | 'all', sql: string, values: unknown[] = []) =>
  new Promise<unknown>((resolve) =>
    connection[method](sql, values, function (this: object, error: Failure | null, rows: unknown) {
      resolve(error ?? rows ?? this)
    }),
  )

test('the default is sqlite3 if its binary loads, otherwise node:sqlite', () => {
  const [preferred] = SQLITE_DRIVERS
  expect(chooseDriver().name).toBe(preferred)
  expect(preferred).toBe(findSqlite3() ? 'sqlite3' : 'node:sqlite')
  expect(SQLITE_DRIVERS.includes('node:sqlite')).toBe(isBuiltin('node:sqlite'))
  for (const name of SQLITE_DRIVERS) expect(chooseDriver(name).name).toBe(name)
})

describe.each(SQLITE_DRIVERS)('with %s', (name) => {
  const withConnection = async (work: (connection: SqliteConnection) => Promise<void>, file = ':memory:') => {
    const connection = await chooseDriver(name).open(file, 0)
    await work(connection)
    await new Promise((resolve) => connection.close(resolve))
  }

  test('values come back as they were written', () =>
    withConnection(async (connection) => {
      await call(connection, 'run', 'create table notes (id integer primary key, text text, bytes blob, size real)')
      const insert = 'insert into notes (text, bytes, size) values (?, ?, ?)'
      expect(await call(connection, 'run', insert, ['ä ☃', Buffer.from([1, 2]), 0.5])).toMatchObject({
        lastID: 1,
        changes: 1,
      })
      await call(connection, 'run', insert, [5, null, true])
      await call(connection, 'run', insert, [2 ** 40, undefined, false])
      const rows = (await call(connection, 'all', 'select text, size, typeof(bytes) as type from notes')) as object[]
      expect(rows).toEqual([
        { text: 'ä ☃', size: 0.5, type: 'blob' },
        { text: '5', size: 1, type: 'null' },
        { text: expect.stringMatching(/^1099511627776/), size: 0, type: 'null' },
      ])
    }))

  test('errors have the codes of SQLite', () =>
    withConnection(async (connection) => {
      await call(connection, 'run', 'create table notes (id integer primary key, text text not null unique)')
      const fail = (sql: string, ...values: unknown[]) => call(connection, 'run', sql, values)
      expect(await fail('insert into notes (text) values (?)', 'one')).not.toBeInstanceOf(Error)
      const [duplicate, empty, unknown] = [
        await fail('insert into notes (text) values (?)', 'one'),
        await fail('insert into notes (text) values (?)', null),
        await fail('insert into missing values (1)'),
      ]
      expect(duplicate).toMatchObject({ code: 'SQLITE_CONSTRAINT', errno: 19 })
      expect((duplicate as Error).message).toBe('SQLITE_CONSTRAINT: UNIQUE constraint failed: notes.text')
      expect(empty).toMatchObject({ code: 'SQLITE_CONSTRAINT' })
      expect(unknown).toMatchObject({ code: 'SQLITE_ERROR', message: 'SQLITE_ERROR: no such table: missing' })
    }))

  test('open fails with SQLITE_CANTOPEN in a folder that does not exist', async () => {
    const opened = chooseDriver(name).open(join(folder, 'none', 'mayfly.db'), 0)
    await expect(opened).rejects.toMatchObject({ code: 'SQLITE_CANTOPEN' })
  })

  test('a locked statement fails with SQLITE_BUSY after its timeout', () =>
    withConnection(
      async (holding) => {
        await call(holding, 'all', 'create table notes (id integer)')
        await call(holding, 'all', 'BEGIN IMMEDIATE;')
        await withConnection(
          async (other) => expect(await call(other, 'all', 'BEGIN IMMEDIATE;')).toMatchObject({ code: 'SQLITE_BUSY' }),
          join(folder, `${SQLITE_DRIVERS.indexOf(name)}.db`),
        )
        await call(holding, 'all', 'ROLLBACK;')
      },
      join(folder, `${SQLITE_DRIVERS.indexOf(name)}.db`),
    ))
})

/** Statements that do not wait for the previous statement. */
describe.each(SQLITE_DRIVERS.filter((name) => name === 'node:sqlite'))('with %s', (name) => {
  test('after a failed statement, further statements of the transaction fail until the rollback', async () => {
    const connection = await chooseDriver(name).open(':memory:', 0)
    await call(connection, 'run', 'create table notes (id integer primary key)')
    const results = await Promise.all([
      call(connection, 'all', 'BEGIN;'),
      call(connection, 'run', 'insert into notes values (1)'),
      call(connection, 'run', 'insert into notes values (1)'),
      call(connection, 'run', 'insert into notes values (2)'),
      call(connection, 'all', 'COMMIT;'),
      call(connection, 'all', 'ROLLBACK;'),
    ])
    expect(results.map((result) => (result as Failure).code ?? 'done')).toEqual([
      'done',
      'done',
      'SQLITE_CONSTRAINT',
      'SQLITE_CONSTRAINT',
      'SQLITE_CONSTRAINT',
      'done',
    ])
    expect(await call(connection, 'all', 'select id from notes')).toEqual([])
    await call(connection, 'all', 'BEGIN;')
    // As after a BEGIN that another process blocks.
    expect(await call(connection, 'all', 'BEGIN;')).toBeInstanceOf(Error)
    expect(await call(connection, 'run', 'insert into notes values (3)')).toBeInstanceOf(Error)
    await call(connection, 'all', 'ROLLBACK;')
    await call(connection, 'run', 'insert into notes values (4)')
    expect(await call(connection, 'all', 'select id from notes')).toEqual([{ id: 4 }])
    await new Promise((resolve) => connection.close(resolve))
  })
})
