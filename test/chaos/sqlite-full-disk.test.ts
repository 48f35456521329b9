/** SQLite on a full disk of 16 MiB: stored secrets can be viewed, burned and deleted, which frees space. */
import { appendFile, cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Secret, Storage } from '#core'
import { aHash, aSecret, MINUTE, type OpenedStorage, openStorage, T0 } from '#core/testing'
import sqlite from '#plugins/sqlite/index'
import { needs } from '#test/needs'
import { mountSmallDisk, type SmallDisk } from '#test/small-disk'
import { SQLITE_DRIVERS } from '#test/sqlite-drivers'

describe.each(SQLITE_DRIVERS)('SQLite with %s on a full disk', needs('mount'), (driver) => {
  let disk: SmallDisk
  let folder: string
  let opened: OpenedStorage
  let storage: Storage
  beforeEach(async () => {
    disk = mountSmallDisk(16 * 2 ** 20)
    folder = disk.folder
    opened = await openStorage(sqlite, { dataDir: folder, options: { driver } })
    storage = opened.storage
    await storage.migrate()
  })
  afterEach(async () => {
    await opened.close()
    disk.unmount()
  })

  const create = (secret: Secret) =>
    storage.secrets.create({ secret, now: T0 }).then(
      () => 'stored',
      (error) => error.code,
    )
  /** Creates secrets until the disk is full. Resolves with the stored ones. */
  async function fill(size: number, differing: Partial<Secret> = {}): Promise<Secret[]> {
    const stored: Secret[] = []
    for (;;) {
      const secret = aSecret({ text: 'x'.repeat(size), ...differing })
      const outcome = await create(secret)
      if (outcome === 'stored') stored.push(secret)
      else {
        expect(outcome).toBe('storage.full')
        expect(await storage.secrets.peek(secret.id, T0)).toBeNull()
        return stored
      }
    }
  }
  const viewAll = async (secrets: Secret[]) => {
    for (const { id, text } of secrets) {
      const claim = aHash()
      expect((await storage.secrets.view({ id, claimHash: claim, now: T0, graceMs: MINUTE }))?.text).toBe(text)
      expect(await storage.secrets.ack(id, claim, T0)).toBe(true)
    }
  }

  test('a start on a full disk uses the reserve, and without one says that the disk is full', async () => {
    const secret = aSecret()
    expect(await create(secret)).toBe('stored')
    await opened.close()
    await fillDisk(folder)
    opened = await openStorage(sqlite, { dataDir: folder, options: { driver } })
    storage = opened.storage
    expect(await storage.secrets.peek(secret.id, T0)).not.toBeNull()
    await opened.close()
    await rm(join(folder, 'mayfly.db-reserve'), { force: true })
    await fillDisk(folder)
    const failure = await openStorage(sqlite, { dataDir: folder, options: { driver } }).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      message: expect.stringMatching(/mayfly\.db cannot be opened: the disk is full \([A-Z_]+\)\.$/),
      hint: `free space on the disk of ${folder}`,
    })
    await rm(join(folder, 'filler'))
    opened = await openStorage(sqlite, { dataDir: folder, options: { driver } })
  })

  test.each([
    ['many small secrets', 2_000],
    ['large secrets', 700_000],
  ])('REL-10: views free the room that %s used up', async (_, size) => {
    const stored = await fill(size)
    expect(stored.length).toBeGreaterThan(3)
    // The reserve is used up: nothing more is stored, however small.
    expect(await create(aSecret())).toBe('storage.full')
    await viewAll(stored)
    await storage.scrub()
    expect(await create(aSecret())).toBe('stored')
  })

  test('REL-10: wrong passwords are counted, and secrets burned and deleted, while other data fills the disk', async () => {
    const stored = await Promise.all(Array.from({ length: 20 }, async () => aSecret({ text: 'y'.repeat(20_000) })))
    for (const secret of stored) expect(await create(secret)).toBe('stored')
    const ballast = join(folder, 'ballast')
    await writeFile(ballast, Buffer.alloc(2 ** 24)).catch(() => {})
    await fill(100_000)
    const [first, second, ...others] = stored as [Secret, Secret, ...Secret[]]
    expect(await storage.secrets.recordWrongPassword({ id: first.id, now: T0, lockMs: MINUTE })).toMatchObject({
      counted: true,
    })
    expect(await storage.secrets.burn({ id: first.id, now: T0 })).toBe(true)
    await viewAll([second])
    await storage.settings.set({ read_only: 'true' })
    expect((await cleanUpAll()).length).toBeGreaterThanOrEqual(others.length)
    await rm(ballast)
    expect(await create(aSecret({ expiresAt: T0 + 60 * MINUTE }))).toBe('stored')
  })

  async function cleanUpAll(): Promise<string[]> {
    const deleted: string[] = []
    for (;;) {
      const batch = await storage.secrets.deleteExpired({ now: T0 + 20 * MINUTE, limit: 100 })
      deleted.push(...batch.map(({ id }) => id))
      if (batch.length === 0) return deleted
    }
  }

  test('SEC-37: the storage starts on a full disk', async () => {
    const stored = await fill(300_000)
    await opened.close()
    opened = await openStorage(sqlite, { dataDir: folder, options: { driver } })
    storage = opened.storage
    expect(await create(aSecret())).toBe('storage.full')
    await viewAll(stored)
  })

  test('the storage starts on a full disk with a large write-ahead log, which a killed process has left', async () => {
    const stored = await fill(300_000)
    const copy = await mkdtemp(join(tmpdir(), 'mayfly-full-disk-'))
    const files = ['mayfly.db', 'mayfly.db-wal']
    for (const file of files) await cp(join(folder, file), join(copy, file))
    await opened.close()
    for (const file of files) await cp(join(copy, file), join(folder, file))
    await rm(copy, { recursive: true })
    expect((await stat(join(folder, 'mayfly.db-wal'))).size).toBeGreaterThan(4096 * 1000)
    opened = await openStorage(sqlite, { dataDir: folder, options: { driver } })
    storage = opened.storage
    await viewAll(stored)
  })
})

/** Leaves no block free. */
async function fillDisk(folder: string): Promise<void> {
  for (const size of [2 ** 20, 4096]) {
    for (;;) {
      const written = await appendFile(join(folder, 'filler'), Buffer.alloc(size)).catch(() => 'full')
      if (written === 'full') break
    }
  }
}
