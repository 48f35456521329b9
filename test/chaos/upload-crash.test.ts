/**
 * A server that is killed between any two steps of upload, bind, view, download, burn, cancel and cleanup: after one
 * cleanup every blob has a row, every row has its blobs, and all acknowledged data is there.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import knex from 'knex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definePlugin, type Plugin, type PluginContext, z } from '#core'
import { keysOf } from '#core/testing/file-store/blobs'
import { builtIns } from '#plugins'
import { ApiError, type Client, createClient, type UploadId } from '#shared/client/client'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { encryptedPartLength, PART_SIZE } from '#shared/crypto/parts'
import { arm, chooseSteps, countSteps, deathOf, killAtEach, startDying } from '#test/crash-steps'
import { makeMemoryFolder } from '#test/memory-folder'
import { needs } from '#test/needs'
import { makeBucket, type TestBucket } from '#test/s3'
import { NEWEST_SQLITE_DRIVER } from '#test/sqlite-drivers'
import type { RunningServer } from '#test/start-server'
import { type TestApp, testApp } from '#test/test-app'

const HOUR = 60 * 60_000
const PART = encryptedPartLength(PART_SIZE)
const LARGE = randomBytes(PART)
/** All rounds come from one address on one day, and end before the read grace. */
const UNLIMITED = { MAYFLY_VISITOR_BYTES_PER_DAY: String(2 ** 40), MAYFLY_MAX_OPEN_UPLOADS: '1000' }

/** Responses that senders and reader received before the server was killed. */
interface Attempt {
  /** A secret without views. */
  kept?: { id: string; access: string; bytes: Buffer }
  /** True when the server lived to the end. */
  isOver: boolean
}

interface Store {
  env: Record<string, string>
  plugin(): Promise<Plugin>
  /** Files that interrupted puts left. */
  unfinished(dataDir: string): Promise<string[]>
}

const local: Store = {
  env: { MAYFLY_FILES: 'local-files', MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0' },
  plugin: async () => (await builtIns['local-files']()).default as unknown as Plugin,
  unfinished: (dataDir) => readdir(join(dataDir, 'files/tmp')),
}

/** Kills at one step of each of the `kinds`. */
function testCrashes(store: () => Store, kinds: string[]): void {
  test(`SEC-38, REL-04, REL-05: blobs and rows agree after ${kinds.length} kills, and nothing acknowledged is lost`, async () => {
    const dataDir = await makeMemoryFolder('mayfly-files-crash-')
    const env = { ...store().env, ...UNLIMITED, MAYFLY_SQLITE_DRIVER: NEWEST_SQLITE_DRIVER }
    const counting = await startDying(null, dataDir, env)
    await arm(counting)
    const complete = await journey(counting)
    expect(complete.isOver).toBe(true)
    const steps = chooseSteps(await countSteps(counting), kinds.length, kinds)
    await counting.kill()
    let checked = expectSound(store(), dataDir, complete, 'after no kill')
    await killAtEach(steps, kinds, async (step) => {
      // It starts while the state of the previous round is checked.
      const [server] = await Promise.all([startDying(step, dataDir, env), checked])
      await arm(server)
      const made = await journey(server).finally(() => server.kill())
      checked = expectSound(store(), dataDir, made, `after step ${step}`)
      return deathOf(server)
    })
    await checked
    await rm(dataDir, { recursive: true })
  }, 1_800_000)
}

const WRITES = ['INSERT', 'UPDATE', 'DELETE', 'COMMIT'].flatMap((sql) => [`before ${sql}`, `after ${sql}`])
const FILE_CALLS = ['open', 'sync', 'rename', 'unlink'].flatMap((name) => [`before ${name}`, `after ${name}`])

describe.concurrent('files on a disk', () => testCrashes(() => local, [...WRITES, ...FILE_CALLS]))

describe.concurrent('files in a bucket', needs('s3'), () => {
  let bucket: TestBucket
  let store: Store
  beforeAll(async () => {
    bucket = await makeBucket()
    const options = bucket.options()
    const { default: s3 } = await builtIns.s3()
    const setup = (_: object, host: PluginContext) => s3.setup(s3.options.parse(options), host)
    store = {
      env: bucket.env(options),
      plugin: async () => definePlugin({ contract: 1, name: 's3', options: z.object({}), setup }),
      unfinished: async () => [],
    }
  })
  afterAll(() => bucket.drop())
  // The statements are the same as with files on a disk: each is hit before or after it ran.
  const writes = WRITES.filter((_, at) => at % 4 === 0 || at % 4 === 3)
  testCrashes(() => store, [...writes, 'before request', 'after request'])
})

/**
 * Keeps a secret, which has its file in common with two that are burned, views and downloads one, burns one, cancels an
 * upload, and waits for the cleanup.
 */
async function journey(server: RunningServer): Promise<Attempt> {
  const client = createClient({ server: server.url, retryMs: [] })
  const made: Attempt = { isOver: false }
  try {
    const parts = [randomBytes(1000)]
    const shared = await send(client, parts, 4)
    const burnedEarly = await bind(client, shared, 1)
    const kept = await bind(client, shared, 2)
    made.kept = { ...kept, bytes: parts[0] as Buffer }
    await client.burn(burnedEarly.id, { access: burnedEarly.access })
    const burnedLate = await bind(client, shared, 1)
    await client.burn(burnedLate.id, { access: burnedLate.access })
    const viewed = await share(client, [LARGE, randomBytes(9)], 1)
    const { access } = viewed
    const claim = newClaim()
    const { files = [] } = await client.view(viewed.id, { access, claim })
    for (const [part, bytes] of viewed.parts.entries()) {
      const got = await client.download({ key: files[0]?.key ?? '', secretId: viewed.id, part }, new Uint8Array(PART))
      expect(bytes.equals(got as Uint8Array)).toBe(true)
    }
    await client.ack(viewed.id, { access, claim })
    const burned = await share(client, [randomBytes(9)], 1)
    await client.burn(burned.id, { access: burned.access })
    await client.deleteFile(await send(client, [randomBytes(9)]))
    // The cleanup follows within this time.
    await Promise.race([server.ended, setTimeout(600)])
    await client.settings()
    made.isOver = true
  } catch (error) {
    // The connection broke. An error response would be a failure.
    if (error instanceof ApiError) throw error
  }
  return made
}

async function send(client: Client, parts: Buffer[], copies = 1): Promise<UploadId> {
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  const upload = await client.createFile({ size, parts: parts.length, copies })
  for (const [index, bytes] of parts.entries()) await client.putPart(upload, index, bytes)
  return upload
}

async function share(client: Client, parts: Buffer[], maxViews: number) {
  return { ...(await bind(client, await send(client, parts), maxViews)), parts }
}

/** Creates a secret with an upload. */
async function bind(client: Client, { id, token }: UploadId, maxViews: number) {
  const { body } = await encryptSecret({ text: encodeText('sécret ☃'), ttl: 86_400, maxViews })
  const created = await client.create({ ...body, files: [{ id, token }] }, newClaim())
  return { id: created.id, access: body.access ?? '' }
}

/** Looks two hours later, when unclaimed uploads and downloads of used-up secrets have ended. */
async function expectSound(store: Store, dataDir: string, { kept }: Attempt, when: string): Promise<void> {
  const { default: sqlite } = await builtIns.sqlite()
  const app = await testApp(sqlite as unknown as Plugin, {
    files: await store.plugin(),
    dataDir,
    now: Date.now() + 2 * HOUR,
  })
  try {
    await app.background.cleanup.run()
    await app.background.cleanup.reconcile()
    expect(await keysOf(app.files as NonNullable<TestApp['files']>), when).toEqual(await keysInRows(dataDir))
    expect(await store.unfinished(dataDir), when).toEqual([])
    if (kept) await expectKept(app, kept, when)
  } finally {
    await app.close()
  }
}

async function keysInRows(dataDir: string): Promise<string[]> {
  const db = knex({ client: 'sqlite3', connection: { filename: join(dataDir, 'mayfly.db') }, useNullAsDefault: true })
  const rows: { blob: string; parts: number }[] = await db('attachments')
    .select('blob', 'parts')
    .finally(() => db.destroy())
  // Secrets can have the same blobs.
  const files = [...new Map(rows.map((row) => [row.blob, row])).values()]
  return files
    .flatMap(({ blob, parts }) => Array.from({ length: parts }, (_, index) => blob + String(index).padStart(8, '0')))
    .sort()
}

async function expectKept(
  app: TestApp,
  { id, access, bytes }: NonNullable<Attempt['kept']>,
  when: string,
): Promise<void> {
  const server = createServer(app.handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = createClient({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, retryMs: [] })
  try {
    for (let view = 0; view < 2; view++) {
      const { files = [] } = await client.view(id, { access, claim: newClaim() })
      const got = await client.download({ key: files[0]?.key ?? '', secretId: id, part: 0 }, new Uint8Array(PART))
      expect(bytes.equals(got as Uint8Array), when).toBe(true)
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
