/**
 * An S3 server with every kind of fault: each gives the right error in bounded time, and an unreachable blob is never
 * reported as missing.
 */

import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { inspect } from 'node:util'
import type { S3Client } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FileStore } from '#core'
import { createLog } from '#core/runtime'
import { aKey, contentOf, endlessBody, keysOf, MIB, put } from '#core/testing/file-store/blobs'
import { createClient } from '#plugins/s3/s3-client'
import { createS3FileStore } from '#plugins/s3/s3-file-store'
import {
  answering,
  breakingOff,
  type Fault,
  type FaultyProxy,
  hangingUp,
  losingTheAnswer,
  promisingMore,
  silent,
  startFaultyProxy,
  trickling,
} from '#test/faulty-proxy'
import { needs } from '#test/needs'
import { makeBucket, type TestBucket } from '#test/s3'

/** In ms, instead of 3 s and 15 s. */
const PATIENCE = { connectMs: 300, idleMs: 600 }
/** Three tries, the waits between them, and a slow machine. */
const BOUND_MS = 5_000
/** Below and above the size from which the SDK asks first whether it may send. */
const SIZES = [1000, 3 * MIB]

describe('a server that fails', needs('s3'), () => {
  let bucket: TestBucket
  let proxy: FaultyProxy
  let client: S3Client
  let prefix: string
  let files: Omit<FileStore, 'location'>
  const lines: string[] = []
  const key = aKey()
  const bytes = randomBytes(3 * MIB)

  /** A new one for each test: after many failures in a row the SDK stops retrying until a request succeeds. */
  function open(): void {
    const options = bucket.options()
    client = createClient({ ...options, endpoint: proxy.url }, PATIENCE)
    const log = createLog('debug', 'json', (line) => void lines.push(line))
    files = createS3FileStore(client, { bucket: bucket.bucket, prefix, encryption: undefined }, log)
  }
  beforeAll(async () => {
    bucket = await makeBucket()
    const options = bucket.options()
    prefix = options.prefix
    proxy = await startFaultyProxy(options.endpoint)
    open()
    await put(files, key, bytes)
  })
  afterAll(async () => {
    await proxy.close()
    await bucket.drop()
  })
  beforeEach(() => {
    proxy.fail(null)
    open()
  })
  afterEach(() => client.destroy())

  const calls = {
    get: () => files.get(key),
    put: () => put(files, key, randomBytes(1000)),
    'large put': () => put(files, key, randomBytes(3 * MIB)),
    delete: () => files.delete(key),
    list: () => keysOf(files),
    ping: () => files.ping(),
  }
  const everyCall = Object.keys(calls) as (keyof typeof calls)[]

  /** Error code of the rejection, which must come quickly. */
  async function codeOf(work: () => Promise<unknown>): Promise<string> {
    const begun = Date.now()
    const outcome = await work().then(
      () => 'no error',
      (error) => error.code ?? error,
    )
    expect(Date.now() - begun).toBeLessThan(BOUND_MS)
    return outcome
  }

  const faults: [name: string, fault: Fault, tries: number][] = [
    ['500', answering(500, 'InternalError'), 3],
    ['503', answering(503, 'ServiceUnavailable'), 3],
    ['a bare 502', answering(502), 3],
    ['403', answering(403, 'AccessDenied'), 1],
    ['a wrong signature', answering(403, 'SignatureDoesNotMatch'), 1],
    ['no such bucket', answering(404, 'NoSuchBucket'), 1],
    ['a bare 404', answering(404), 1],
    ['a 400', answering(400, 'InvalidRequest'), 1],
    ['an answer that is cut before it begins', hangingUp, 3],
    ['silence', silent, 3],
  ]
  describe.each(faults)('%s', (name, fault, tries) => {
    test.each(everyCall)('%s is unavailable', async (call) => {
      proxy.fail(fault)
      expect(await codeOf(calls[call])).toBe('file.unavailable')
      // The body of a put is read once. A ping that is denied tries to write.
      const isProbed = call === 'ping' && ['403', 'a wrong signature'].includes(name)
      expect(proxy.seen()).toHaveLength(call.includes('put') ? 1 : isProbed ? 2 : tries)
    })
  })

  test('REL-08: no failure lost a blob', async () => {
    expect(bytes.equals(await contentOf(files, key))).toBe(true)
    expect(await keysOf(files)).toEqual([key])
  })

  test('a request that fails once is retried', async () => {
    for (const fault of [answering(500, 'InternalError'), hangingUp, silent]) {
      proxy.fail(fault, 1)
      expect(bytes.equals(await contentOf(files, key))).toBe(true)
      proxy.fail(fault, 2)
      expect(await keysOf(files)).toEqual([key])
    }
  })

  test('REL-08: file.not_found follows only a 404 of the S3 server itself', async () => {
    proxy.fail(answering(404, 'NoSuchKey'))
    expect(await codeOf(calls.get)).toBe('file.not_found')
    expect(await codeOf(calls.delete)).toBe('no error')
    expect(await codeOf(calls.put)).toBe('file.unavailable')
    proxy.fail(answering(500, 'NoSuchKey'))
    expect(await codeOf(calls.get)).toBe('file.unavailable')
  })

  test.each([
    [507, 'XMinioStorageFull'],
    [507, undefined],
    [403, 'QuotaExceeded'],
    [413, 'EntityTooLarge'],
  ])('status %i %s fails with file.no_space', async (status, code) => {
    proxy.fail(answering(status, code))
    for (const size of SIZES) expect(await codeOf(() => put(files, aKey(), randomBytes(size)))).toBe('file.no_space')
    expect(await codeOf(calls.get)).toBe('file.unavailable')
  })

  test.each(SIZES)('REL-08: a put of %i bytes whose response is lost can be repeated', async (size) => {
    const lost = aKey()
    const body = randomBytes(size)
    proxy.fail(losingTheAnswer)
    expect(await codeOf(() => put(files, lost, body))).toBe('file.unavailable')
    proxy.fail(null)
    expect(body.equals(await contentOf(files, lost))).toBe(true)
    await put(files, lost, body)
    await files.delete(lost)
  })

  test.each([
    ['cut in the middle', breakingOff(MIB, 'cut')],
    ['stalled in the middle', breakingOff(MIB, 'stall')],
    ['cut before the last byte', breakingOff(3 * MIB - 1, 'cut')],
    ['shorter than announced', promisingMore(1)],
  ])(
    'a blob that is %s fails before its end',
    async (_, fault) => {
      proxy.fail(fault)
      const stream = await files.get(key)
      await expect(buffer(stream)).rejects.toThrow()
    },
    10_000,
  )

  test('a truncated list fails', async () => {
    proxy.fail(breakingOff(50, 'cut'))
    expect(await codeOf(calls.list)).toBe('file.unavailable')
  })

  test('a slow transfer completes', async () => {
    proxy.fail(trickling(10, PATIENCE.idleMs / 3))
    expect(bytes.equals(await contentOf(files, key))).toBe(true)
  })

  test.each(SIZES)('a put of %i bytes to a stalled server times out and does not read ahead', async (size) => {
    proxy.fail(silent)
    let sent = 0
    const body = endlessBody(64 * MIB).map((chunk: Buffer) => {
      sent += chunk.length
      return chunk
    })
    expect(await codeOf(() => files.put(aKey(), body, size === 1000 ? MIB : 64 * MIB))).toMatch(
      /file\.unavailable|request\.invalid/,
    )
    expect(sent).toBeLessThan(16 * MIB)
  })

  test('an unreachable server fails with file.unavailable', async () => {
    await proxy.down()
    for (const call of everyCall) expect(await codeOf(calls[call])).toBe('file.unavailable')
    await proxy.up()
    await files.ping()
    expect(bytes.equals(await contentOf(files, key))).toBe(true)
  })

  test('SEC-33: log and errors contain neither credentials, keys nor server messages', async () => {
    const errors: unknown[] = []
    for (const fault of [answering(500, 'InternalError'), answering(403, 'AccessDenied'), answering(404), hangingUp]) {
      proxy.fail(fault)
      for (const call of everyCall) errors.push(await calls[call]().catch((error: unknown) => error))
    }
    const told = inspect(errors, { depth: 10, showHidden: true }) + lines.join('')
    expect(errors).toHaveLength(24)
    expect(told).toContain('InternalError')
    const { accessKeyId, secretAccessKey } = bucket.options()
    for (const canary of [accessKeyId, secretAccessKey, prefix, key, 'hunter2', 'AWS4', 'ignature=', proxy.url]) {
      expect(told).not.toContain(canary)
    }
  })
})
