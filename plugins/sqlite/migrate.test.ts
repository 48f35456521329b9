import type { Knex } from 'knex'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Storage } from '#core'
import { aSecret, T0 } from '#core/testing'
import { migrations } from '#migrations'
import { knexStorage } from '#plugins/knex'
import { connect } from './connection.js'

let db: Knex
let storage: Storage
beforeEach(() => {
  db = connect(':memory:', 0)
  storage = knexStorage(db)
})
afterEach(() => db.destroy())

const schema = () => db('sqlite_master').orderBy('name').pluck('sql')

test('every migration has a name of its own', () => {
  expect(new Set(migrations.map(({ name }) => name)).size).toBe(migrations.length)
})

test('every migration can be taken back and run again', async () => {
  expect(await storage.migrate()).toEqual(migrations.map(({ name }) => name))
  const complete = await schema()
  for (const migration of [...migrations].reverse()) {
    await migration.down(db)
    await db('migrations').where({ name: migration.name }).delete()
  }
  expect((await db('sqlite_master').where({ type: 'table' }).pluck('name')).sort()).toEqual([
    'migration_lock',
    'migrations',
  ])
  expect(await storage.migrate()).toHaveLength(migrations.length)
  expect(await schema()).toEqual(complete)
})

test('an older program refuses a newer database in one sentence', async () => {
  await storage.migrate()
  await db('migrations').insert({ name: '999_from_the_future', ran_at: T0 })
  await expect(storage.migrate()).rejects.toMatchObject({
    code: 'storage.unavailable',
    message: 'The database is ahead of this version of Mayfly, which does not know its migration 999_from_the_future.',
  })
  // And gives the lock back, for the newer program.
  expect(await db('migration_lock').pluck('held_until')).toEqual([0])
})

test('a migration that fails leaves nothing behind and can run again', async () => {
  await db.schema.createTable('replays', (table) => table.increments())
  await expect(storage.migrate()).rejects.toThrow('storage.migrate: the database failed (SQLITE_ERROR)')
  expect(await db('sqlite_master').where({ type: 'table', name: 'secrets' })).toEqual([])
  await db.schema.dropTable('replays')
  expect(await storage.migrate()).toHaveLength(migrations.length)
  await storage.secrets.create(aSecret(), T0)
})

test('a lock that somebody else holds is waited for, and one that was never given back ends', async () => {
  await storage.migrate()
  const heldUntil = Date.now() + 250
  await db('migration_lock').update({ held_until: heldUntil })
  expect(await storage.migrate()).toEqual([])
  expect(Date.now()).toBeGreaterThanOrEqual(heldUntil)
})
