import { chmod, cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import knex from 'knex'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aSecret, openStorage, T0 } from '#core/testing'
import { checkDurability, connect } from './connection.js'
import sqlite from './index.js'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-sqlite-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const modeOf = async (name: string) => ((await stat(join(dataDir, name))).mode & 0o777).toString(8)

describe('files', () => {
  test.each([
    ['new', async () => {}],
    [
      'world-readable before',
      async () => {
        await writeFile(join(dataDir, 'mayfly.db'), '')
        await chmod(join(dataDir, 'mayfly.db'), 0o644)
      },
    ],
  ])('files of a database that is %s are accessible only by their owner', async (_, prepare) => {
    await prepare()
    const { storage, close } = await openStorage(sqlite, { dataDir })
    await storage.migrate()
    for (const name of ['mayfly.db', 'mayfly.db-wal', 'mayfly.db-shm']) expect(await modeOf(name)).toBe('600')
    await close()
  })

  test('relative file is inside dataDir, absolute file is not', async () => {
    for (const file of ['other.db', join(dataDir, 'absolute.db')]) {
      await (await openStorage(sqlite, { dataDir, options: { file } })).close()
    }
    expect(await modeOf('other.db')).toBe('600')
    expect(await modeOf('absolute.db')).toBe('600')
  })

  test('secrets survive a restart', async () => {
    const secret = aSecret()
    const first = await openStorage(sqlite, { dataDir })
    await first.storage.migrate()
    await first.storage.secrets.create({ secret, now: T0 })
    await first.close()
    const second = await openStorage(sqlite, { dataDir })
    expect(await second.storage.migrate()).toEqual([])
    expect(await second.storage.secrets.peek(secret.id, T0)).not.toBeNull()
    await second.close()
  })

  test('only the first scrub copies the write-ahead log of a killed process, not the start or a request', async () => {
    const killed = await openStorage(sqlite)
    await killed.storage.migrate()
    const secret = aSecret()
    await killed.storage.secrets.create({ secret, now: T0 })
    const file = join(killed.dataDir, 'mayfly.db')
    const db = connect(file, 0)
    await db.raw('PRAGMA wal_autocheckpoint = 0')
    await db.raw('CREATE TABLE filler AS SELECT zeroblob(6000000) AS bytes')
    // Its files as a kill leaves them.
    for (const suffix of ['', '-wal']) await cp(file + suffix, join(dataDir, `mayfly.db${suffix}`))
    await db.destroy()
    await killed.close()
    const sizeOf = async (name: string) => (await stat(join(dataDir, name))).size
    const before = await sizeOf('mayfly.db')
    const { storage, close } = await openStorage(sqlite, { dataDir })
    expect(await storage.secrets.peek(secret.id, T0)).not.toBeNull()
    await storage.secrets.create({ secret: aSecret(), now: T0 })
    expect(await sizeOf('mayfly.db')).toBe(before)
    expect(await sizeOf('mayfly.db-wal')).toBeGreaterThan(6_000_000)
    expect(await storage.scrub()).toBe(true)
    expect(await sizeOf('mayfly.db')).toBeGreaterThan(6_000_000)
    expect(await sizeOf('mayfly.db-wal')).toBe(0)
    expect(await storage.secrets.peek(secret.id, T0)).not.toBeNull()
    // From now on, commits copy the log, so that it stays small.
    for (let each = 0; each < 12; each++)
      await storage.secrets.create({ secret: aSecret({ text: 'é'.repeat(500_000) }), now: T0 })
    expect(await sizeOf('mayfly.db-wal')).toBeLessThan(7_000_000)
    await close()
  })

  test('the start leaves a small write-ahead log to the first scrub', async () => {
    const killed = await openStorage(sqlite)
    await killed.storage.migrate()
    for (const name of ['mayfly.db', 'mayfly.db-wal']) await cp(join(killed.dataDir, name), join(dataDir, name))
    await killed.close()
    const sizeOfLog = async () => (await stat(join(dataDir, 'mayfly.db-wal'))).size
    const left = await sizeOfLog()
    const { storage, close } = await openStorage(sqlite, { dataDir })
    expect(await sizeOfLog()).toBe(left)
    expect(left).toBeGreaterThan(0)
    expect(await storage.scrub()).toBe(true)
    expect(await sizeOfLog()).toBe(0)
    await close()
  })

  // See text-margin.ts for the purpose of the margin.
  test.each([
    ['a new database', null, 1024],
    ['a database with larger pages', 4096, 4096],
  ])('texts of %s have a margin that follows the page size', async (_, pageSize, expected) => {
    const filename = join(dataDir, 'mayfly.db')
    if (pageSize !== null) {
      const older = knex({ client: 'sqlite3', connection: { filename }, useNullAsDefault: true })
      await older.raw(`PRAGMA page_size = ${pageSize}`)
      await older.raw('create table older (id text)')
      await older.destroy()
    }
    const { storage, close } = await openStorage(sqlite, { dataDir })
    await storage.migrate()
    await storage.secrets.create({ secret: aSecret(), now: T0 })
    const db = connect(filename, 1000)
    expect(await db.raw('PRAGMA page_size')).toEqual([{ page_size: expected }])
    const [{ margin }] = await db('texts').select(db.raw('length(margin) as margin'))
    expect(margin).toBeGreaterThan(expected / 2)
    expect(margin).toBeLessThan(1.2 * expected)
    await db.destroy()
    await close()
  })

  test('setup fails for a file that is not a database', async () => {
    await writeFile(join(dataDir, 'mayfly.db'), 'not a database, but long enough to be taken for one'.repeat(100))
    await expect(openStorage(sqlite, { dataDir })).rejects.toThrow(/file is not a database/)
  })
})

describe('durability', () => {
  test('REL-19: connect sets the pragmas, and checkDurability verifies them', async () => {
    const db = connect(join(dataDir, 'mayfly.db'), 0)
    const read = async (pragma: string) => Object.values((await db.raw(`PRAGMA ${pragma}`))[0])[0]
    expect(await read('foreign_keys')).toBe(1)
    expect(await read('secure_delete')).toBe(1)
    await checkDurability(db)
    await db.raw('PRAGMA synchronous = NORMAL')
    await expect(checkDurability(db)).rejects.toThrow(/synchronous is not FULL/)
    await db.destroy()
  })

  test('REL-19: checkDurability fails without a write-ahead log', async () => {
    const db = connect(':memory:', 0)
    await expect(checkDurability(db)).rejects.toThrow(/does not allow a write-ahead log \(memory\)/)
    await db.destroy()
  })
})
