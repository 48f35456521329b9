/**
 * Every call of the database and of the file store fails once, and several times in a row, while secrets with files are
 * created, viewed, acknowledged, burned, cleaned up and backed up, each in a stage of its own. A failed request returns
 * 503, and the same request sent again succeeds: nothing is lost, done twice or left behind.
 */

import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { isAppError, type Plugin } from '#core'
import { createBackupKey } from '#core/export/backup-key'
import { backupEntries } from '#core/export/write-backup'
import { listen } from '#core/http/server'
import { keysOf } from '#core/testing/file-store/blobs'
import { ApiError, type Client, createClient, type UploadId } from '#shared/client/client'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { type EngineName, makeDatabase, type TestDatabase } from '#test/databases'
import {
  createFailPoints,
  type FailPoints,
  type FailWhen,
  makeFailingDatabase,
  withFailingFiles,
} from '#test/fail-points'
import { testEachEngine } from '#test/for-each-engine'
import { memoryFiles } from '#test/memory-plugin'
import { type TestApp, testApp } from '#test/test-app'

const HOUR = 60 * 60_000
/** In seconds: longer than all runs of a stage, each of which may take an hour of the clock. */
const TTL = 604_800
const FILE = 1000
/** With 1 every call fails in both ways on every engine. */
const EVERY = Number(process.env.MAYFLY_TEST_CRASH_EVERY || 0)
/** Every `every`-th call fails, from these on: each in both ways on SQLite, and on the two servers together. */
const CALLS: Record<EngineName, { every: number; before: number; after: number }> = {
  sqlite: { every: 1, before: 1, after: 1 },
  postgres: { every: EVERY || 2, before: 1, after: EVERY || 2 },
  mysql: { every: EVERY || 2, before: EVERY || 2, after: 1 },
}
/** `times`: calls that fail in a row, from every `share`-th one of them on. */
const OUTAGES = [
  { times: 1, share: 1 },
  { times: 3, share: 4 },
]
/** Of one request: more than calls fail in a row. */
const TRIES = 8

interface Kept {
  id: string
  access: string
  bytes: Buffer
  maxViews: number
}

interface Instance {
  app: TestApp
  client: Client
  database: TestDatabase
  server: Server
}

// They wait for different servers most of the time.
describe.concurrent('the database', () => {
  testEachEngine(
    'any failed statement leaves every secret and file as it should be',
    async (engine) => {
      const points = createFailPoints()
      const running = await start(await makeFailingDatabase(engine, points), memoryFiles)
      try {
        expect(await failEverywhere(running, points, engine)).toBeGreaterThan(25)
      } finally {
        await stop(running)
      }
    },
    600_000,
  )
})

// Not at the same time: the statements of every database file in this process fail in the suite before.
test('any failed call of the file store leaves every secret and file as it should be', async () => {
  const points = createFailPoints()
  const running = await start(await makeDatabase('sqlite'), withFailingFiles(memoryFiles, points))
  try {
    expect(await failEverywhere(running, points, 'sqlite')).toBeGreaterThan(8)
  } finally {
    await stop(running)
  }
}, 600_000)

async function start(database: TestDatabase, files: Plugin): Promise<Instance> {
  const settings = { maxOpenUploads: 100_000, visitorBytesPerDay: 2 ** 40 }
  const app = await testApp(database.storage, { files, settings })
  const server = await listen(app.handler, '127.0.0.1', 0)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { app, server, database, client: createClient({ server: url, retryMs: [] }) }
}

async function stop({ app, server, database }: Instance): Promise<void> {
  server.closeAllConnections()
  server.close()
  await app.close()
  await database.drop()
}

/** Returns the number of calls that failed first. */
async function failEverywhere(running: Instance, points: FailPoints, engine: EngineName): Promise<number> {
  const calls = CALLS[engine]
  let failed = 0
  for (const stage of STAGES) {
    for (const when of ['before', 'after'] as FailWhen[]) {
      for (const { times, share: part } of OUTAGES) {
        const kept = await share(running.client, 2)
        for (let at = calls[when], hasFailed = true; hasFailed; at += calls.every * part) {
          const run = await stage(running, kept)
          points.arm(when, at, times)
          const made = await run()
          hasFailed = points.hasFailed()
          points.disarm()
          if (made) await expectKept(running, made)
          if (hasFailed) failed++
        }
        await expectKept(running, kept)
      }
    }
  }
  await expectNoFiles(running)
  return failed
}

/**
 * Prepares a step in the life of a secret. Returns the function whose calls fail; it may return a secret to check.
 * `kept`: a secret that no stage changes.
 */
type Stage = (running: Instance, kept: Kept) => Promise<() => Promise<Kept | null>>

const nothing = () => null

/** Each with few calls, because one of them fails in each run. */
const STAGES: Stage[] = [
  async ({ client }) =>
    () =>
      share(client, 1),
  async ({ client }) => {
    const viewed = await share(client, 1)
    return () => viewOnce(client, viewed).then(nothing)
  },
  async ({ client }) => {
    const { id, access } = await share(client, 1)
    return () => againOrGone(() => client.burn(id, { access })).then(nothing)
  },
  async ({ client }) =>
    async () => {
      const { id, access, text } = await shareText(client, [])
      const view = { access, claim: newClaim() }
      expect((await again(() => client.view(id, view))).text).toBe(text)
      return null
    },
  async ({ client }) =>
    async () => {
      const upload = await reserve(client)
      await againOrGone(() => client.deleteFile(upload))
      return null
    },
  async ({ app, client }) => {
    await reserve(client)
    const { id, access } = await share(client, 1)
    const view = { access, claim: newClaim() }
    await client.view(id, view)
    await client.ack(id, view)
    // The upload and the time for the download end.
    app.clock.now += HOUR
    return () => again(() => app.background.cleanup.run()).then(nothing)
  },
  async ({ app }, kept) =>
    async () => {
      const backup = await again(() => backUp(app))
      expect(backup.filter(({ id }) => id === kept.id)).toHaveLength(1)
      return null
    },
]

/** Views, downloads and acknowledges a secret that is gone then. */
async function viewOnce(client: Client, { id, access, bytes }: Kept): Promise<void> {
  const view = { access, claim: newClaim() }
  const { files = [] } = await again(() => client.view(id, view))
  const part = { key: files[0]?.key ?? '', secretId: id, part: 0 }
  const got = await again(() => client.download(part, new Uint8Array(FILE)))
  expect(bytes.equals(got as Uint8Array)).toBe(true)
  await againOrGone(() => client.ack(id, view))
  await expect(again(() => client.view(id, { ...view, claim: newClaim() }))).rejects.toMatchObject({ status: 404 })
}

async function share(client: Client, maxViews: number): Promise<Kept> {
  const bytes = randomBytes(FILE)
  const upload = await reserve(client)
  await again(() => client.putPart(upload, 0, bytes))
  return { ...(await shareText(client, [upload], maxViews)), bytes, maxViews }
}

/** Creates a secret. `text`: encrypted. */
async function shareText(client: Client, files: UploadId[], maxViews = 1) {
  const { body } = await encryptSecret({ text: encodeText('sécret ☃'), ttl: TTL, maxViews })
  const key = newClaim()
  const { id } = await again(() => client.create({ ...body, files }, key))
  return { id, access: body.access ?? '', text: body.text }
}

async function reserve(client: Client): Promise<UploadId> {
  const { id, token } = await again(() => client.createFile({ size: FILE, parts: 1 }))
  return { id, token }
}

/** Repeats a request that fails with 503, the only status that a failed call may have. */
async function again<T>(request: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await request()
    } catch (error) {
      if (statusOf(error) !== 503 || tries === TRIES) throw error
    }
  }
}

/** For deletes: the response of a successful delete may have been lost. */
async function againOrGone(request: () => Promise<unknown>): Promise<void> {
  await again(request).catch((error) => expect(statusOf(error)).toBe(404))
}

const statusOf = (error: unknown): unknown =>
  error instanceof ApiError || isAppError(error) ? (error as { status: number }).status : error

/** Returns the rows of the secrets in a backup. */
async function backUp({ storage, files, clock }: TestApp): Promise<{ id: string }[]> {
  const source = { rows: storage.rows, files, now: clock.now } as Parameters<typeof backupEntries>[0]
  const key = createBackupKey('file', Buffer.alloc(32))
  const options = { secrets: true, tokens: false, key, mayfly: '0.0.0-test', schema: [], onEnd: () => {} }
  const rows: { id: string }[] = []
  for await (const { name, body } of backupEntries(source, options)) {
    const chunks: Buffer[] = []
    for await (const chunk of body) chunks.push(Buffer.from(chunk))
    if (/secrets/.test(name)) rows.push(...linesOf(Buffer.concat(chunks)))
  }
  return rows
}

const linesOf = (bytes: Buffer) =>
  `${bytes}`
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** It opens as often as it may, and not once more. */
async function expectKept({ client }: Instance, { id, access, bytes, maxViews }: Kept): Promise<void> {
  for (let views = 0; views < maxViews; views++) {
    const claim = newClaim()
    const { files = [] } = await client.view(id, { access, claim })
    const got = await client.download({ key: files[0]?.key ?? '', secretId: id, part: 0 }, new Uint8Array(FILE))
    expect(bytes.equals(got as Uint8Array)).toBe(true)
    await client.ack(id, { access, claim })
  }
  await expect(client.view(id, { access, claim: newClaim() })).rejects.toMatchObject({ status: 404 })
}

/** Two hours later no file is left. */
async function expectNoFiles({ app }: Instance): Promise<void> {
  app.clock.now += 2 * HOUR
  await app.background.cleanup.run()
  await app.background.cleanup.reconcile()
  expect(await keysOf(app.files as NonNullable<TestApp['files']>)).toEqual([])
}
