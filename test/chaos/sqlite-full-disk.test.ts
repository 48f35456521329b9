/** A disk that is full: a file system of 16 MiB in memory, filled up. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Secret, Storage } from '#core'
import { aHash, aSecret, MINUTE, type OpenedStorage, openStorage, T0 } from '#core/testing'
import sqlite from '#plugins/sqlite/index'
import { needs } from '#test/needs'

describe('on a full disk', needs('mount'), () => {
  let folder: string
  let opened: OpenedStorage
  let storage: Storage
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-full-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder])
    opened = await openStorage(sqlite, { dataDir: folder })
    storage = opened.storage
    await storage.migrate()
  })
  afterEach(async () => {
    await opened.close()
    execFileSync('umount', [folder])
    await rm(folder, { recursive: true })
  })

  const create = (secret: Secret) =>
    storage.secrets.create(secret, T0).then(
      () => 'stored',
      (error) => error.code,
    )
  /** Creates until there is no room; answers what was stored. */
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
      expect((await storage.secrets.view(id, claim, T0, MINUTE))?.text).toBe(text)
      expect(await storage.secrets.ack(id, claim, T0)).toBe(true)
    }
  }

  test.each([
    ['many small secrets', 2_000],
    ['large ones', 700_000],
  ])('that %s filled, all of them are viewed, and then there is room again', async (_, size) => {
    const stored = await fill(size)
    expect(stored.length).toBeGreaterThan(3)
    // Nothing more comes in, however small, while the room is used up.
    expect(await create(aSecret())).toBe('storage.full')
    await viewAll(stored)
    await storage.scrub()
    expect(await create(aSecret())).toBe('stored')
  })

  test('that others filled, wrong passwords are counted, secrets burned and swept, and files reserved no more', async () => {
    const stored = await Promise.all(Array.from({ length: 20 }, async () => aSecret({ text: 'y'.repeat(20_000) })))
    for (const secret of stored) expect(await create(secret)).toBe('stored')
    const ballast = join(folder, 'ballast')
    await writeFile(ballast, Buffer.alloc(2 ** 24)).catch(() => {})
    await fill(100_000)
    const [first, second, ...others] = stored as [Secret, Secret, ...Secret[]]
    expect(await storage.secrets.passwordFailed(first.id, T0, MINUTE)).toMatchObject({ counted: true })
    expect(await storage.secrets.burn(first.id, T0)).toBe(true)
    await viewAll([second])
    await storage.settings.set({ read_only: 'true' })
    expect((await sweepAll()).length).toBeGreaterThanOrEqual(others.length)
    await rm(ballast)
    expect(await create(aSecret({ expiresAt: T0 + 60 * MINUTE }))).toBe('stored')
  })

  async function sweepAll(): Promise<string[]> {
    const swept: string[] = []
    for (;;) {
      const batch = await storage.secrets.sweep(T0 + 20 * MINUTE, 100)
      swept.push(...batch.map(({ id }) => id))
      if (batch.length === 0) return swept
    }
  }

  test('it starts on a full disk, too', async () => {
    const stored = await fill(300_000)
    await opened.close()
    opened = await openStorage(sqlite, { dataDir: folder })
    storage = opened.storage
    expect(await create(aSecret())).toBe('storage.full')
    await viewAll(stored)
  })
})
