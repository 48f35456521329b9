/**
 * The library against a real server, and against responses of a hostile server. The tests run concurrently, because the
 * library waits before it retries.
 */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFaultyProxy } from '#test/faulty-proxy'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'
import { createRequestKeys, encryptSubmission } from '../crypto/submission.js'
import {
  burnSecret,
  type Connection,
  closeRequest,
  collect,
  createRequest,
  createSecret,
  type FileInput,
  getRequestStatus,
  getSecretStatus,
  listSubmissions,
  MayflyError,
  newClaim,
  readSecret,
  serverOf,
  submit,
} from './index.js'

const TEXT = 'pässwörd ☃\nsecond line\n'
const TWO_PARTS = new Uint8Array(randomBytes(8_400_000))

let server: LocalServer
let connection: Connection
beforeAll(async () => {
  const room = { MAYFLY_VISITOR_BYTES_PER_DAY: '10000000000', MAYFLY_MAX_FILE_BYTES: '200000000' }
  server = await startLocalServer({ env: room, instanceSettings: { who_can_request: 'anyone' } })
  connection = { server: server.url }
})
afterAll(() => server?.stop())

/** Every request passes through `change`. */
const withFetch = (change: (url: string, init: RequestInit) => Promise<Response>): Connection => ({
  server: server.url,
  fetch: ((url: string, init: RequestInit) => change(url, init)) as typeof fetch,
})

/** Changes the JSON of responses to requests with this path. */
const changing = (path: RegExp, change: object): Connection =>
  withFetch(async (url, init) => {
    const response = await fetch(url, init)
    return path.test(url) ? Response.json(Object.assign((await response.json()) as object, change)) : response
  })

async function* chunksOf(bytes: Uint8Array, size = 70_001) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const readAll = async (stream: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(stream).arrayBuffer())
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe.concurrent('secrets', () => {
  test('a secret is created, checked, opened once and gone after the acknowledgement', async () => {
    const created = await createSecret(connection, { text: TEXT, title: 'Zugang ☃', ttl: 600, receipt: true })
    expect(created).toMatchObject({ maxViews: 1, linkWithoutKey: `${server.url}/secret/${created.id}#0` })
    expect(created.link).toBe(`${server.url}/secret/${created.id}#${created.key}`)
    expect(created.receiptLink).toMatch(/\/receipt#1/)
    expect(serverOf(created.link)).toBe(server.url)
    expect(await getSecretStatus(connection, created.link)).toEqual({
      id: created.id,
      viewsLeft: 1,
      expiresAt: created.expiresAt,
      hasPassword: false,
      files: 0,
    })
    const secret = await readSecret(connection, created.link)
    expect(secret).toMatchObject({ text: TEXT, title: 'Zugang ☃', files: [], viewsLeft: 0, warnings: [] })
    await secret.acknowledge()
    // Its claim is unknown by now.
    await secret.acknowledge()
    expect(await getSecretStatus(connection, created.link)).toBeNull()
    await expect(readSecret(connection, created.link)).rejects.toMatchObject({
      name: 'MayflyError',
      code: 'secret.not_found',
      statusCode: 404,
    })
  })

  test('the command line opens a secret of the library, and the library a secret of the command line', async () => {
    const { link } = await createSecret(connection, { text: TEXT })
    expect((await run(['secret', 'read', '-'], { stdin: link })).stdout.toString()).toBe(TEXT)
    const made = await run(['secret', 'create'], { stdin: TEXT, env: { MAYFLY_SERVER: server.url } })
    expect((await readSecret(connection, `the link: <${made.stdout.toString().trim()}>.`)).text).toBe(TEXT)
  })

  test('a missing and a wrong password are errors with codes, and do not use a view', async () => {
    const { link } = await createSecret(connection, { text: new Uint8Array([0xff, 0]), password: 'päss ☃' })
    await expect(readSecret(connection, link)).rejects.toMatchObject({ code: 'secret.password_required' })
    await expect(readSecret(connection, link, { password: 'other' })).rejects.toMatchObject({
      code: 'secret.password_wrong',
      attemptsLeft: 9,
    })
    const secret = await readSecret(connection, link, { password: 'päss ☃' })
    expect(secret).toMatchObject({ text: null, bytes: new Uint8Array([0xff, 0]) })
  })

  test('a view is repeated with the same claim until it is acknowledged', async () => {
    const { link } = await createSecret(connection, { text: TEXT })
    const claim = newClaim()
    await readSecret(connection, link, { claim })
    // A check does not reveal a secret without views left.
    expect(await getSecretStatus(connection, link)).toBeNull()
    expect(await readSecret(connection, link, { claim })).toMatchObject({ text: TEXT, claim })
    await expect(readSecret(connection, link, { claim: newClaim() })).rejects.toMatchObject({
      code: 'secret.not_found',
    })
  })

  test('a key that is sent separately opens the link without it', async () => {
    const { linkWithoutKey, key } = await createSecret(connection, { text: TEXT })
    await expect(readSecret(connection, linkWithoutKey)).rejects.toMatchObject({ code: 'link.key_missing' })
    expect((await readSecret(connection, linkWithoutKey, { key })).text).toBe(TEXT)
  })

  test('a public secret is read without a key', async () => {
    const env = { MAYFLY_SERVER: server.url }
    const made = await run(['secret', 'create', '--public', '--title', 'ö'], { stdin: TEXT, env })
    const secret = await readSecret(connection, made.stdout.toString())
    expect(secret).toMatchObject({ text: TEXT, title: 'ö' })
    await secret.acknowledge()
  })

  test('a secret is burned with its link, and with its burn token', async () => {
    const [one, two] = [await createSecret(connection, { text: 'a' }), await createSecret(connection, { text: 'b' })]
    await burnSecret(connection, one.link)
    await burnSecret(connection, two)
    for (const { link } of [one, two]) expect(await getSecretStatus(connection, link)).toBeNull()
    await expect(burnSecret(connection, one)).rejects.toMatchObject({ code: 'secret.not_found' })
  })

  test('a lost response does not create a second secret', async () => {
    let sent = 0
    const keys = new Set<unknown>()
    const lossy = withFetch(async (url, init) => {
      const response = await fetch(url, init)
      keys.add((init.headers as Record<string, string>)['idempotency-key'])
      if (++sent === 1) throw new TypeError('connection lost')
      return response
    })
    const { link } = await createSecret(lossy, { text: TEXT })
    expect({ sent, keys: keys.size }).toEqual({ sent: 2, keys: 1 })
    expect((await readSecret(connection, link)).text).toBe(TEXT)
  })

  test('an abort during the creation burns the stored secret', async () => {
    const controller = new AbortController()
    const ids: string[] = []
    const methods: string[] = []
    const slow = withFetch(async (url, init) => {
      const response = await fetch(url, { ...init, signal: null })
      methods.push(url.slice(url.indexOf('/v1/') + 3).replace(ids[0] ?? '-', 'ID'))
      if (url.endsWith('/secret')) ids.push(((await response.clone().json()) as { id: string }).id)
      if (ids.length === 1) controller.abort(new Error('stopped'))
      init.signal?.throwIfAborted()
      return response
    })
    await expect(createSecret(slow, { text: TEXT, signal: controller.signal })).rejects.toThrow('stopped')
    expect(new Set(ids).size).toBe(1)
    expect(methods).toEqual(['/secret', '/secret', '/secret/ID/burn'])
  })
})

describe.concurrent('files', () => {
  const inputs: [string, () => Omit<FileInput, 'name'>][] = [
    ['bytes', () => ({ content: TWO_PARTS })],
    ['a Blob', () => ({ content: new Blob([TWO_PARTS], { type: 'text/x-tést' }), type: 'application/x' })],
    ['a stream', () => ({ content: new Blob([TWO_PARTS]).stream(), size: TWO_PARTS.length })],
    ['an iterable', () => ({ content: chunksOf(TWO_PARTS), size: TWO_PARTS.length })],
    ['an empty iterable', () => ({ content: chunksOf(new Uint8Array()), size: 0 })],
  ]
  test.each(inputs)('%s arrives unchanged', async (_, input) => {
    const given = input()
    const bytes = given.size === 0 ? new Uint8Array() : TWO_PARTS
    let done = 0
    const onProgress = (progress: { done: number }) => {
      done = progress.done
    }
    const { link } = await createSecret(connection, { files: [{ name: 'däta.bin', ...given }], onProgress })
    expect(done).toBe(bytes.length)
    const secret = await readSecret(connection, link)
    const [file] = secret.files
    expect(file).toMatchObject({ name: 'däta.bin', size: bytes.length })
    expect(digestOf(await readAll(file?.stream() as ReadableStream))).toBe(digestOf(bytes))
    await secret.acknowledge()
  })

  test('a stream is sent again after a lost connection, and its file is read twice', async () => {
    let puts = 0
    const lossy = withFetch(async (url, init) => {
      if (init.method === 'PUT' && ++puts === 2) throw new TypeError('connection lost')
      return fetch(url, init)
    })
    const content = new Blob([TWO_PARTS]).stream()
    const { link } = await createSecret(lossy, { files: [{ name: 'a', content, size: TWO_PARTS.length }] })
    expect(puts).toBe(3)
    const [file] = (await readSecret(connection, link)).files
    for (let time = 0; time < 2; time++) {
      expect(digestOf(await readAll(file?.stream() as ReadableStream))).toBe(digestOf(TWO_PARTS))
    }
  })

  test.each([TWO_PARTS.length - 1, TWO_PARTS.length + 1])('a stream with another size than %i fails', async (size) => {
    const files = [{ name: 'a', content: chunksOf(TWO_PARTS), size }]
    await expect(createSecret(connection, { files })).rejects.toMatchObject({
      code: 'file.changed',
      field: 'files.0.content',
    })
  })

  test('a changed part ends the stream with an error, and a cancelled stream does not fetch more parts', async () => {
    const { link } = await createSecret(connection, { files: [{ name: 'a', content: TWO_PARTS }] })
    let downloads = 0
    const hostile = withFetch(async (url, init) => {
      const response = await fetch(url, init)
      if (!url.endsWith('/download') || ++downloads !== 2) return response
      const bytes = new Uint8Array(await response.arrayBuffer())
      bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1
      return new Response(bytes)
    })
    const [file] = (await readSecret(hostile, link)).files
    await expect(readAll(file?.stream() as ReadableStream)).rejects.toMatchObject({ code: 'content.wrong_key' })
    const before = downloads
    await file?.stream().cancel('enough')
    const reason = new Error('stopped')
    await expect(readAll(file?.stream({ signal: AbortSignal.abort(reason) }) as ReadableStream)).rejects.toBe(reason)
    expect(downloads - before).toBeLessThanOrEqual(2)
  })
})

describe.concurrent('secret requests', () => {
  test('a request is created, checked, answered with a file, collected and closed', async () => {
    const note = { title: 'Schlüssel ☃', instructions: 'der von gestern' }
    const { requestLink, collectLink } = await createRequest(connection, { ...note, maxSubmissions: 2 })
    expect(await getRequestStatus(connection, requestLink)).toMatchObject({ ...note, submissionsLeft: 2 })
    expect(await collect(connection, collectLink)).toBeNull()
    await submit(connection, requestLink, { text: TEXT, files: [{ name: 'ä', content: TWO_PARTS }], ttl: 300 })
    await submit(connection, requestLink, { text: 'second' })
    expect(await listSubmissions(connection, collectLink)).toMatchObject([
      { files: 1, isViewed: false },
      { files: 0, isViewed: false },
    ])
    const received = await collect(connection, collectLink)
    expect(received).toMatchObject({ text: TEXT, warnings: [], tag: expect.stringMatching(/^[\w-]{43}$/) })
    expect(digestOf(await readAll(received?.files[0]?.stream() as ReadableStream))).toBe(digestOf(TWO_PARTS))
    await received?.acknowledge()
    expect((await collect(connection, collectLink))?.text).toBe('second')
    expect(await collect(connection, collectLink)).toBeNull()
    const next = await createRequest(connection)
    await closeRequest(connection, next.collectLink)
    await expect(submit(connection, next.requestLink, { text: TEXT })).rejects.toMatchObject({
      code: 'secret_request.not_found',
    })
  })

  test('another recipient is refused before anything is encrypted', async () => {
    const { requestLink } = await createRequest(connection)
    const { body } = await createRequestKeys(null)
    const hostile = changing(/open$/, { recipient: body.recipient })
    for (const call of [submit, getRequestStatus]) {
      await expect(call(hostile, requestLink, { text: TEXT })).rejects.toMatchObject({
        code: 'request.recipient_changed',
      })
    }
    expect((await getRequestStatus(connection, requestLink)).submissionsLeft).toBe(1)
  })

  test('a submission that was not made with the request link is refused and deleted', async () => {
    const { requestLink, collectLink } = await createRequest(connection)
    const { recipient } = (await createRequestKeys(null)).body
    const hostile = withFetch(async (url, init) => {
      if (!url.endsWith('/submission')) return fetch(url, init)
      const body = JSON.parse(init.body as string)
      const other = { requestId: 'A'.repeat(22), authenticKey: new Uint8Array(32), text: new Uint8Array(1) }
      const sealed = await encryptSubmission({ ...other, expiresAt: Date.now() + 60_000 }, recipient)
      return fetch(url, { ...init, body: JSON.stringify({ ...body, ...sealed }) })
    })
    await submit(hostile, requestLink, { text: TEXT })
    await expect(collect(connection, collectLink)).rejects.toMatchObject({ code: 'content.wrong_key' })
    expect(await collect(connection, collectLink)).toBeNull()
  })
})

describe.concurrent('errors', () => {
  test.each([
    ['link.not_a_link', 'hello'],
    ['link.incomplete', 'https://example.org/secret/AAAAAAAAAAAAAAAAAAAAAA#1abc'],
    ['link.newer_version', `https://example.org/secret/AAAAAAAAAAAAAAAAAAAAAA#2${'A'.repeat(45)}`],
  ])('%s is found before any request', async (code, link) => {
    const none = withFetch(() => expect.fail('a request was sent'))
    for (const call of [readSecret, getSecretStatus, burnSecret]) {
      await expect(call(none, link)).rejects.toMatchObject({ code, statusCode: null, isOutcomeUnknown: false })
    }
  })

  test('invalid input names its field, whether the library or the server finds it', async () => {
    const fieldOf = (input: object, at: Connection = connection) =>
      createSecret(at, { text: TEXT, ...input }).then(
        () => null,
        ({ code, field }: MayflyError) => `${code} ${field}`,
      )
    expect(await fieldOf({}, { server: 'ftp://example.org' })).toBe('input.invalid server')
    expect(await fieldOf({ text: '\ud800' })).toBe('input.invalid text')
    expect(await fieldOf({ title: 'two\nlines' })).toBe('input.invalid title')
    expect(await fieldOf({ preventBurn: true, maxViews: 2 })).toBe('input.invalid maxViews')
    expect(await fieldOf({ files: [{ name: '../x', content: TWO_PARTS }] })).toBe('input.invalid files.0.name')
    expect(await fieldOf({ files: [{ name: 'x', content: chunksOf(TWO_PARTS) }] })).toBe('input.invalid files.0.size')
    expect(await fieldOf({ ttl: 1 })).toBe('request.invalid ttl')
    expect(await fieldOf({ allowedIp: 'x' })).toBe('request.invalid allowedIp')
  })

  test('a wrong token and an unreachable server are errors with codes', async () => {
    await expect(createSecret({ ...connection, token: 'wrong' }, { text: TEXT })).rejects.toMatchObject({
      code: 'auth.invalid_token',
      statusCode: 401,
    })
    const broken = withFetch(() => Promise.reject(new TypeError('fetch failed')))
    const error = await burnSecret(broken, { id: 'A'.repeat(22), burnToken: 'A'.repeat(43) }).catch((error) => error)
    expect(error).toBeInstanceOf(MayflyError)
    expect(error).toMatchObject({ code: 'network.failed', statusCode: null, isOutcomeUnknown: true })
  })

  test('responses of a hostile server are refused', async () => {
    const { link } = await createSecret(connection, { text: TEXT, maxViews: 50 })
    const codeOf = (at: Connection) =>
      readSecret(at, link).then(
        ({ warnings }) => warnings.join(),
        ({ code, field }: MayflyError) => `${code} ${field}`,
      )
    expect(await codeOf(changing(/exist$/, { files: -1 }))).toBe('response.invalid files')
    expect(await codeOf(changing(/exist$/, { kind: 'public' }))).toBe('link.wrong_kind null')
    expect(await codeOf(changing(/secret\/[\w-]+$/, { text: 5 }))).toBe('response.invalid text')
    expect(await codeOf(changing(/secret\/[\w-]+$/, { text: 'plain' }))).toBe('content.invalid null')
    expect(await codeOf(changing(/secret\/[\w-]+$/, { maxViews: null }))).toBe('views')
    expect(await codeOf(withFetch(async () => new Response('<html>')))).toBe('response.invalid null')
    // A new link begins with the address of the caller, not with an address of the server.
    const other = await createSecret(changing(/secret$/, { url: 'https://evil.example/secret/x' }), { text: TEXT })
    expect(other.link.startsWith(`${server.url}/secret/`)).toBe(true)
  })

  test('an endless response ends with an error', async () => {
    const proxy = await startFaultyProxy(server.url)
    proxy.fail(async (_, response) => {
      response.writeHead(200, { 'content-length': String(2 ** 40) })
      response.write('x')
    })
    try {
      const link = (await createSecret(connection, { text: TEXT })).link
      await expect(getSecretStatus({ server: proxy.url }, link)).rejects.toMatchObject({ code: 'network.failed' })
    } finally {
      await proxy.close()
    }
  })
})
