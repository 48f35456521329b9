/** Uploads and downloads on the wire: invalid, slow, truncated and parallel bodies, and a file store that fails. */
import { createHash, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { type Answer, fileCalls, MAX_PART, type Upload } from '#test/file-calls'
import { onMemory } from '#test/for-each-storage'
import type { FileStore } from '../contracts/file-store.js'

const HOUR = 60 * 60_000

onMemory((site) => {
  const { base, call, begin, upload, share, view, download, blobs } = fileCalls(site)

  test.each([
    ['size', { size: 0, parts: 1 }, 400],
    ['parts', { size: 9, parts: 2 }, 400],
    ['parts', { size: MAX_PART + 1, parts: 1 }, 400],
    ['parts', { size: 9, parts: 1.5 }, 400],
    ['size', { size: '9', parts: 1 }, 400],
    ['name', { size: 9, parts: 1, name: 'plan.pdf' }, 400],
    ['size', { size: 2 ** 40, parts: 131_071 }, 413],
  ])('an upload with an invalid %s is refused: %j', async (field, body, status) => {
    expect((await call('POST', '/files', { body })).json).toMatchObject({ statusCode: status, field })
  })

  test('SEC-07: a part with the wrong length or index is refused before it is read', async () => {
    const { id, token } = await begin(MAX_PART + 9)
    const put = (index: number | string, rawBytes: Buffer) => call('PUT', `/files/${id}/${index}`, { token, rawBytes })
    const ofLength = { code: 'request.invalid', field: 'content-length' }
    expect((await put(0, randomBytes(9))).json).toMatchObject(ofLength)
    expect((await put(1, randomBytes(10))).json).toMatchObject(ofLength)
    expect((await put(2, randomBytes(9))).json).toMatchObject({ code: 'request.invalid', field: 'index' })
    expect((await put('-1', randomBytes(9))).json).toMatchObject({ code: 'file.not_found' })
    expect((await put('01', randomBytes(9))).json).toMatchObject({ code: 'file.not_found' })
    expect(await blobs()).toEqual([])
  })

  test('a part that is truncated, lacks a length or is compressed stores nothing', async () => {
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
    'a response of %s does not wait for the rest of the body',
    async (status, reason, host) => {
      const { id, token } = await begin(1000)
      const socket = connect(site.port, '127.0.0.1')
      const head = `PUT /api/v1/files/${id}/0 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Upload ${token}\r\n`
      socket.write(`${head}Content-Length: 10737418240\r\n\r\nabcd`)
      let response = ''
      socket.setEncoding('utf8').on('data', (text: string) => {
        response += text
      })
      socket.on('error', () => {})
      const sending = setInterval(() => socket.write('more'), 20)
      // Not `once`, which rejects when the connection ends in a reset.
      await new Promise((closed) => socket.once('close', closed))
      clearInterval(sending)
      expect(response).toContain(status)
      expect(response).toContain(reason)
    },
    10_000,
  )

  test('the connection is reused after a refused part that was sent completely', async () => {
    const { id } = await begin(200_000)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const put = () =>
      new Promise<number>((resolve, reject) => {
        const headers = { 'content-length': 200_000, authorization: `Upload ${'A'.repeat(43)}` }
        const sent = request(`${base()}/files/${id}/0`, { method: 'PUT', agent, headers }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0))
        })
        sent.once('error', reject).end(Buffer.alloc(200_000))
      })
    for (let time = 0; time < 5; time++) expect(await put()).toBe(404)
    agent.destroy()
  }, 10_000)

  test('SEC-07: a part that arrives too slowly gets 408', async () => {
    const { id, token } = await begin(1_000_000)
    const put = vi.spyOn(site.app.fileStore as FileStore, 'put')
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const head = `PUT /api/v1/files/${id}/0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Upload ${token}\r\n`
      const response = exchange(`${head}Content-Length: 1000000\r\n\r\nabcd`)
      while (put.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
      for (let ms = 0; ms < 30_000; ms += 1000) vi.advanceTimersByTime(1000)
      expect(await response).toContain('408 Request Timeout')
    } finally {
      vi.useRealTimers()
    }
    expect((await call('GET', `/files/${id}`, { token })).json).toEqual({ parts: [] })
    expect(await blobs()).toEqual([])
  })

  /** Sends raw bytes and returns the response, or closes the connection at once. */
  function exchange(request: string, hangUp = false): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(site.port, '127.0.0.1')
      let response = ''
      socket.setEncoding('utf8').on('data', (text: string) => {
        response += text
        socket.destroy()
      })
      socket.on('error', () => {}).on('close', () => resolve(response))
      socket.write(request, () => hangUp && setTimeout(() => socket.destroy(), 50))
    })
  }

  test('an upload receives three parts at a time', async () => {
    const size = 3 * MAX_PART + 10
    const { id, token } = await begin(size)
    const other = await begin(10)
    const last = (upload: Upload, index: number) =>
      call('PUT', `/files/${upload.id}/${index}`, { token: upload.token, rawBytes: randomBytes(10) })
    const held = [0, 1, 2].map((index) => {
      const headers = { authorization: `Upload ${token}`, 'content-length': MAX_PART }
      const sent = request(`${base()}/files/${id}/${index}`, { method: 'PUT', headers, agent: false })
      sent.on('error', () => {}).write('begun')
      return sent
    })
    const refused = { statusCode: 429, code: 'limit.reached', retryAfter: 1 }
    // A stored part may be repeated.
    await expect.poll(async () => (await last({ id, token }, 3)).json, { timeout: 10_000 }).toMatchObject(refused)
    expect((await last(other, 0)).status).toBe(204)
    held[1]?.destroy()
    await expect.poll(async () => (await last({ id, token }, 3)).status, { timeout: 10_000 }).toBe(204)
    for (const sent of held) sent.destroy()
  })

  test('REL-08: a failing file store returns 503, loses nothing, and cleanup tries again', async () => {
    const bytes = randomBytes(9)
    const { id, access } = await share([await upload(bytes)], { maxViews: 2 })
    const { json } = await view(id, access)
    const files = site.app.fileStore as FileStore
    const { get, delete: remove, ping } = files
    const down = () => Promise.reject(new Error('connect ECONNREFUSED hunter2'))
    Object.assign(files, { get: down, delete: down, ping: down })
    expect((await download(json.files[0].key, id)).json).toMatchObject({ statusCode: 503, code: 'file.unavailable' })
    expect((await fetch(base().replace('/api/v1', '/readyz'))).status).toBe(503)
    site.app.clock.now += HOUR
    await site.app.background.cleanup.run()
    expect(await blobs()).toHaveLength(1)
    Object.assign(files, { get, delete: remove, ping })
    await site.app.background.cleanup.run()
    expect(await blobs()).toEqual([])
    expect(site.app.logged.join()).not.toContain('hunter2')
  })

  test('eight concurrent downloads equal their uploads', async () => {
    const files = Array.from({ length: 8 }, (_, at) => randomBytes(100_000 + at))
    const uploads = await Promise.all(files.map(upload))
    const { id, access } = await share(uploads)
    const { json } = await view(id, access)
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    const got = await Promise.all(json.files.map(({ key }: { key: string }) => download(key, id, 0)))
    expect(got.map(({ bytes }: Answer) => hash(bytes))).toEqual(files.map(hash))
  })
})
