import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import type { Knex } from 'knex'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Storage } from '#core'
import { aHash, aSecret, aUser, MINUTE, T0 } from '#core/testing'
import { knexStorage } from '#plugins/knex'
import { SQLITE_DRIVERS } from '#test/sqlite-drivers'
import { connect as connectWith } from './connection.js'
import { chooseDriver } from './drivers/sqlite-driver.js'

describe.each(SQLITE_DRIVERS)('with %s', (driver) => {
  const connect = (file: string, lockTimeoutMs: number) => connectWith(file, lockTimeoutMs, chooseDriver(driver))
  let dataDir: string
  let db: Knex
  let storage: Storage
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mayfly-faults-'))
    db = connect(join(dataDir, 'mayfly.db'), 0)
    storage = knexStorage(db)
    await storage.migrate()
  })
  afterEach(async () => {
    await db.destroy()
    await rm(dataDir, { recursive: true })
  })

  test('create fails with storage.full on a full disk, and works again afterwards', async () => {
    const first = aSecret()
    await storage.secrets.create({ secret: first, now: T0 })
    const [{ page_count: pages }] = await db.raw('PRAGMA page_count')
    await db.raw(`PRAGMA max_page_count = ${pages}`)
    const large = aSecret({ text: 'x'.repeat(100_000) })
    await expect(storage.secrets.create({ secret: large, now: T0 })).rejects.toMatchObject({ code: 'storage.full' })
    expect(await storage.secrets.peek(large.id, T0)).toBeNull()
    expect(await storage.secrets.view({ id: first.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toMatchObject({
      text: first.text,
    })
    await db.raw('PRAGMA max_page_count = 100000')
    await storage.secrets.create({ secret: large, now: T0 })
    expect(await storage.secrets.peek(large.id, T0)).not.toBeNull()
  })

  test('writes fail with storage.unavailable on a read-only database', async () => {
    await db.raw('PRAGMA query_only = ON')
    await expect(storage.secrets.create({ secret: aSecret(), now: T0 })).rejects.toMatchObject({
      code: 'storage.unavailable',
    })
    await expect(storage.settings.set({ read_only: 'true' })).rejects.toMatchObject({ code: 'storage.unavailable' })
  })

  test('REL-17: write waits for the write of another process', async () => {
    const other = connect(join(dataDir, 'mayfly.db'), 0)
    const writing = await other.transaction()
    await writing('settings').insert({ name: 'held', value: '☃' })
    let refused = 0
    db.on('query-error', (error) => {
      if (error.code === 'SQLITE_BUSY' && ++refused === 3) void writing.commit()
    })
    const secret = aSecret()
    await storage.secrets.create({ secret, now: T0 })
    expect(refused).toBeGreaterThanOrEqual(3)
    expect(await storage.secrets.peek(secret.id, T0)).not.toBeNull()
    await other.destroy()
  })

  test('REL-17: statement fails when another process has the lock for longer than its timeout', async () => {
    const holding = await db.transaction()
    const other = connect(join(dataDir, 'mayfly.db'), 20)
    await expect(other('settings').insert({ name: 'late', value: '☃' })).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
    await holding.commit()
    await other('settings').insert({ name: 'late', value: '☃' })
    await other.destroy()
  })

  test('REL-17: statements that wait for the lock of another process leave the thread pool to others', async () => {
    // More than libuv has threads.
    const waiting = Array.from({ length: 8 }, () => connect(join(dataDir, 'mayfly.db'), 10_000))
    for (const each of waiting) await each.raw('select 1')
    const holding = await db.transaction()
    const names = waiting.map((_, index) => `waited ${index}`)
    const sent = waiting.map((each) => new Promise((resolve) => each.once('query', resolve)))
    const written = Promise.all(
      waiting.map((each, index) => each('settings').insert({ name: names[index], value: '☃' })),
    )
    await Promise.all(sent)
    await stat(dataDir)
    expect(await holding('settings').pluck('name')).toEqual([])
    await holding.commit()
    await written
    expect((await db('settings').pluck('name')).sort()).toEqual(names)
    await Promise.all(waiting.map((each) => each.destroy()))
  })

  test('SEC-26, REL-17: transaction that reads first blocks writes of other processes', async () => {
    const other = connect(join(dataDir, 'mayfly.db'), 0)
    await db.transaction(async (tx) => {
      await tx('settings').select()
      const refused = await other('settings')
        .insert({ name: 'other', value: '☃' })
        .catch((error) => error.code)
      expect(refused).toBe('SQLITE_BUSY')
      await tx('settings').insert({ name: 'own', value: '☃' })
    })
    expect(await db('settings').pluck('name')).toEqual(['own'])
    await other.destroy()
  })

  test('calls fail with storage.unavailable when no connection is free in time', async () => {
    const busy = connect(join(dataDir, 'mayfly.db'), 0)
    const holding = await busy.transaction()
    // The pool reads its limit when it is created. 10 s would be too long for a test.
    Object.assign(busy.client.pool, { acquireTimeoutMillis: 20 })
    await expect(knexStorage(busy).ping()).rejects.toMatchObject({ code: 'storage.unavailable' })
    await holding.rollback()
    await busy.destroy()
  })

  test('connection errors do not contain values', async () => {
    const error = await db('nowhere').insert({ secret: 'canary-☃' }).catch(inspect)
    expect(error).toContain('no such table')
    expect(error).not.toContain('canary')
  })

  test('SEC-32: storage errors do not contain values, even if the driver adds them', async () => {
    db.client.config.compileSqlOnError = true
    const canary = 'canary-☃'
    const errors: unknown[] = []
    const failing = async (call: Promise<unknown>) => errors.push(await call.catch((error) => error))
    const user = aUser()
    await storage.users.create(user)
    await failing(storage.users.create({ ...user, passwordHash: canary }))
    // Two violated constraints other than uniqueness: a foreign key and not null.
    await failing(storage.secrets.create({ secret: aSecret({ ownerId: canary, text: canary }), now: T0 }))
    await failing(storage.secrets.create({ secret: aSecret({ expiresAt: null as never, text: canary }), now: T0 }))
    await db.schema.dropTable('settings')
    await failing(storage.settings.set({ [canary]: canary }))
    await db.destroy()
    await failing(storage.secrets.peek(canary, T0))
    expect(errors.map((error) => error instanceof Error)).toEqual([true, true, true, true, true])
    expect(inspect(errors, { depth: 10, showHidden: true })).not.toContain(canary)
  })
})
