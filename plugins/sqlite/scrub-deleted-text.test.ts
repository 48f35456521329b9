import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Storage } from '#core'
import { aHash, aSecret, MINUTE, type OpenedStorage, openStorage, T0 } from '#core/testing'
import { SQLITE_DRIVERS } from '#test/sqlite-drivers'
import { connect } from './connection.js'
import { chooseDriver } from './drivers/sqlite-driver.js'
import sqlite from './index.js'

/** Gives sizes and an order of deletes for which SQLite would leave a copy of one text behind without the margin. */
const SEED = 45

describe.each(SQLITE_DRIVERS)('with %s', (driver) => {
  let opened: OpenedStorage
  let storage: Storage
  beforeEach(async () => {
    opened = await openStorage(sqlite, { options: { driver } })
    storage = opened.storage
    await storage.migrate()
  })
  afterEach(() => opened.close())

  /** A secret whose text repeats a marker, so that any part of it can be found. */
  const createMarked = (repeat: number) => {
    const marker = randomBytes(12).toString('hex')
    return { marker, secret: aSecret({ text: marker.repeat(repeat) }) }
  }

  /** Number of markers in the files of the database. */
  const countMarkers = (marker: string) =>
    ['', '-wal', '-shm']
      .map((suffix) => join(opened.dataDir, `mayfly.db${suffix}`))
      .filter((file) => existsSync(file))
      .reduce((count, file) => count + readFileSync(file, 'latin1').split(marker).length - 1, 0)

  const ENDS: Record<string, (id: string) => Promise<unknown>> = {
    burn: (id) => storage.secrets.burn({ id, now: T0 }),
    ack: async (id) => {
      const claim = aHash()
      await storage.secrets.view({ id, claimHash: claim, now: T0, graceMs: MINUTE })
      return storage.secrets.ack(id, claim, T0)
    },
    'cleanup after expiry': () => storage.secrets.deleteExpired({ now: T0 + 10 * MINUTE, limit: 10 }),
  }

  test.each(Object.entries(ENDS))('scrub after %s wipes every part of the text in the files', async (_, end) => {
    for (const repeat of [4, 50, 5000]) {
      const { marker, secret } = createMarked(repeat)
      await storage.secrets.create({ secret, now: T0 })
      // Moves the text from the write-ahead log to the database file.
      expect(await storage.scrub()).toBe(true)
      expect(countMarkers(marker)).toBeGreaterThan(0)
      expect(await end(secret.id)).toBeTruthy()
      expect(await storage.scrub()).toBe(true)
      expect(countMarkers(marker)).toBe(0)
    }
  })

  test('REL-12: scrub wipes texts that shared pages with other texts', async () => {
    const random = randomNumbers(SEED)
    const living = Array.from({ length: 40 }, () => createMarked(1 + Math.floor(random() * 60)))
    for (const { secret } of living) await storage.secrets.create({ secret, now: T0 })
    const burned = []
    while (living.length > 10) burned.push(...living.splice(Math.floor(random() * living.length), 1))
    for (const { secret } of burned) await storage.secrets.burn({ id: secret.id, now: T0 })
    expect(await storage.scrub()).toBe(true)
    expect(burned.filter(({ marker }) => countMarkers(marker) > 0)).toEqual([])
    expect(living.filter(({ marker }) => countMarkers(marker) === 0)).toEqual([])
  })

  test('REL-17: scrub returns false while a reader is active, without blocking writers', async () => {
    const { marker, secret } = createMarked(50)
    await storage.secrets.create({ secret, now: T0 })
    const reader = connect(join(opened.dataDir, 'mayfly.db'), 1000, chooseDriver(driver))
    await reader.raw('BEGIN')
    await reader('texts').select()
    await storage.secrets.burn({ id: secret.id, now: T0 })
    expect(await storage.scrub()).toBe(false)
    await storage.secrets.create({ secret: aSecret(), now: T0 })
    expect(countMarkers(marker)).toBeGreaterThan(0)
    await reader.raw('ROLLBACK')
    await reader.destroy()
    expect(await storage.scrub()).toBe(true)
    expect(countMarkers(marker)).toBe(0)
  })
})

/** Numbers from 0 to 1, the same ones for the same seed (Park and Miller 1988, multiplier 48271). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}
