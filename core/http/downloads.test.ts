/** Downloads that are broken off, asked for in pieces, and taken by many at once, from files on a disk. */
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtIns } from '#plugins'
import type { Plugin } from '../plugin.js'
import { newClaim } from '../shared/keys.js'
import { PART_SIZE, sealedPartLength } from '../shared/parts.js'
import { seal } from '../shared/sealing.js'
import { type TestApp, testApp } from '../testing/test-app.js'

const MAX_PART = sealedPartLength(PART_SIZE)
const SIZE = 2 * MAX_PART + 4321

let app: TestApp
let server: Server
let base: string
/** What a reader was given for the one file. */
let ticket: { key: string; secretId: string }
let parts: Buffer[]

beforeAll(async () => {
  const [storage, files] = await Promise.all([builtIns.sqlite(), builtIns['local-files']()])
  app = await testApp(storage.default as Plugin, { files: files.default as unknown as Plugin })
  server = createServer(app.handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
  ticket = await share(randomBytes(SIZE))
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

async function share(bytes: Buffer) {
  const { id, token }: { id: string; token: string } = await json('/files', { size: bytes.length, parts: 3 })
  parts = [0, 1, 2].map((index) => bytes.subarray(index * MAX_PART, (index + 1) * MAX_PART))
  for (const [index, part] of parts.entries()) {
    const headers = { authorization: `Upload ${token}` }
    await fetch(`${base}/files/${id}/${index}`, { method: 'PUT', headers, body: new Uint8Array(part) })
  }
  const { body } = await seal({ text: new TextEncoder().encode('☃'), ttl: 3600 }, app.clock.now)
  const { id: secretId }: { id: string } = await json('/secret', { ...body, files: [{ id, token }] })
  const viewed: { files: { key: string }[] } = await json(`/secret/${secretId}`, {
    access: body.access,
    claim: newClaim(),
  })
  return { key: viewed.files[0]?.key ?? '', secretId }
}

/** Asks for the file, or a part of it, and reads so many bytes before hanging up; undefined: all. */
function download(part?: number, until?: number, headers: Record<string, string> = {}): Promise<Buffer> {
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
    asked.end(JSON.stringify({ ...ticket, ...(part === undefined ? {} : { part }) }))
  })
}

const openFiles = () => readdirSync('/proc/self/fd').length

test('one that is broken off at any tenth costs nothing and leaves nothing open', async () => {
  const before = openFiles()
  for (const part of [undefined, 1]) {
    const length = part === undefined ? SIZE : MAX_PART
    for (let tenth = 0; tenth < 10; tenth++) await download(part, Math.max(1, Math.floor((length * tenth) / 10)))
  }
  await expect.poll(openFiles, { timeout: 10_000 }).toBeLessThanOrEqual(before + 2)
  expect((await download(2)).equals(parts[2] as Buffer)).toBe(true)
})

test('many at once with one ticket each get the whole', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, (_, at) => download(at % 3)))
  for (const [at, bytes] of all.entries()) expect(bytes.equals(parts[at % 3] as Buffer)).toBe(true)
})

test('a range is not a thing here: the part comes as a whole', async () => {
  expect((await download(2, undefined, { range: 'bytes=4000-99999999' })).equals(parts[2] as Buffer)).toBe(true)
})

test('a slow reader gets no further than the end of its ticket allows it to begin', async () => {
  app.clock.now += 900_000
  const { code }: { code: string } = await json('/download', { ...ticket, part: 0 })
  expect(code).toBe('file.not_found')
})
