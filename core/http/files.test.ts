/** The calls about files, through HTTP, on every storage that runs anywhere. */

import { createHash, randomBytes } from 'node:crypto'
import { Agent, createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { builtIns } from '#plugins'
import { makeStorage, type TestStorage } from '#test/databases'
import { describeEachStorage } from '#test/for-each-engine'
import { type TestApp, testApp } from '#test/test-app'
import type { AppSettings } from '../app.js'
import type { Plugin } from '../plugin.js'
import { deriveKeys, newClaim } from '../shared/keys.js'
import { parseFragment } from '../shared/link.js'
import { PART_SIZE, sealedPartLength } from '../shared/parts.js'
import { seal } from '../shared/sealing.js'

const MAX_PART = sealedPartLength(PART_SIZE)
const HOUR = 60 * 60_000

describeEachStorage((name) => {
  let made: TestStorage
  let app: TestApp
  let server: Server
  let base: string
  beforeAll(async () => {
    made = await makeStorage(name)
  })
  afterAll(() => made.drop())
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await app.close()
  })

  async function start(settings: Partial<AppSettings> = {}): Promise<void> {
    const files = (await builtIns.memory()).default as Plugin
    await made.empty()
    app = await testApp(made.storage, { files, settings })
    server = createServer(app.handler)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
  }
  beforeEach(() => start())

  async function call(method: string, path: string, { body, token, octets }: Options = {}): Promise<Answer> {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Upload ${token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : octets ? { body: new Uint8Array(octets) } : {}),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, bytes, json: isJson ? JSON.parse(`${bytes}`) : null }
  }
  interface Options {
    body?: unknown
    token?: string
    octets?: Uint8Array
  }
  interface Answer {
    status: number
    headers: Headers
    bytes: Buffer
    // biome-ignore lint/suspicious/noExplicitAny: whatever was answered
    json: any
  }

  async function begin(size: number): Promise<Upload> {
    const { status, json } = await call('POST', '/files', { body: { size, parts: Math.ceil(size / MAX_PART) } })
    expect(status).toBe(201)
    return { id: json.id, token: json.token }
  }
  interface Upload {
    id: string
    token: string
  }
  const partsOf = (bytes: Buffer) =>
    Array.from({ length: Math.ceil(bytes.length / MAX_PART) }, (_, at) =>
      bytes.subarray(at * MAX_PART, (at + 1) * MAX_PART),
    )
  async function upload(bytes: Buffer): Promise<Upload> {
    const begun = await begin(bytes.length)
    for (const [index, octets] of partsOf(bytes).entries()) {
      const { status } = await call('PUT', `/files/${begun.id}/${index}`, { token: begun.token, octets })
      expect(status).toBe(204)
    }
    return begun
  }
  async function share(files: Upload[], options: object = {}) {
    const { fragment, body } = await seal({ text: new TextEncoder().encode('☃'), ttl: 3600, ...options }, app.clock.now)
    const answer = await call('POST', '/secret', { body: { ...body, files } })
    const { access } = await deriveKeys(parseFragment(fragment))
    return { answer, access, id: answer.json.id as string }
  }
  const view = (id: string, access: string, claim = newClaim()) =>
    call('POST', `/secret/${id}`, { body: { access, claim } })
  const download = (key: string, secretId: string, part?: number) =>
    call('POST', '/download', { body: { key, secretId, ...(part === undefined ? {} : { part }) } })
  const blobs = async () => {
    const keys: string[] = []
    for await (const { key } of app.files?.list() ?? []) keys.push(key)
    return keys
  }

  test('files go up in parts, come along with the secret, and down with the tickets of a view', async () => {
    const [one, two] = [randomBytes(MAX_PART + 1000), randomBytes(5)]
    const uploads = [await upload(one), await upload(two)]
    const { id, access, answer } = await share(uploads)
    expect(answer.status).toBe(201)
    expect((await fetch(`${base}/secret/${id}/exist`, { headers: { 'mayfly-access': access } })).status).toBe(200)
    const { json } = await view(id, access)
    expect(json.files).toEqual([
      { id: uploads[0]?.id, size: one.length, parts: 2, key: expect.stringMatching(/^[\w-]{43}$/) },
      { id: uploads[1]?.id, size: 5, parts: 1, key: expect.stringMatching(/^[\w-]{43}$/) },
    ])
    const [first, second] = json.files
    for (const [index, octets] of partsOf(one).entries()) {
      const { bytes, headers } = await download(first.key, id, index)
      expect(bytes.equals(octets)).toBe(true)
      expect(headers.get('content-type')).toBe('application/octet-stream')
      expect(headers.get('content-disposition')).toBe('attachment; filename="download.bin"')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      expect(headers.get('cache-control')).toBe('no-store')
    }
    expect((await download(second.key, id, 0)).bytes).toEqual(two)
    // All at once: each behind its length.
    const framed = Buffer.concat(
      partsOf(one).flatMap((octets) => {
        const length = Buffer.alloc(4)
        length.writeUInt32BE(octets.length)
        return [length, octets]
      }),
    )
    const whole = await download(first.key, id)
    expect(whole.headers.get('content-length')).toBe(String(framed.length))
    expect(whole.bytes.equals(framed)).toBe(true)
  })

  test('the same claim gets the same tickets again, another one others', async () => {
    const { id, access } = await share([await upload(randomBytes(9))], { maxViews: 3 })
    const [claim, other] = [newClaim(), newClaim()]
    const first = await view(id, access, claim)
    const again = await view(id, access, claim)
    expect(again.bytes.equals(first.bytes)).toBe(true)
    expect((await view(id, access, other)).json.files[0].key).not.toBe(first.json.files[0].key)
  })

  test('a ticket is for one file of one secret, and for fifteen minutes', async () => {
    const uploads = [await upload(randomBytes(9)), await upload(randomBytes(9))]
    const { id, access } = await share(uploads)
    const other = await share([await upload(randomBytes(9))])
    const { json } = await view(id, access)
    const key = json.files[0].key
    const gone = { statusCode: 404, code: 'file.not_found' }
    expect((await download(key, other.id)).json).toMatchObject(gone)
    expect((await download(randomBytes(32).toString('base64url'), id)).json).toMatchObject(gone)
    expect((await download(key, id, 1)).json).toMatchObject({ code: 'request.invalid', field: 'part' })
    expect((await call('POST', `/secret/${id}/ack`, { body: { access, claim: newClaim() } })).status).toBe(404)
    app.clock.now += 900_000 - 1
    await app.services.sweeper.sweep()
    expect((await download(key, id)).status).toBe(200)
    app.clock.now += 1
    expect((await download(key, id)).json).toMatchObject(gone)
    // It was the last view, so nothing of it is kept; the other secret is untouched.
    await app.services.sweeper.sweep()
    expect(await blobs()).toHaveLength(1)
  })

  test('no ticket outlives its secret', async () => {
    const { id, access } = await share([await upload(randomBytes(9))], { maxViews: 5 })
    app.clock.now += HOUR - 1000
    const { json } = await view(id, access)
    app.clock.now += 999
    expect((await download(json.files[0].key, id)).status).toBe(200)
    app.clock.now += 1
    expect((await download(json.files[0].key, id)).status).toBe(404)
    await app.services.sweeper.sweep()
    expect(await blobs()).toEqual([])
  })

  test('burning a secret ends the downloads of its files and deletes them', async () => {
    const { id, access } = await share([await upload(randomBytes(9))], { maxViews: 5 })
    const { json } = await view(id, access)
    expect((await call('POST', `/secret/${id}/burn`, { body: { access } })).status).toBe(200)
    expect((await download(json.files[0].key, id)).status).toBe(404)
    await expect.poll(blobs).toEqual([])
  })

  test('a resumed upload learns what is there; repeating a part is fine', async () => {
    const bytes = randomBytes(2 * MAX_PART + 7)
    const { id, token } = await begin(bytes.length)
    const parts = partsOf(bytes)
    for (const index of [2, 0, 2]) {
      await call('PUT', `/files/${id}/${index}`, { token, octets: parts[index] as Buffer })
    }
    expect((await call('GET', `/files/${id}`, { token })).json).toEqual({ parts: [0, 2] })
    const incomplete = await share([{ id, token }])
    expect(incomplete.answer.json).toMatchObject({ statusCode: 409, code: 'file.incomplete', field: 'files.0' })
    await call('PUT', `/files/${id}/1`, { token, octets: parts[1] as Buffer })
    expect((await share([{ id, token }])).answer.status).toBe(201)
    // It is the secret's now.
    expect((await call('GET', `/files/${id}`, { token })).json).toMatchObject({ code: 'file.not_found' })
    expect((await share([{ id, token }])).answer.json).toMatchObject({ code: 'file.not_found', field: 'files.0' })
  })

  test('only who began an upload can go on with it, see it, cancel it or attach it', async () => {
    const mine = await begin(9)
    const { token } = await begin(9)
    for (const [method, path] of [
      ['PUT', `/files/${mine.id}/0`],
      ['GET', `/files/${mine.id}`],
      ['DELETE', `/files/${mine.id}`],
    ] as const) {
      const octets = method === 'PUT' ? randomBytes(9) : undefined
      const options = octets ? { octets } : {}
      const refused = { statusCode: 404, code: 'file.not_found' }
      expect((await call(method, path, { token, ...options })).json).toMatchObject(refused)
      expect((await call(method, path, options)).json).toMatchObject(refused)
      expect((await call(method, path.replace(mine.id, 'A'.repeat(22)), { token, ...options })).json).toMatchObject(
        refused,
      )
    }
    expect((await share([{ id: mine.id, token }])).answer.json).toMatchObject({ code: 'file.not_found' })
  })

  test('a cancelled upload is gone with its blobs', async () => {
    const { id, token } = await upload(randomBytes(9))
    expect((await call('DELETE', `/files/${id}`, { token })).status).toBe(204)
    expect((await call('DELETE', `/files/${id}`, { token })).status).toBe(404)
    await expect.poll(blobs).toEqual([])
  })

  test('an upload that no secret claims ends an hour after its last part', async () => {
    const bytes = randomBytes(MAX_PART + 9)
    const { id, token } = await begin(bytes.length)
    const [first, second] = partsOf(bytes)
    app.clock.now += HOUR - 1
    expect((await call('PUT', `/files/${id}/0`, { token, octets: first as Buffer })).status).toBe(204)
    app.clock.now += HOUR - 1
    await app.services.sweeper.sweep()
    expect((await call('PUT', `/files/${id}/1`, { token, octets: second as Buffer })).status).toBe(204)
    app.clock.now += HOUR
    expect((await call('GET', `/files/${id}`, { token })).status).toBe(404)
    await app.services.sweeper.sweep()
    expect(await blobs()).toEqual([])
  })

  test.each([
    ['size', { size: 0, parts: 1 }, 400],
    ['parts', { size: 9, parts: 2 }, 400],
    ['parts', { size: MAX_PART + 1, parts: 1 }, 400],
    ['parts', { size: 9, parts: 1.5 }, 400],
    ['size', { size: '9', parts: 1 }, 400],
    ['name', { size: 9, parts: 1, name: 'plan.pdf' }, 400],
    ['size', { size: 2 ** 40, parts: 131_071 }, 413],
  ])('an upload of the wrong %s is refused: %j', async (field, body, status) => {
    expect((await call('POST', '/files', { body })).json).toMatchObject({ statusCode: status, field })
  })

  test('a part of the wrong length or place is refused before it is read', async () => {
    const { id, token } = await begin(MAX_PART + 9)
    const put = (index: number | string, octets: Buffer) => call('PUT', `/files/${id}/${index}`, { token, octets })
    const ofLength = { code: 'request.invalid', field: 'content-length' }
    expect((await put(0, randomBytes(9))).json).toMatchObject(ofLength)
    expect((await put(1, randomBytes(10))).json).toMatchObject(ofLength)
    expect((await put(2, randomBytes(9))).json).toMatchObject({ code: 'request.invalid', field: 'index' })
    expect((await put('-1', randomBytes(9))).json).toMatchObject({ code: 'file.not_found' })
    expect((await put('01', randomBytes(9))).json).toMatchObject({ code: 'file.not_found' })
    expect(await blobs()).toEqual([])
  })

  test('a part that breaks off, says nothing of its length or is compressed leaves nothing', async () => {
    const { id, token } = await begin(1000)
    const head = `PUT /api/v1/files/${id}/0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Upload ${token}\r\n`
    await exchange(`${head}Content-Length: 1000\r\n\r\nonly this much`, true)
    expect(await exchange(`${head}Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n`)).toContain(
      '400 Bad Request',
    )
    const gzip = `${head}Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd`
    expect(await exchange(gzip)).toContain('415 Unsupported Media Type')
    expect((await call('GET', `/files/${id}`, { token })).json).toEqual({ parts: [] })
    expect(await blobs()).toEqual([])
  })

  test.each([
    ['400 Bad Request', 'content-length: part 0 must have 1000 bytes', 'localhost'],
    ['421 Misdirected Request', 'request.wrong_host', 'evil.example'],
  ])(
    'of a body that is refused with %s the rest is not waited for',
    async (status, reason, host) => {
      const { id, token } = await begin(1000)
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      const head = `PUT /api/v1/files/${id}/0 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Upload ${token}\r\n`
      socket.write(`${head}Content-Length: 10737418240\r\n\r\nabcd`)
      let answer = ''
      socket.setEncoding('utf8').on('data', (text: string) => {
        answer += text
      })
      socket.on('error', () => {})
      const sending = setInterval(() => socket.write('more'), 20)
      // Not `once`, which rejects when the connection ends in a reset.
      await new Promise((closed) => socket.once('close', closed))
      clearInterval(sending)
      expect(answer).toContain(status)
      expect(answer).toContain(reason)
    },
    10_000,
  )

  test('a refused part that came whole leaves its connection fit for the next request', async () => {
    const { id } = await begin(200_000)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const put = () =>
      new Promise<number>((resolve, reject) => {
        const headers = { 'content-length': 200_000, authorization: `Upload ${'A'.repeat(43)}` }
        const sent = request(`${base}/files/${id}/0`, { method: 'PUT', agent, headers }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0))
        })
        sent.once('error', reject).end(Buffer.alloc(200_000))
      })
    for (let time = 0; time < 5; time++) expect(await put()).toBe(404)
    agent.destroy()
  }, 10_000)

  test('a part that comes too slowly is not waited for, and is told so', async () => {
    const { id, token } = await begin(1_000_000)
    const put = vi.spyOn(app.files as NonNullable<TestApp['files']>, 'put')
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const head = `PUT /api/v1/files/${id}/0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Upload ${token}\r\n`
      const answer = exchange(`${head}Content-Length: 1000000\r\n\r\nabcd`)
      while (put.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
      for (let ms = 0; ms < 30_000; ms += 1000) vi.advanceTimersByTime(1000)
      expect(await answer).toContain('408 Request Timeout')
    } finally {
      vi.useRealTimers()
    }
    expect((await call('GET', `/files/${id}`, { token })).json).toEqual({ parts: [] })
    expect(await blobs()).toEqual([])
  })

  /** Sends raw bytes and answers what comes back; or hangs up at once. */
  function exchange(request: string, hangUp = false): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      let answer = ''
      socket.setEncoding('utf8').on('data', (text: string) => {
        answer += text
        socket.destroy()
      })
      socket.on('error', () => {}).on('close', () => resolve(answer))
      socket.write(request, () => hangUp && setTimeout(() => socket.destroy(), 50))
    })
  }

  test('uploads can be turned off, for everyone or for visitors, at each of their calls', async () => {
    const begun = await upload(randomBytes(9))
    await app.storage.settings.set({ disable_file_upload: 'true' })
    app.clock.now += 2000
    const off = { statusCode: 403, code: 'settings.uploads_disabled' }
    expect((await call('POST', '/files', { body: { size: 9, parts: 1 } })).json).toMatchObject(off)
    expect(
      (await call('PUT', `/files/${begun.id}/0`, { token: begun.token, octets: randomBytes(9) })).json,
    ).toMatchObject(off)
    expect((await share([begun])).answer.json).toMatchObject(off)
    expect((await call('GET', '/settings')).json).toMatchObject({ uploads: false, disable_file_upload: true })
    await app.storage.settings.set({ disable_file_upload: 'false', read_only: 'true' })
    app.clock.now += 2000
    const readOnly = { statusCode: 403, code: 'settings.read_only' }
    expect((await call('POST', '/files', { body: { size: 9, parts: 1 } })).json).toMatchObject(readOnly)
    await app.close()
    await start({ visitorUploads: false })
    const refused = { statusCode: 403, code: 'file.visitors_refused' }
    expect((await call('POST', '/files', { body: { size: 9, parts: 1 } })).json).toMatchObject(refused)
    expect((await share([begun])).answer.json).toMatchObject(refused)
    expect((await call('GET', '/settings')).json).toMatchObject({ uploads: false, disable_file_upload: false })
  })

  test('one address opens so many uploads, and sends so much in a day', async () => {
    await app.close()
    await start({ maxOpenUploads: 2, visitorBytesPerDay: 100, maxFiles: 1 })
    const some = [await upload(randomBytes(40)), await begin(40)]
    const { json, headers } = await call('POST', '/files', { body: { size: 1, parts: 1 } })
    expect(json).toMatchObject({ statusCode: 429, code: 'file.too_many_uploads', retryAfter: 3600 })
    expect(headers.get('retry-after')).toBe('3600')
    expect((await share(some)).answer.json).toMatchObject({ code: 'request.invalid', field: 'files' })
    await share(some.slice(0, 1))
    expect((await call('POST', '/files', { body: { size: 21, parts: 1 } })).json).toMatchObject({
      statusCode: 429,
      code: 'file.quota_used_up',
      retryAfter: 86400,
    })
    app.clock.now += 24 * HOUR
    expect((await call('POST', '/files', { body: { size: 100, parts: 1 } })).status).toBe(201)
  })

  test('texts of visitors count like their files, but for small ones', async () => {
    await app.close()
    await start({ visitorBytesPerDay: 200_000 })
    const create = (length: number, body: object = {}) =>
      call('POST', '/secret', { body: { text: 'x'.repeat(length), ttl: 60, isPublic: true, ...body } })
    const usedUp = { statusCode: 429, code: 'file.quota_used_up' }
    const large = 64 * 1024 + 1
    for (let n = 0; n < 3; n++) expect((await create(large)).status).toBe(201)
    expect((await create(large)).json).toMatchObject({ ...usedUp, retryAfter: 86400 })
    const rest = 200_000 - 3 * large
    expect((await call('POST', '/files', { body: { size: rest + 1, parts: 1 } })).json).toMatchObject(usedUp)
    await begin(rest)
    expect((await create(large - 1)).status).toBe(201)
    const token = await app.tokenOf(await app.signUp())
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ text: 'x'.repeat(large), ttl: 60, isPublic: true })
    expect((await fetch(`${base}/secret`, { method: 'POST', headers, body })).status).toBe(201)
    expect((await call('GET', '/secret/public')).json).toHaveLength(5)
    app.clock.now += 24 * HOUR
    expect((await create(large)).status).toBe(201)
  })

  test('three parts of an upload come in at a time, and others are others', async () => {
    const size = 3 * MAX_PART + 10
    const { id, token } = await begin(size)
    const other = await begin(10)
    const last = (upload: Upload, index: number) =>
      call('PUT', `/files/${upload.id}/${index}`, { token: upload.token, octets: randomBytes(10) })
    const held = [0, 1, 2].map((index) => {
      const headers = { authorization: `Upload ${token}`, 'content-length': MAX_PART }
      const sent = request(`${base}/files/${id}/${index}`, { method: 'PUT', headers, agent: false })
      sent.on('error', () => {}).write('begun')
      return sent
    })
    const refused = { statusCode: 429, code: 'limit.reached', retryAfter: 1 }
    // A part that is there may come again.
    await expect.poll(async () => (await last({ id, token }, 3)).json, { timeout: 10_000 }).toMatchObject(refused)
    expect((await last(other, 0)).status).toBe(204)
    held[1]?.destroy()
    await expect.poll(async () => (await last({ id, token }, 3)).status, { timeout: 10_000 }).toBe(204)
    for (const sent of held) sent.destroy()
  })

  describe('a small file inside the call', () => {
    const content = Buffer.from('Schlüssel ☃ 🗝')
    const files = [
      { name: 'Schlüssel ☃.txt', type: 'text/plain', content: content.toString('base64') },
      { name: 'leer', content: '' },
    ]
    const create = (more: object = {}) =>
      call('POST', '/secret', { body: { text: 'raw ☃', ttl: 3600, files, ...more } })

    test.each([
      ['raw', {}],
      ['public', { isPublic: true, maxViews: 1 }],
    ])('of a %s secret comes with its name, and its download is the file itself', async (kind, more) => {
      const { json: created } = await create(more)
      expect(created).toMatchObject({ kind })
      expect((await call('GET', `/secret/${created.id}/exist`)).json).toMatchObject({ files: 2 })
      const { json } = await call('GET', `/secret/${created.id}`)
      const octets = 'application/octet-stream'
      const ticket = { id: expect.any(String), key: expect.any(String), parts: 1 }
      expect(json).toMatchObject({ text: 'raw ☃' })
      expect(json.files).toEqual([
        { ...ticket, name: 'Schlüssel ☃.txt', type: 'text/plain', size: content.length },
        { ...ticket, name: 'leer', type: octets, size: 0 },
      ])
      for (const part of [undefined, 0]) {
        expect((await download(json.files[0].key, created.id, part)).bytes).toEqual(content)
        expect((await download(json.files[1].key, created.id, part)).bytes).toEqual(Buffer.alloc(0))
      }
      expect((await download(json.files[0].key, created.id, 1)).json).toMatchObject({ field: 'part' })
    })

    test('of a raw secret lies encrypted, and opens with the whole id only', async () => {
      const { json: created } = await create()
      const [lookup] = created.id.split('~')
      const { json } = await call('GET', `/secret/${created.id}`)
      for (const key of await blobs()) {
        const stored = Buffer.concat((await (await app.files?.get(key))?.toArray()) ?? [])
        expect(stored.toString('latin1')).toMatch(/^age-encryption.org/)
      }
      expect((await app.storage.attachments.ofSecret(lookup, app.clock.now)).map(({ name }) => name)).toEqual([
        null,
        null,
      ])
      const other = `${lookup}~${randomBytes(32).toString('base64url')}`
      expect((await download(json.files[0].key, other)).json).toMatchObject({ code: 'file.not_found' })
      expect((await download(json.files[0].key, lookup)).bytes.includes(content)).toBe(false)
    })

    test('is one of those that the instance refuses when it refuses files', async () => {
      expect((await create({ files: [{ name: '', content: '' }] })).json).toMatchObject({ field: 'files.0.name' })
      expect((await create({ files: [{ name: 'a\nb', content: '' }] })).json).toMatchObject({ field: 'files.0.name' })
      const large = [{ name: 'large', content: Buffer.alloc(2 ** 20 + 1).toString('base64') }]
      expect((await create({ files: large })).json).toMatchObject({ statusCode: 413, field: 'files' })
      await app.storage.settings.set({ disable_file_upload: 'true' })
      app.clock.now += 2000
      expect((await create()).json).toMatchObject({ code: 'settings.uploads_disabled' })
      expect(await blobs()).toEqual([])
    })

    test('is stored once, however often the create is repeated', async () => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'ein-mal' }
      const body = JSON.stringify({ text: 'raw ☃', ttl: 3600, files })
      const answers = await Promise.all(
        Array.from({ length: 5 }, () =>
          fetch(`${base}/secret`, { method: 'POST', headers, body }).then((r) => r.text()),
        ),
      )
      expect(new Set(answers).size).toBe(1)
      await app.services.sweeper.sweep()
      expect(await blobs()).toHaveLength(2)
    })
  })

  test('a blob without a row goes when it is old, one with a row stays', async () => {
    await upload(randomBytes(9))
    const kept = await blobs()
    const { Readable } = await import('node:stream')
    await app.files?.put('0123456789abcdef0123456700000000', Readable.from([Buffer.from('x')]), 1)
    app.clock.now = Date.now() + HOUR / 2
    expect(await app.services.sweeper.reconcile()).toBe(0)
    app.clock.now = Date.now() + HOUR + 60_000
    expect(await app.services.sweeper.reconcile()).toBe(1)
    expect(await blobs()).toEqual(kept)
  })

  test('a store that fails is told as such, deletes nothing, and is tried again', async () => {
    const bytes = randomBytes(9)
    const { id, access } = await share([await upload(bytes)], { maxViews: 2 })
    const { json } = await view(id, access)
    const files = app.files as NonNullable<TestApp['files']>
    const { get, delete: remove, ping } = files
    const down = () => Promise.reject(new Error('connect ECONNREFUSED hunter2'))
    Object.assign(files, { get: down, delete: down, ping: down })
    expect((await download(json.files[0].key, id)).json).toMatchObject({ statusCode: 503, code: 'file.unavailable' })
    expect((await fetch(base.replace('/api/v1', '/readyz'))).status).toBe(503)
    app.clock.now += HOUR
    await app.services.sweeper.sweep()
    expect(await blobs()).toHaveLength(1)
    Object.assign(files, { get, delete: remove, ping })
    await app.services.sweeper.sweep()
    expect(await blobs()).toEqual([])
    expect(app.log.join()).not.toContain('hunter2')
  })

  test('what is downloaded is what was uploaded, byte for byte, by many at once', async () => {
    const files = Array.from({ length: 8 }, (_, at) => randomBytes(100_000 + at))
    const uploads = await Promise.all(files.map(upload))
    const { id, access } = await share(uploads)
    const { json } = await view(id, access)
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    const got = await Promise.all(json.files.map(({ key }: { key: string }) => download(key, id, 0)))
    expect(got.map(({ bytes }: Answer) => hash(bytes))).toEqual(files.map(hash))
  })
})
