/** Links to one upload that two server processes create, open and burn at once, on every engine: nothing is left. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#shared/client/client'
import { encryptedFileLength, PART_SIZE } from '#shared/crypto/parts'
import { acquireDatabase, type TestDatabase } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { createManyLinks, expectFirstPart, forEachOf, raceReaders } from '#test/many-links'
import { type RunningServer, startServer } from '#test/start-server'

const LINKS = 24
const READERS = 8

describeEachEngine((engine) => {
  let database: TestDatabase
  let folder: string
  let servers: RunningServer[] = []
  beforeAll(async () => {
    database = await acquireDatabase(engine)
    folder = await mkdtemp(join(tmpdir(), 'mayfly-shared-'))
    const env = {
      ...database.env,
      MAYFLY_LOG: 'warn',
      MAYFLY_PLUGINS: ',',
      MAYFLY_LOCAL_FILES_FOLDER: folder,
      MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0',
      MAYFLY_CLEANUP_SECONDS: '1',
    }
    servers = await Promise.all([startServer({ env }), startServer({ env })])
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const countBlobs = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length
  const countRows = async () => (await database.db('attachments').select('id')).length

  test(`REL-01: ${LINKS} links to one file open once each while others are burned, and the last one deletes it`, async () => {
    const size = PART_SIZE + 1000
    const made = await createManyLinks(servers, size, LINKS)
    expect(made.links).toHaveLength(LINKS)
    expect(await countBlobs()).toBe(2)
    const { storage, close } = await database.open()
    expect(await storage.attachments.sumBytes()).toBe(encryptedFileLength(size))
    await forEachOf(LINKS, async (index) => {
      const link = made.links[index] ?? expect.fail('no link')
      const client = made.clients[index % 2] as Client
      // Every third one is burned unread; of the others, all but the last also when they are used up.
      if (index % 3 > 0) await expectFirstPart(made, link.id, await raceReaders(made, link, READERS))
      if (index < LINKS - 1) expect(await client.burn(link.id, { burnToken: link.burnToken })).toEqual({ burned: true })
    })
    const last = made.links[LINKS - 1] ?? expect.fail('no link')
    await expect.poll(countRows, { timeout: 20_000 }).toBe(1)
    expect(await countBlobs()).toBe(2)
    await (made.clients[0] as Client).burn(last.id, { burnToken: last.burnToken })
    await expect.poll(countRows, { timeout: 20_000 }).toBe(0)
    expect(await countBlobs()).toBe(0)
    expect(await storage.attachments.sumBytes()).toBe(0)
    await close()
    for (const server of servers) expect(server.log()).not.toMatch(/"error"|error /)
  }, 300_000)
})
