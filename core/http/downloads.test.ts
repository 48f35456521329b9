/** Downloads that are aborted, requested in ranges, and requested concurrently, from files on a disk. */
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtIns } from '#plugins'
import { type TestApp, testApp } from '#test/test-app'
import type { Plugin } from '../plugins/plugin.js'
import { encryptSecret } from '../shared/crypto/encrypt-secret.js'
import { newClaim } from '../shared/crypto/keys.js'
import { encryptedPartLength, PART_SIZE } from '../shared/crypto/parts.js'

const MAX_PART = encryptedPartLength(PART_SIZE)
const SIZE = 2 * MAX_PART + 4321

let app: TestApp
let server: Server
let base: string
/** Download request of a reader. */
let ticket: { key: string; secretId: string }
let parts: Buffer[]

beforeAll(async () => {
  const [storage, files] = await Promise.all([builtIns.sqlite(), builtIns['local-files']()])
  app = await testApp(storage.default as Plugin, { files: files.default as unknown as Plugin })
  server = createServer(app.handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
  const bytes = randomBytes(SIZE)
  parts = partsOf(bytes)
  ticket = await share(bytes)
}, 60_000)
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await app.close()
})

const json = async (path: string, body: object) =>
  (await (
    await fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json()) as never

const partsOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / MAX_PART) }, (_, index) =>
    bytes.subarray(index * MAX_PART, (index + 1) * MAX_PART),
  )

async function share(bytes: Buffer) {
  const all = partsOf(bytes)
  const { id, token }: { id: string; token: string } = await json('/files', { size: bytes.length, parts: all.length })
  for (const [index, part] of all.entries()) {
    const headers = { authorization: `Upload ${token}` }
    await fetch(`${base}/files/${id}/${index}`, { method: 'PUT', headers, body: new Uint8Array(part) })
  }
  const { body } = await encryptSecret({ text: new TextEncoder().encode('☃'), ttl: 3600 }, app.clock.now)
  const { id: secretId }: { id: string } = await json('/secret', { ...body, files: [{ id, token }] })
  const viewed: { files: { key: string }[] } = await json(`/secret/${secretId}`, {
    access: body.access,
    claim: newClaim(),
  })
  return { key: viewed.files[0]?.key ?? '', secretId }
}

/** Asks for the file, or a part of it, and reads so many bytes before hanging up; undefined: all. */
function download(part?: number, until?: number, headers: Record<string, string> = {}, of = ticket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
    const asked = request(`${base}/download`, options, (response) => {
      if (until === undefined) return buffer(response).then(resolve, reject)
      let seen = 0
      response.on('error', () => resolve(Buffer.alloc(0)))
      response.on('data', (chunk: Buffer) => {
        seen += chunk.length
        if (seen >= until) asked.destroy()
      })
      response.on('close', () => resolve(Buffer.alloc(0)))
    })
    asked.on('error', reject)
    asked.end(JSON.stringify({ ...of, ...(part === undefined ? {} : { part }) }))
  })
}

const openFiles = () => readdirSync('/proc/self/fd').length

test('SEC-24: a download that is aborted at any tenth leaves no open file and can be repeated', async () => {
  const before = openFiles()
  for (const part of [undefined, 1]) {
    const length = part === undefined ? SIZE : MAX_PART
    for (let tenth = 0; tenth < 10; tenth++) await download(part, Math.max(1, Math.floor((length * tenth) / 10)))
  }
  await expect.poll(openFiles, { timeout: 10_000 }).toBeLessThanOrEqual(before + 2)
  expect((await download(2)).equals(parts[2] as Buffer)).toBe(true)
})

test('SEC-24: four downloads at once with one ticket are complete', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, (_, at) => download(at % 3)))
  for (const [at, bytes] of all.entries()) expect(bytes.equals(parts[at % 3] as Buffer)).toBe(true)
})

/** Requests a file larger than all buffers and reads only the status. */
const begin = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, agent: false }
    const asked = request(`${base}/download`, options, resolve).on('error', reject)
    asked.end(JSON.stringify(ticket))
  })

test('V15.1.3: a fifth download at once is refused until one has ended', async () => {
  const four = await Promise.all(Array.from({ length: 4 }, begin))
  expect(four.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  const refused: { code: string; retryAfter: number } = await json('/download', { ...ticket, part: 1 })
  expect(refused).toMatchObject({ code: 'limit.reached', retryAfter: 1 })
  const small = randomBytes(300)
  expect((await download(0, undefined, {}, await share(small))).equals(small)).toBe(true)
  expect((await buffer(four[0] as IncomingMessage)).length).toBe(SIZE + 12)
  await expect.poll(async () => (await download(2)).equals(parts[2] as Buffer), { timeout: 10_000 }).toBe(true)
  for (const response of four) response.destroy()
})

test('readers that stopped reading block others for ten seconds', async () => {
  const four = await Promise.all(Array.from({ length: 4 }, begin))
  app.clock.now += 9_999
  expect(await json('/download', { ...ticket, part: 2 })).toMatchObject({ code: 'limit.reached' })
  const again = () => {
    app.clock.now += 10_000
    return download(2)
  }
  await expect.poll(async () => (await again()).equals(parts[2] as Buffer), { timeout: 10_000 }).toBe(true)
  // A response that still fills buffers when the time passes is not ended.
  const ends = four.map((response) =>
    buffer(response).then(
      () => 'complete',
      () => 'cut',
    ),
  )
  expect(await Promise.all(ends)).toContain('cut')
})

test('SEC-24: a Range header is ignored', async () => {
  expect((await download(2, undefined, { range: 'bytes=4000-99999999' })).equals(parts[2] as Buffer)).toBe(true)
})

test('SEC-24: no download starts after the ticket expired', async () => {
  app.clock.now += 900_000
  const { code }: { code: string } = await json('/download', { ...ticket, part: 0 })
  expect(code).toBe('file.not_found')
})
