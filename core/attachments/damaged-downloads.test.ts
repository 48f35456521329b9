/** Downloads from a store that returns damaged blobs fail instead of hanging or ending early. */
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { memory } from '#test/memory-plugin'
import { type TestApp, testApp } from '#test/test-app'
import type { FileStore } from '../contracts/file-store.js'
import { encryptSecret } from '../shared/crypto/encrypt-secret.js'
import { deriveKeys, newClaim } from '../shared/crypto/keys.js'
import { encryptedPartLength, PART_SIZE } from '../shared/crypto/parts.js'
import { parseFragment } from '../shared/link.js'

const SIZE = encryptedPartLength(PART_SIZE) + 100_000
const bytes = randomBytes(SIZE)

let app: TestApp
let server: Server
let base: string
let get: FileStore['get']
/** Damages of a blob. */
let meddle: (stream: Readable) => Readable | Promise<Readable>

beforeEach(async () => {
  app = await testApp(memory, { files: memory })
  const files = app.fileStore as FileStore
  get = files.get
  meddle = (stream) => stream
  files.get = async (key) => meddle(await get(key))
  server = createServer(app.handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await app.close()
})

const post = (path: string, body: unknown, signal?: AbortSignal) =>
  fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })

/** A sealed secret with a file of two parts that has been viewed, ready for download. */
async function shared(): Promise<{ key: string; secretId: string }> {
  const upload = (await (await post('/files', { size: SIZE, parts: 2 })).json()) as { id: string; token: string }
  for (const index of [0, 1]) {
    const at = index * encryptedPartLength(PART_SIZE)
    const { status } = await fetch(`${base}/files/${upload.id}/${index}`, {
      method: 'PUT',
      headers: { authorization: `Upload ${upload.token}` },
      body: bytes.subarray(at, at + encryptedPartLength(PART_SIZE)),
    })
    expect(status).toBe(204)
  }
  const { fragment, body } = await encryptSecret({ text: new TextEncoder().encode('☃'), ttl: 3600 }, app.clock.now)
  const { id } = (await (
    await post('/secret', { ...body, files: [{ id: upload.id, token: upload.token }] })
  ).json()) as {
    id: string
  }
  const { access } = await deriveKeys(parseFragment(fragment))
  const { files } = (await (await post(`/secret/${id}`, { access, claim: newClaim() })).json()) as {
    files: { key: string }[]
  }
  return { key: files[0]?.key ?? '', secretId: id }
}

async function cut(stream: Readable): Promise<Readable> {
  return Readable.from([(await buffer(stream)).subarray(0, -1)], { objectMode: false })
}
async function drawOut(stream: Readable): Promise<Readable> {
  return Readable.from([await buffer(stream), Buffer.from('!')], { objectMode: false })
}
async function breakOff(stream: Readable): Promise<Readable> {
  const half = (await buffer(stream)).subarray(0, 50_000)
  async function* failing() {
    yield half
    throw new Error('hunter2')
  }
  return Readable.from(failing(), { objectMode: false })
}

describe.each([
  ['one byte short', cut],
  ['one byte long', drawOut],
  ['cut off', breakOff],
])('a blob that is %s', (_, wrong) => {
  test('breaks the download of each part and of the whole file', async () => {
    const ticket = await shared()
    for (const part of [0, 1, undefined]) {
      meddle = wrong
      const download = async () => (await post('/download', { ...ticket, part })).arrayBuffer()
      await expect(download(), `part ${part}`).rejects.toThrow()
      meddle = (stream) => stream
      expect((await download()).byteLength).toBeGreaterThanOrEqual(100_000)
    }
    expect(app.logged.join()).not.toContain('hunter2')
  })

  test('a damaged blob returns 503 if the server decrypts it, and is not deleted', async () => {
    const file = { name: 'plan ☃.bin', type: 'application/x-☃', content: randomBytes(60_000).toString('base64') }
    const made = (await (await post('/secret', { text: '☃', ttl: 3600, maxViews: 3, files: [file] })).json()) as {
      id: string
    }
    const view = (await (await post(`/secret/${encodeURIComponent(made.id)}`, { claim: newClaim() })).json()) as {
      files: { key: string }[]
    }
    const ticket = { key: view.files[0]?.key, secretId: made.id }
    meddle = wrong
    const response = await post('/download', ticket)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toMatchObject({ code: 'file.unavailable' })
    meddle = (stream) => stream
    expect((await (await post('/download', ticket)).arrayBuffer()).byteLength).toBe(60_000)
  })
})

test.each([0, undefined])('a burn ends a running download of part %s within a second', async (part) => {
  const ticket = await shared()
  let resume = () => {}
  const burned = new Promise<void>((resolve) => {
    resume = resolve
  })
  const burn = app.storage.secrets.burn
  meddle = async (stream) => {
    const bytes = await buffer(stream)
    async function* slow() {
      // The server holds back a chunk to check the length.
      for (const start of [0, 1000, 2000]) yield bytes.subarray(start, start + 1000)
      await burned
      yield bytes.subarray(3000, 4000)
      yield bytes.subarray(4000)
    }
    return Readable.from(slow(), { objectMode: false })
  }
  const response = await post('/download', { ...ticket, part })
  expect(response.status).toBe(200)
  expect(await burn({ id: ticket.secretId, now: app.clock.now })).toBe(true)
  app.clock.now += 500
  resume()
  await expect(response.arrayBuffer()).rejects.toThrow()
})

test('the end of the download time and a storage that fails do not end a running download', async () => {
  for (const fail of [false, true]) {
    const ticket = await shared()
    const { find } = app.storage.attachments
    meddle = (stream) => {
      app.clock.now += fail ? 600 : 3600_000
      if (fail) app.storage.attachments.find = () => Promise.reject(new Error('away'))
      return stream
    }
    expect((await (await post('/download', { ...ticket, part: 0 })).arrayBuffer()).byteLength).toBeGreaterThan(100_000)
    app.storage.attachments.find = find
  }
})

test.each([
  ['short', cut],
  ['long', drawOut],
])('a blob that is too %s is reported as damaged from the third download on', async (_, wrong) => {
  const ticket = await shared()
  meddle = wrong
  const download = () => post('/download', { ...ticket, part: 1 })
  for (let n = 0; n < 2; n++) await expect(download().then((response) => response.arrayBuffer())).rejects.toThrow()
  const refused = await download()
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([500, 'file.damaged'])
  meddle = (stream) => stream
  expect((await download()).status).toBe(500)
  const other = await post('/download', { ...ticket, part: 0 })
  expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, encryptedPartLength(PART_SIZE)])
  expect(app.logged.filter((line) => line.includes('wrong length'))).toHaveLength(1)
})

test('a wrong length that does not repeat is not reported as damage', async () => {
  const ticket = await shared()
  const download = async () => (await post('/download', { ...ticket, part: 1 })).arrayBuffer()
  for (let n = 0; n < 3; n++) {
    meddle = drawOut
    await expect(download()).rejects.toThrow()
    meddle = (stream) => stream
    expect((await download()).byteLength).toBeGreaterThan(0)
  }
})

test('a blob whose download breaks off is not reported as damaged', async () => {
  const ticket = await shared()
  meddle = breakOff
  for (let n = 0; n < 4; n++) {
    await expect(post('/download', { ...ticket, part: 1 }).then((response) => response.arrayBuffer())).rejects.toThrow()
  }
})

test('a download that the client aborts closes its blob', async () => {
  const ticket = await shared()
  const opened: Readable[] = []
  meddle = (stream) => {
    opened.push(stream.pipe(new PassThrough()))
    return opened.at(-1) as Readable
  }
  for (const part of [0, undefined]) {
    const away = new AbortController()
    await post('/download', { ...ticket, part }, away.signal)
    away.abort()
  }
  await expect.poll(() => opened.map(({ destroyed }) => destroyed)).toEqual([true, true])
})
