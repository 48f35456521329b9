/** 250 links to one upload of 50 MB, opened through two server processes, every tenth by 32 readers at once. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#shared/client/client'
import { encryptedFileLength } from '#shared/crypto/parts'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { createManyLinks, expectFirstPart, raceReaders } from '#test/many-links'
import { type RunningServer, startServer } from '#test/start-server'

const LINKS = 250
const READERS = 32
/** Every so many links, readers race. */
const RACE_EVERY = 10
const SIZE = 50_000_000
/** Every so many links, the content of the file is compared. */
const COMPARE_EVERY = 50

let database: TestDatabase
let folder: string
let servers: RunningServer[] = []
beforeAll(async () => {
  database = await makeDatabase('sqlite')
  folder = await mkdtemp(join(tmpdir(), 'mayfly-many-'))
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
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

async function storedBytes(): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

test(`REL-01: ${LINKS} links to one upload open once each and store it once, and nothing is left after the last`, async () => {
  const made = await createManyLinks(servers, SIZE, LINKS)
  expect(new Set(made.links.map(({ id }) => id)).size).toBe(LINKS)
  expect(await storedBytes()).toBe(encryptedFileLength(SIZE))
  for (const [index, link] of made.links.entries()) {
    const ticket = await raceReaders(made, link, index % RACE_EVERY === 0 ? READERS : 1)
    if (index % COMPARE_EVERY === 0) await expectFirstPart(made, link.id, ticket)
    if (index === LINKS - 1) expect(await storedBytes()).toBe(encryptedFileLength(SIZE))
    await (made.clients[index % 2] as Client).burn(link.id, { burnToken: link.burnToken })
  }
  const countRows = async () => (await database.db('attachments').select('id')).length
  await expect.poll(countRows, { timeout: 30_000 }).toBe(0)
  expect(await storedBytes()).toBe(0)
  expect(await database.db('secrets').select('id')).toEqual([])
}, 1_800_000)
