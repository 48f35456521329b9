import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Compaction } from '#core'
import { aSecret, openStorage, T0 } from '#core/testing'
import { connect } from './connection.js'
import sqlite from './index.js'

let dataDir: string
let file: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-compact-'))
  file = join(dataDir, 'mayfly.db')
})
afterEach(() => rm(dataDir, { recursive: true }))

const open = async () => {
  const opened = await openStorage(sqlite, { dataDir })
  await opened.storage.migrate()
  return { ...opened, compaction: opened.storage.compaction as Compaction }
}
/** Stores and deletes large secrets. */
async function leaveHoles({ storage }: Awaited<ReturnType<typeof open>>): Promise<void> {
  const text = 'ä'.repeat(200_000)
  for (let at = 0; at < 10; at++)
    await storage.secrets.create({ secret: aSecret({ text, expiresAt: T0 + 1 }), now: T0 })
  await storage.secrets.deleteExpired({ now: T0 + 2, limit: 100 })
  await storage.scrub()
}

test('a new database gives the space of deleted data back while others read and write', async () => {
  const [first, second] = [await open(), await open()]
  const kept = aSecret({ text: 'sécret ☃'.repeat(5000) })
  await first.storage.secrets.create({ secret: kept, now: T0 })
  await leaveHoles(first)
  const before = await first.compaction.measure()
  expect(before).toBeGreaterThan(4_000_000)
  let isOver = false
  const running = second.compaction.run().finally(() => {
    isOver = true
  })
  let calls = 0
  while (!isOver) {
    // A bounded number of writes, because they need space themselves.
    if (calls++ < 20) await first.storage.secrets.create({ secret: aSecret(), now: T0 })
    else await first.storage.secrets.peek(kept.id, T0)
  }
  await running
  expect(calls).toBeGreaterThan(1)
  await first.storage.scrub()
  expect(await first.compaction.measure()).toBeLessThan(before / 4)
  expect(await first.storage.secrets.peek(kept.id, T0)).not.toBeNull()
  expect(await first.storage.findDamage?.()).toBeNull()
  for (const { close } of [first, second]) await close()
  expect((await stat(file)).size).toBeLessThan(before / 4)
})

test('opening an existing database writes nothing', async () => {
  const first = await open()
  await first.storage.scrub()
  const second = connect(file, 0)
  await second.raw('select 1')
  expect((await stat(`${file}-wal`)).size).toBe(0)
  await second.destroy()
  await first.close()
})
