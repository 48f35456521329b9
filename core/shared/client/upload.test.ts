/** Uploads and downloads against a fake server, because a real server cannot fail at chosen requests. */
import { createHash, randomBytes } from 'node:crypto'
import { base64urlnopad } from '@scure/base'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { encryptedFileLength, encryptedPartLength, PART_SIZE } from '../crypto/parts.js'
import { createClient, NetworkError, type UploadId } from './client.js'
import { download } from './download.js'
import {
  type FileSource,
  type Progress,
  sendParts,
  type UploadPartsOptions,
  upload,
  uploadParts,
  uploadWithKey,
} from './upload.js'
import type { AttachedFile } from './viewed-content.js'

const ID = 'AAECAwQFBgcICQoLDA0ODw'
const TOKEN = 'A'.repeat(43)
const TICKET = 'E'.repeat(43)
const content = new Uint8Array(randomBytes(3 * PART_SIZE + 1234))
const sha256 = (...pieces: Uint8Array[]) =>
  pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest()
const digest = sha256(
  ...[0, 1, 2, 3].map((part) => sha256(content.subarray(part * PART_SIZE, (part + 1) * PART_SIZE))),
).toString('hex')
const source: FileSource = { size: content.length, read: async (start, end) => content.slice(start, end) }

/** Every request so far, such as `PUT 2`. */
let calls: string[]
let stored: Map<number, Uint8Array>
/** Faults by request. Each happens once. */
let faults: Map<string, () => Response | Promise<Response>>
const reset = () => {
  calls = []
  stored = new Map()
  faults = new Map()
}
beforeEach(reset)

const lost = () => {
  throw new TypeError('fetch failed')
}
const failure =
  (status: number, code: string, more: object = {}) =>
  () =>
    Response.json({ statusCode: status, error: 'x', code, message: 'x', ...more }, { status })

const server = (async (input: string, { method, body }: RequestInit) => {
  const [, path = '', last = ''] = /api\/v1\/(\w+)\/?(?:[\w-]{22}\/?)?(\d*)$/.exec(input) ?? []
  const part = path === 'download' ? JSON.parse(body as string).part : last
  const name = `${path === 'download' ? 'GET' : method}${part === '' ? '' : ` ${part}`}`
  calls.push(name)
  const fault = faults.get(name)
  faults.delete(name)
  if (fault) return fault()
  if (path === 'download') return new Response(stored.get(part) as Uint8Array<ArrayBuffer>)
  if (method === 'POST') return Response.json({ id: ID, token: TOKEN, maxPartSize: encryptedPartLength(PART_SIZE) })
  if (method === 'PUT') stored.set(Number(part), body as Uint8Array)
  if (method === 'GET') return Response.json({ parts: [...stored.keys()] })
  return new Response(null, { status: 204 })
}) as typeof fetch
const client = createClient({ server: 'http://in-memory', fetch: server })

const options = { delaysMs: [1], retryForMs: 5000 }
const send = (more: UploadPartsOptions = {}) => upload(client, source, { ...options, ...more })

/** The same requests without encryption, for tests of requests and retries. */
const sendBytes = (more: UploadPartsOptions = {}) =>
  sendParts(client, { size: content.length, part: async () => new Uint8Array(1) }, { ...options, ...more })

/** Downloads the uploaded file and decrypts it with `key`, if any. */
async function fetched(key: string | null, change: Partial<AttachedFile> = {}): Promise<Buffer> {
  const sealed = key === null ? null : { key: base64urlnopad.decode(key), digest }
  const file = { id: ID, name: 'ä', type: '', size: content.length, ticket: TICKET, sealed, ...change }
  const chunks: Uint8Array[] = []
  await download(client, ID, file, (bytes) => void chunks.push(bytes), options)
  return Buffer.concat(chunks)
}

describe('upload', () => {
  test('upload sends each part once and returns the digest', async () => {
    const progress: Progress[] = []
    const uploaded = await send({ onProgress: (at) => void progress.push(at) })
    expect(uploaded).toMatchObject({ id: ID, token: TOKEN, size: content.length, digest })
    expect(calls.sort()).toEqual(['POST', 'PUT 0', 'PUT 1', 'PUT 2', 'PUT 3'])
    expect(progress.at(-1)).toEqual({ done: content.length, total: content.length, isWaiting: false })
    expect([...stored.values()].reduce((sum, { length }) => sum + length, 0)).toBe(encryptedFileLength(content.length))
    expect((await fetched(uploaded.key)).equals(content)).toBe(true)
  })

  test('upload sends only the missing parts after a lost connection', async () => {
    faults.set('PUT 1', lost)
    const { key } = await send({ parallel: 1 })
    expect(calls).toEqual(['POST', 'PUT 0', 'PUT 1', 'GET', 'PUT 1', 'PUT 2', 'PUT 3'])
    expect((await fetched(key)).equals(content)).toBe(true)
  })

  test('upload does not repeat a part whose response was lost', async () => {
    faults.set('PUT 1', () => {
      stored.set(1, new Uint8Array())
      return lost()
    })
    await sendBytes({ parallel: 1 })
    expect(calls).toEqual(['POST', 'PUT 0', 'PUT 1', 'GET', 'PUT 2', 'PUT 3'])
  })

  test('a part is sent again if its response was lost before its hash was known', async () => {
    let isFirst = true
    const { digest } = await uploadWithKey(
      client,
      10,
      async ({ sent, index, onHash }) => {
        await client.putPart(sent, index, new Uint8Array(1))
        if (isFirst) {
          isFirst = false
          throw new NetworkError('lost')
        }
        onHash(new Uint8Array(32))
      },
      options,
    )
    expect(calls).toEqual(['POST', 'PUT 0', 'GET', 'PUT 0'])
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
  })

  test('upload repeats parts that the server lost, and hashes every part', async () => {
    faults.set('PUT 3', () => {
      stored.delete(0)
      return failure(503, 'file.unavailable')()
    })
    const uploaded = await send({ parallel: 1 })
    expect(calls.slice(-3)).toEqual(['GET', 'PUT 0', 'PUT 3'])
    expect(uploaded.digest).toBe(digest)
    expect((await fetched(uploaded.key)).equals(content)).toBe(true)
  })

  test('upload retries listing parts and creating the upload', async () => {
    const waits: boolean[] = []
    faults.set('POST', lost).set('PUT 2', lost).set('GET', failure(502, 'http.502'))
    await sendBytes({ parallel: 2, onProgress: ({ isWaiting }) => void waits.push(isWaiting) })
    expect(stored.size).toBe(4)
    expect(waits.filter(Boolean)).toHaveLength(3)
  })

  test.each([
    [507, 'file.no_space'],
    [404, 'file.not_found'],
    [413, 'file.too_large'],
    [429, 'file.quota_used_up'],
    [500, 'server.error'],
  ])('status %i is not retried, and the upload is deleted', async (status, code) => {
    faults.set('PUT 1', failure(status, code))
    await expect(sendBytes({ parallel: 1 })).rejects.toMatchObject({ code })
    expect(calls).toEqual(['POST', 'PUT 0', 'PUT 1', 'DELETE'])
  })

  test('upload waits for a rate limit that resets soon and reports a limit that resets late', async () => {
    const limit = (retryAfter: number) => failure(429, 'limit.reached', { retryAfter })
    faults.set('PUT 1', limit(1))
    const started = performance.now()
    await sendBytes({ parallel: 1 })
    expect(performance.now() - started).toBeGreaterThan(990)
    expect(stored.size).toBe(4)
    faults.set('PUT 1', limit(61))
    await expect(sendBytes({ parallel: 1 })).rejects.toMatchObject({ code: 'limit.reached' })
  })

  test('upload fails when the retry time is over', async () => {
    for (const call of ['PUT 0', 'GET']) faults.set(call, lost)
    await expect(sendBytes({ parallel: 1, retryForMs: 0 })).rejects.toThrow(NetworkError)
    expect(calls).toEqual(['POST', 'PUT 0', 'DELETE'])
  })

  test('abort during a delay ends the upload at once and deletes it', async () => {
    const controller = new AbortController()
    const reason = new Error('cancelled')
    faults.set('PUT 1', lost)
    const onProgress = ({ isWaiting }: Progress) => void (isWaiting && controller.abort(reason))
    await expect(sendBytes({ delaysMs: [60_000], signal: controller.signal, onProgress })).rejects.toBe(reason)
    expect(calls.at(-1)).toBe('DELETE')
  })

  test('abort during a part ends the upload at once and deletes it', async () => {
    const controller = new AbortController()
    const reason = new Error('cancelled')
    faults.set('PUT 1', () => {
      controller.abort(reason)
      return lost()
    })
    await expect(send({ parallel: 1, signal: controller.signal })).rejects.toBe(reason)
    expect(calls).toEqual(['POST', 'PUT 0', 'PUT 1', 'DELETE'])
  })

  test('upload fails if the file became shorter', async () => {
    const shrinking: FileSource = { size: content.length, read: async (start, end) => content.slice(start, end - 1) }
    await expect(upload(client, shrinking, options)).rejects.toThrow(RangeError)
    expect(calls.at(-1)).toBe('DELETE')
  })

  test('upload sends up to parallel parts at a time, in order', async () => {
    const reads: number[] = []
    const waiting: (() => void)[] = []
    let flying = 0
    let most = 0
    const watched: FileSource = {
      size: content.length,
      async read(start, end) {
        most = Math.max(most, ++flying)
        await new Promise(setImmediate)
        reads.push(start / PART_SIZE)
        return content.slice(start, end)
      },
    }
    // Two parts wait for each other, so sending one part at a time would never end.
    const meet = () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length === 2) for (const go of waiting.splice(0)) go()
      })
    for (let index = 0; index < 4; index++) {
      faults.set(`PUT ${index}`, async () => {
        await meet()
        return new Response(null, { status: 204 })
      })
    }
    await upload(client, watched, { ...options, parallel: 2, onProgress: () => void flying-- })
    expect(reads).toEqual([0, 1, 2, 3])
    expect(most).toBe(2)
  })

  test('progress includes bytes in flight until their part fails', async () => {
    const done: number[] = []
    const on = ({ done: bytes, isWaiting }: Progress) => void done.push(isWaiting ? -bytes : bytes)
    let isFirst = true
    const putPart = async (sent: UploadId, index: number, onSent: (bytes: number) => void) => {
      onSent(500)
      if (index === 1 && isFirst) {
        isFirst = false
        throw new NetworkError('lost')
      }
      await client.putPart(sent, index, new Uint8Array(1))
    }
    await uploadParts(client, PART_SIZE + 1000, putPart, { ...options, parallel: 1, onProgress: on })
    expect(done).toEqual([500, PART_SIZE, PART_SIZE + 500, -PART_SIZE, PART_SIZE + 500, PART_SIZE + 1000])
  })

  test('an empty file is uploaded as one empty part', async () => {
    const { key } = await upload(client, { size: 0, read: async () => new Uint8Array() }, options)
    expect(calls).toEqual(['POST', 'PUT 0'])
    const empty = sha256(sha256()).toString('hex')
    expect(await fetched(key, { size: 0, sealed: { key: base64urlnopad.decode(key), digest: empty } })).toHaveLength(0)
  })
})

describe('download', () => {
  /** One upload for all of them. */
  let key: string
  let parts: Map<number, Uint8Array>
  beforeAll(async () => {
    reset()
    key = (await send()).key
    parts = stored
  })
  beforeEach(() => {
    stored = new Map(parts)
  })

  test('download repeats a part after a lost connection', async () => {
    faults.set('GET 2', lost).set('GET 0', failure(503, 'file.unavailable'))
    expect((await fetched(key)).equals(content)).toBe(true)
    expect(calls).toEqual(['GET 0', 'GET 0', 'GET 1', 'GET 2', 'GET 2', 'GET 3'])
  })

  test('an expired ticket is not retried', async () => {
    faults.set('GET 1', failure(404, 'file.not_found'))
    await expect(fetched(key)).rejects.toMatchObject({ code: 'file.not_found' })
  })

  test('download refuses swapped, truncated and oversized parts', async () => {
    const [first, second] = [stored.get(0) as Uint8Array, stored.get(1) as Uint8Array]
    stored.set(0, second)
    await expect(fetched(key)).rejects.toMatchObject({ problem: 'wrong-key' })
    stored.set(0, first.subarray(0, -1))
    await expect(fetched(key)).rejects.toMatchObject({ problem: 'hostile' })
    stored.set(0, Buffer.concat([first, first]))
    await expect(fetched(key)).rejects.toMatchObject({ problem: 'hostile' })
  })

  test('download fails if the digest differs', async () => {
    const sealed = { key: base64urlnopad.decode(key), digest: '0'.repeat(64) }
    await expect(fetched(key, { sealed })).rejects.toMatchObject({ problem: 'hostile' })
  })

  test('download fails for a file without a ticket', async () => {
    await expect(fetched(key, { ticket: null })).rejects.toMatchObject({ problem: 'hostile' })
  })

  test('download of a raw secret returns the bytes unchanged', async () => {
    stored.set(0, content.subarray(0, 99))
    expect((await fetched(null, { size: 99 })).equals(content.subarray(0, 99))).toBe(true)
  })
})
