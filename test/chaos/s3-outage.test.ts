/**
 * A bucket that is out of reach under load: requests for files get 503, secrets without files work, nothing is deleted,
 * and within seconds of its return everything works again.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError, type Client, createClient } from '#shared/client/client'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { type FaultyProxy, startFaultyProxy } from '#test/faulty-proxy'
import { needs } from '#test/needs'
import { makeBucket, type TestBucket } from '#test/s3'
import { type RunningServer, startServer } from '#test/start-server'

const OUTAGE_MS = 10_000
const RECOVERY_MS = 5_000
const SIZE = 200_000

describe('while the bucket is out of reach', needs('s3'), () => {
  let bucket: TestBucket
  let proxy: FaultyProxy
  let server: RunningServer
  let client: Client
  beforeAll(async () => {
    bucket = await makeBucket()
    const options = bucket.options()
    proxy = await startFaultyProxy(options.endpoint)
    const env = bucket.env({ ...options, endpoint: proxy.url })
    const load = { MAYFLY_VISITOR_BYTES_PER_DAY: String(2 ** 40), MAYFLY_MAX_OPEN_UPLOADS: '100' }
    server = await startServer({ env: { ...env, ...load, MAYFLY_PLUGINS: ',', MAYFLY_CLEANUP_SECONDS: '1' } })
    client = createClient({ server: server.url, retryMs: [] })
  })
  afterAll(async () => {
    await server.stop()
    await proxy.close()
    await bucket.drop()
  })

  test('REL-08: files return 503, texts work, and nothing is lost', async () => {
    const [kept, burned] = [await share(client, 100), await share(client, 1)]
    const before = await bucket.objects()
    expect(before).toHaveLength(2)
    const key = await ticketOf(client, kept)

    await proxy.down()
    const end = Date.now() + OUTAGE_MS
    const seen = { texts: 0, uploads: 0, downloads: 0 }
    const load = async (call: keyof typeof seen, work: () => Promise<void>) => {
      // The pause leaves the machine to others.
      for (; Date.now() < end; seen[call]++) await Promise.all([work(), setTimeout(50)])
    }
    const uploading = () => unavailable(async () => void (await share(client, 1)))
    const downloading = () => unavailable(async () => void (await download(client, kept.id, key)))
    await client.burn(burned.id, { access: burned.access })
    await Promise.all([
      ...[1, 2].map(() => load('texts', () => roundTrip(client))),
      ...[1, 2].map(() => load('uploads', uploading)),
      ...[1, 2].map(() => load('downloads', downloading)),
      expectUnready(server, end),
    ])
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(3)
    expect(await bucket.objects()).toEqual(before)

    await proxy.up()
    const control = Date.now()
    await roundTrip(client)
    const returned = Date.now()
    // A busy machine slows both.
    const limit = RECOVERY_MS + 10 * (returned - control)
    while (!(await works(client, server))) expect(Date.now() - returned).toBeLessThan(limit)
    expect(kept.bytes.equals(await download(client, kept.id, key))).toBe(true)
    // The next cleanup deletes what was burned meanwhile.
    await expect.poll(async () => (await bucket.objects()).filter((name) => before.includes(name))).toHaveLength(1)
    expect(server.log()).not.toMatch(/testing-secret|unexpected error/)
  }, 120_000)
})

interface Shared {
  id: string
  access: string
  bytes: Buffer
}

async function share(client: Client, maxViews: number): Promise<Shared> {
  const bytes = randomBytes(SIZE)
  const { id, token } = await client.createFile({ size: SIZE, parts: 1 })
  // An upload that is not cancelled counts as open for an hour.
  await client.putPart({ id, token }, 0, bytes).catch(async (error) => {
    await client.deleteFile({ id, token })
    throw error
  })
  const { body } = await encryptSecret({ text: encodeText('sécret ☃'), ttl: 3600, maxViews })
  const created = await client.create({ ...body, files: [{ id, token }] }, newClaim())
  return { id: created.id, access: body.access ?? '', bytes }
}

async function ticketOf(client: Client, { id, access }: Shared): Promise<string> {
  return (await client.view(id, { access, claim: newClaim() })).files?.[0]?.key ?? ''
}

async function download(client: Client, secretId: string, key: string): Promise<Buffer> {
  return Buffer.from((await client.download({ key, secretId, part: 0 }, new Uint8Array(SIZE))) ?? [])
}

async function roundTrip(client: Client): Promise<void> {
  const { body } = await encryptSecret({ text: encodeText('sécret ☃'), ttl: 3600 })
  const { id } = await client.create(body, newClaim())
  expect((await client.view(id, { access: body.access ?? '', claim: newClaim() })).text).toBe(body.text)
}

/** Expects 503 with a time to retry after. */
async function unavailable(work: () => Promise<void>): Promise<void> {
  const error = await work().catch((each: unknown) => each)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 503, body: { code: 'file.unavailable', retryAfter: 5 } })
}

async function expectUnready({ url }: RunningServer, end: number): Promise<void> {
  while (Date.now() < end) {
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
    expect((await fetch(`${url}/healthz`)).status).toBe(204)
    await setTimeout(1000)
  }
}

async function works(client: Client, { url }: RunningServer): Promise<boolean> {
  if ((await fetch(`${url}/readyz`)).status !== 204) return false
  return share(client, 1).then(
    () => true,
    () => false,
  )
}
