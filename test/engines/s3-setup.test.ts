/** A server does not start on a bucket that it cannot use, or that others can read; one sentence says why. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '#core/runtime'
import { openFileStore } from '#core/testing'
import { aKey, contentOf, keysOf, put } from '#core/testing/file-store/blobs'
import s3 from '#plugins/s3/index'
import { answering, type Fault, type FaultyProxy, startFaultyProxy } from '#test/faulty-proxy'
import { needs } from '#test/needs'
import { makeBucket, type S3Options, type TestBucket } from '#test/s3'

describe('the bucket', needs('s3'), () => {
  let bucket: TestBucket
  let proxy: FaultyProxy
  beforeAll(async () => {
    bucket = await makeBucket()
    proxy = await startFaultyProxy(bucket.options().endpoint)
  })
  afterEach(() => proxy.fail(null))
  afterAll(async () => {
    await proxy.close()
    await bucket.drop()
  })
  const start = (differing: Partial<S3Options> = {}) =>
    openFileStore(s3, { options: { ...bucket.options(proxy.url), ...differing } })

  test('a valid bucket is not changed and is logged without credentials', async () => {
    const options = bucket.options(proxy.url)
    const { files, close } = await openFileStore(s3, { options: { ...options } })
    expect(await bucket.objects()).toEqual([])
    expect(files.location).toBe(`${proxy.url} ${bucket.bucket}/${options.prefix}`)
    await close()
  })

  test('V13.1.1: instances share a bucket by prefix, and other objects are kept', async () => {
    const options = bucket.options()
    const { files, close } = await openFileStore(s3, { options: { ...options } })
    const { files: whole } = await openFileStore(s3, { options: { ...options, prefix: '' } })
    const key = aKey()
    await put(files, key, Buffer.from('☃'))
    expect(await bucket.objects()).toEqual([options.prefix + key])
    expect(await keysOf(whole)).toEqual([])
    await whole.delete(key)
    expect(await keysOf(files)).toEqual([key])
    await files.delete(key)
    await close()
  })

  const wrong: [name: string, differing: Partial<S3Options>, sentence: RegExp][] = [
    ['is not there', { bucket: 'mayfly-nowhere' }, /^cannot list bucket "mayfly-nowhere": there is no such bucket$/],
    ['is out of reach', { endpoint: 'http://127.0.0.1:1' }, /^cannot list .*: it does not answer \(ECONNREFUSED\)$/],
    ['refuses the secret', { secretAccessKey: 'hunter2' }, /^cannot list .*: the secret does not fit the access key$/],
    ['does not know the key', { accessKeyId: 'test:nobody' }, /^cannot list bucket ".*": /],
    [
      'comes with half of the credentials',
      { secretAccessKey: '' },
      /^accessKeyId and secretAccessKey belong together$/,
    ],
  ]
  test.each(wrong)('a bucket that %s stops the start', async (_, differing, sentence) => {
    const error = await start(differing).catch((each) => each)
    expect(error.message).toMatch(sentence)
    expect(error.message).not.toMatch(/hunter2|testing-secret/)
  })

  test.each([
    ['write to', 'PUT'],
    ['read from', 'GET'],
    ['delete from', 'DELETE'],
  ])('REL-27: a bucket without permission to %s stops the start', async (verb, method) => {
    const refuse: Fault = (request, response, pass) =>
      request.method === method && request.headers.authorization && !asksForBucket(request)
        ? answering(403, 'AccessDenied')(request, response, pass)
        : passing(response, pass)
    proxy.fail(refuse)
    await expect(start()).rejects.toThrow(`cannot ${verb} bucket "${bucket.bucket}": these credentials do not allow it`)
  })

  test('REL-27: an access key that is limited to the prefix starts, is ready and stores files', async () => {
    const requests: string[] = []
    let deniesAll = false
    proxy.fail((request, response, pass) => {
      requests.push(asksForBucket(request) ? 'bucket' : (request.method ?? ''))
      const isDenied = deniesAll || asksForBucket(request)
      return isDenied ? answering(403, 'AccessDenied')(request, response, pass) : passing(response, pass)
    })
    const lines: string[] = []
    const log = createLog('warn', 'text', (line) => void lines.push(line))
    const options = bucket.options(proxy.url)
    const { files, close } = await openFileStore(s3, { options: { ...options }, log })
    expect(lines).toEqual([expect.stringContaining('the bucket cannot be listed')])
    requests.splice(0)
    for (let probes = 0; probes < 5; probes++) await files.ping()
    // Each ping asks whether the server responds; the object is written once in a minute.
    expect(requests.filter((each) => each !== 'bucket')).toEqual(['PUT', 'GET', 'DELETE'])
    expect(requests.filter((each) => each === 'bucket')).toHaveLength(5)
    expect(lines).toHaveLength(1)
    const key = aKey()
    await put(files, key, Buffer.from('☃'))
    expect((await contentOf(files, key)).toString()).toBe('☃')
    await files.delete(key)
    expect((await bucket.objects()).filter((name) => name.startsWith(options.prefix))).toEqual([])
    await close()

    const denied = await openFileStore(s3, { options: { ...options } })
    deniesAll = true
    await expect(denied.files.ping()).rejects.toMatchObject({ code: 'file.unavailable' })
    await denied.close()
  })

  test.each([
    ['list', /list-type/],
    ['read', /mayfly-probe/],
  ])('SEC-33: a bucket that is public to %s stops the start', async (_, url) => {
    proxy.fail((request, response, pass) => {
      if (request.headers.authorization || !url.test(request.url ?? '')) return passing(response, pass)
      response.end(url.test('list-type') ? '<ListBucketResult></ListBucketResult>' : '')
    })
    const { prefix } = bucket.options()
    await expect(start({ prefix })).rejects.toThrow(/^bucket ".*" is public: it can be read without credentials$/)
    expect((await bucket.objects()).filter((name) => name.startsWith(prefix))).toEqual([])
  })

  test('SEC-33: a real server refuses reads without credentials', async () => {
    const { endpoint } = bucket.options()
    for (const path of [`/${bucket.bucket}`, `/${bucket.bucket}?list-type=2`, `/${bucket.bucket}/${aKey()}`]) {
      expect((await fetch(endpoint + path)).status).toBeGreaterThanOrEqual(400)
    }
  })
})

/** Listing and HEAD of the bucket, which have no key of an object in the path. */
const asksForBucket = ({ url = '' }: Parameters<Fault>[0]): boolean => /^\/[^/]+\/?(\?|$)/.test(url)

async function passing(response: Parameters<Fault>[1], pass: Parameters<Fault>[2]): Promise<void> {
  const answer = await pass()
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  answer.pipe(response)
}

test.each([
  ['endpoint', 'https://key:hunter2@s3.example.org'],
  ['endpoint', 's3.example.org'],
  ['endpoint', 'ftp://s3.example.org'],
  ['endpoint', 'https://s3.example.org?key=hunter2'],
  ['bucket', ''],
  ['bucket', 'a/b'],
  ['bucket', '../etc'],
  ['prefix', '/files'],
  ['prefix', 'fi les/'],
  ['serverSideEncryption', 'rot13'],
])('%s %j is refused and not repeated in the message', (field, value) => {
  const { success, error } = s3.options.safeParse({ bucket: 'files', [field]: value })
  expect(success).toBe(false)
  expect(error?.issues).toEqual([expect.objectContaining({ path: [field] })])
  expect(error?.message).not.toContain('hunter2')
})
