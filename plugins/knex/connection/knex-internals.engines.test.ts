/**
 * The assumptions of Mayfly about the pinned version of knex and the drivers. A failure names the assumption that an
 * update broke.
 */
import type { Writable } from 'node:stream'
import knex, { type Knex } from 'knex'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import manifest from '#package' with { type: 'json' }
import { makeDatabase, type TestDatabase } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { needs } from '#test/needs'
import {
  acquireConnection,
  countConnections,
  type DriverConnection,
  discardConnection,
  driverOf,
  interceptCalls,
  isPipelined,
  isSqlite,
  releaseConnection,
  replaceBegin,
  runStatement,
  type SqliteCall,
  type SqliteConnection,
  type Statement,
  sendStatement,
  watchErrors,
  watchPool,
} from './knex-internals.js'

const DRIVERS = { sqlite: 'sqlite3', postgres: 'pg', mysql: 'mysql2' }

test('package.json pins the version of knex that is installed', async () => {
  const { default: installed } = await import('knex/package.json', { with: { type: 'json' } })
  expect(manifest.dependencies.knex).toBe(installed.version)
})

describeEachEngine((engine) => {
  let database: TestDatabase
  let db: Knex
  beforeEach(async () => {
    database = await makeDatabase(engine)
    db = connect()
    await db.schema.createTable('notes', (table) => {
      table.integer('id').primary()
      table.string('text', 64)
    })
  })
  afterEach(async () => {
    await db.destroy()
    await database.drop()
  })

  const connect = () => {
    const { client, connection } = database.db.client.config
    const log = { warn: () => {}, error: () => {} }
    return knex({ client, connection, log, useNullAsDefault: true, pool: { min: 0, max: 1 } })
  }
  const withConnection = async <T>(work: (connection: DriverConnection) => Promise<T>) => {
    const connection = await acquireConnection(db)
    return work(connection).finally(() => releaseConnection(db, connection))
  }

  test('driverOf names the driver, also of a transaction', async () => {
    expect(driverOf(db)).toBe(DRIVERS[engine])
    expect(isSqlite(db)).toBe(engine === 'sqlite')
    expect(await db.transaction(async (tx) => driverOf(tx))).toBe(DRIVERS[engine])
  })

  test('acquireConnection takes a connection out of the pool, and countConnections counts it', async () => {
    const connection = await acquireConnection(db)
    expect(countConnections(db)).toEqual({ busy: 1, idle: 0, waiting: 0 })
    const waiting = acquireConnection(db)
    await expect.poll(() => countConnections(db).waiting).toBe(1)
    await releaseConnection(db, connection)
    expect(await waiting).toBe(connection)
    await releaseConnection(db, connection)
    expect(countConnections(db)).toEqual({ busy: 0, idle: 1, waiting: 0 })
  })

  test('runStatement returns rows of a select, and the number of changed rows', async () => {
    await withConnection(async (connection) => {
      const run = (method: string, sql: string, bindings: unknown[]) =>
        runStatement(db, connection, { method, sql, options: {}, bindings })
      await run('insert', 'insert into notes (id, text) values (?, ?), (?, ?)', [1, 'ä ☃', 2, null])
      expect(await run('select', 'select id, text from notes where id = ?', [1])).toEqual([{ id: 1, text: 'ä ☃' }])
      expect(await run('update', 'update notes set text = ?', ['ö'])).toBe(2)
      await expect(run('update', 'update notes set nothing = ?', [1])).rejects.toThrow()
    })
  })

  test('sendStatement opens and rolls back a transaction of the connection', async () => {
    await withConnection(async (connection) => {
      await sendStatement(db, connection, 'BEGIN;')
      await db('notes').insert({ id: 1 }).connection(connection)
      await sendStatement(db, connection, 'ROLLBACK;')
    })
    expect(await db('notes')).toEqual([])
  })

  test('a connection that was discarded is closed and not used again', async () => {
    const connection = await acquireConnection(db)
    discardConnection(connection, new Error('discarded'))
    await releaseConnection(db, connection)
    await withConnection(async (next) => expect(next).not.toBe(connection))
    expect(countConnections(db).idle).toBe(1)
  })

  test('replaceBegin runs before the first statement of each transaction, and its failure fails the transaction', async () => {
    const started: string[] = []
    const begin = { sql: engine === 'sqlite' ? 'select 1' : 'select 2' }
    db.on('query', ({ sql }) => started.push(sql))
    replaceBegin(db, async ({ begin: asUsual, query }) => {
      await asUsual()
      return query(begin.sql)
    })
    await db.transaction(async (tx) => tx('notes').insert({ id: 1 }))
    expect(started.map((sql) => sql.replace(/[`"]/g, '').slice(0, 12))).toEqual([
      'BEGIN;',
      begin.sql,
      'insert into ',
      'COMMIT;',
    ])
    begin.sql = 'select nothing from nowhere'
    await expect(db.transaction(async (tx) => tx('notes').insert({ id: 2 }))).rejects.toThrow()
    expect(await db('notes').pluck('id')).toEqual([1])
  })

  test('watchErrors reports the connection of a failed query, also in both kinds of transactions', async () => {
    const failed: DriverConnection[] = []
    const watched = connect()
    watchErrors(watched, (connection) => void failed.push(connection))
    await watched('notes').insert({ id: 1 })
    const insert: Statement = { method: 'insert', sql: 'insert into notes (id) values (?)', bindings: [1] }
    await expect(watched('notes').insert({ id: 1 })).rejects.toThrow()
    await expect(watched.transaction((tx) => tx('notes').insert({ id: 1 }))).rejects.toThrow()
    const connection = await acquireConnection(watched)
    await expect(runStatement(watched, connection, insert)).rejects.toThrow()
    expect(failed).toHaveLength(3)
    expect(failed.every((each) => each === connection)).toBe(true)
    await releaseConnection(watched, connection)
    await watched.destroy()
  })

  test('watchPool reports that a connection is opened, acquired and released', async () => {
    const pool = connect()
    const events: [string, DriverConnection][] = []
    const note = (name: string) => (connection: DriverConnection) => void events.push([name, connection])
    watchPool(pool, { onCreate: note('create'), onAcquire: note('acquire'), onRelease: note('release') })
    await pool.raw('select 1')
    await pool.raw('select 1')
    expect(events.map(([name]) => name)).toEqual(['create', 'acquire', 'release', 'acquire', 'release'])
    const used = await acquireConnection(pool)
    expect(events.every(([, connection]) => connection === used)).toBe(true)
    await releaseConnection(pool, used)
    await pool.destroy()
  })
})

test('interceptCalls intercepts every statement between knex and sqlite3', async () => {
  const { db, drop } = await makeDatabase('sqlite')
  await db.schema.createTable('notes', (table) => {
    table.integer('id').primary()
    table.string('text', 64)
  })
  const calls: Pick<SqliteCall, 'method' | 'sql'>[] = []
  const connection = await acquireConnection(db)
  interceptCalls(connection as SqliteConnection, ({ method, sql, values, done, run }) => {
    calls.push({ method, sql: sql.slice(0, 6).toLowerCase() })
    expect(values.length).toBeLessThanOrEqual(1)
    return run(done)
  })
  await releaseConnection(db, connection)
  await db.transaction(async (tx) => {
    expect(await tx('notes').insert({ id: 7 })).toEqual([7])
    expect(await tx('notes').where({ id: 7 }).update({ text: 'ä' })).toBe(1)
  })
  const failing = db.transaction(async (tx) => {
    await tx('notes').delete()
    throw new Error('given up')
  })
  await expect(failing).rejects.toThrow('given up')
  expect(await db('notes')).toHaveLength(1)
  const sent = ['begin;', 'insert', 'update', 'commit', 'begin;', 'delete', 'rollba', 'select']
  expect(calls.map(({ sql }) => sql)).toEqual(sent)
  const methods = Object.fromEntries(calls.map(({ method, sql }) => [sql, method]))
  expect(methods).toMatchObject({ 'begin;': 'all', commit: 'all', rollba: 'all', select: 'all', insert: 'run' })
  await drop()
})

describe('pg', needs('postgres'), () => {
  test('queries of one turn of the event loop leave in one packet on a connection that pipelines', async () => {
    const database = await makeDatabase('postgres')
    const { client, connection: options } = database.db.client.config
    const db = knex({ client, connection: { ...options, pipeline: true }, pool: { min: 0, max: 1 } })
    const connection = await acquireConnection<{ connection: { stream: Writable } }>(db)
    expect(isPipelined(connection)).toBe(true)
    const { stream } = connection.connection
    const results = ['select 1', 'select 2'].map((sql) => sendStatement(db, connection, sql))
    // The queries leave in a microtask, before the next turn.
    await Promise.resolve().then(() => Promise.resolve())
    expect(stream.writableCorked).toBe(2)
    await Promise.all(results)
    expect(stream.writableCorked).toBe(0)
    await releaseConnection(db, connection)
    await db.destroy()
    await database.drop()
  })
})
