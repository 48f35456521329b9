/** Files over HTTP: uploads, attachments, tickets, quotas and cleanup. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { fileCalls, MAX_PART, partsOf } from '#test/file-calls'
import { forEachStorage } from '#test/for-each-storage'
import { newClaim } from '../shared/crypto/keys.js'

const HOUR = 60 * 60_000

forEachStorage((site) => {
  const { base, call, begin, upload, share, view, download, blobs } = fileCalls(site)

  test('files are uploaded in parts, attached to a secret and downloaded with the tickets of a view', async () => {
    const [one, two] = [randomBytes(MAX_PART + 1000), randomBytes(5)]
    const uploads = [await upload(one), await upload(two)]
    const { id, access, answer } = await share(uploads)
    expect(answer.status).toBe(201)
    expect((await fetch(`${base()}/secret/${id}/exist`, { headers: { 'mayfly-access': access } })).status).toBe(200)
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

  test('a claim gets the same tickets again, another claim gets others', async () => {
    const { id, access } = await share([await upload(randomBytes(9))], { maxViews: 3 })
    const [claim, other] = [newClaim(), newClaim()]
    const first = await view(id, access, claim)
    const again = await view(id, access, claim)
    expect(again.bytes.equals(first.bytes)).toBe(true)
    expect((await view(id, access, other)).json.files[0].key).not.toBe(first.json.files[0].key)
  })

  test('a ticket opens one file of one secret for 15 minutes', async () => {
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
    site.app.clock.now += 900_000 - 1
    await site.app.services.cleanup.run()
    expect((await download(key, id)).status).toBe(200)
    site.app.clock.now += 1
    expect((await download(key, id)).json).toMatchObject(gone)
    // It was the last view, so the files are deleted; the other secret is unchanged.
    await site.app.services.cleanup.run()
    expect(await blobs()).toHaveLength(1)
  })

  test('a ticket ends when its secret expires', async () => {
    const { id, access } = await share([await upload(randomBytes(9))], { maxViews: 5 })
    site.app.clock.now += HOUR - 1000
    const { json } = await view(id, access)
    site.app.clock.now += 999
    expect((await download(json.files[0].key, id)).status).toBe(200)
    site.app.clock.now += 1
    expect((await download(json.files[0].key, id)).status).toBe(404)
    await site.app.services.cleanup.run()
    expect(await blobs()).toEqual([])
  })

  test('burning a secret ends its tickets and deletes its files', async () => {
    const { id, access } = await share([await upload(randomBytes(9))], { maxViews: 5 })
    const { json } = await view(id, access)
    expect((await call('POST', `/secret/${id}/burn`, { body: { access } })).status).toBe(200)
    expect((await download(json.files[0].key, id)).status).toBe(404)
    await expect.poll(blobs).toEqual([])
  })

  test('GET /files/:id lists the stored parts, and a part can be sent again', async () => {
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

  test('only the upload token can continue, list, cancel or attach an upload', async () => {
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

  test('canceling an upload deletes its blobs', async () => {
    const { id, token } = await upload(randomBytes(9))
    expect((await call('DELETE', `/files/${id}`, { token })).status).toBe(204)
    expect((await call('DELETE', `/files/${id}`, { token })).status).toBe(404)
    await expect.poll(blobs).toEqual([])
  })

  test('an upload that is not attached ends an hour after its last part', async () => {
    const bytes = randomBytes(MAX_PART + 9)
    const { id, token } = await begin(bytes.length)
    const [first, second] = partsOf(bytes)
    site.app.clock.now += HOUR - 1
    expect((await call('PUT', `/files/${id}/0`, { token, octets: first as Buffer })).status).toBe(204)
    site.app.clock.now += HOUR - 1
    await site.app.services.cleanup.run()
    expect((await call('PUT', `/files/${id}/1`, { token, octets: second as Buffer })).status).toBe(204)
    site.app.clock.now += HOUR
    expect((await call('GET', `/files/${id}`, { token })).status).toBe(404)
    await site.app.services.cleanup.run()
    expect(await blobs()).toEqual([])
  })

  test('uploads can be turned off for everyone or for visitors, on every endpoint', async () => {
    const begun = await upload(randomBytes(9))
    await site.app.storage.settings.set({ disable_file_upload: 'true' })
    site.app.clock.now += 2000
    const off = { statusCode: 403, code: 'settings.uploads_disabled' }
    expect((await call('POST', '/files', { body: { size: 9, parts: 1 } })).json).toMatchObject(off)
    expect(
      (await call('PUT', `/files/${begun.id}/0`, { token: begun.token, octets: randomBytes(9) })).json,
    ).toMatchObject(off)
    expect((await share([begun])).answer.json).toMatchObject(off)
    expect((await call('GET', '/settings')).json).toMatchObject({ uploads: false, disable_file_upload: true })
    await site.app.storage.settings.set({ disable_file_upload: 'false', read_only: 'true' })
    site.app.clock.now += 2000
    const readOnly = { statusCode: 403, code: 'settings.read_only' }
    expect((await call('POST', '/files', { body: { size: 9, parts: 1 } })).json).toMatchObject(readOnly)
    await site.app.storage.settings.set({ disable_file_upload: 'false', read_only: 'false' })
    await site.restart({ settings: { visitorUploads: false } })
    const refused = { statusCode: 403, code: 'file.visitors_refused' }
    expect((await call('POST', '/files', { body: { size: 9, parts: 1 } })).json).toMatchObject(refused)
    expect((await share([begun])).answer.json).toMatchObject(refused)
    expect((await call('GET', '/settings')).json).toMatchObject({ uploads: false, disable_file_upload: false })
  })

  test('an address has a limit of open uploads and a daily quota', async () => {
    await site.restart({ settings: { maxOpenUploads: 2, visitorBytesPerDay: 100, maxFiles: 1 } })
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
    site.app.clock.now += 24 * HOUR
    expect((await call('POST', '/files', { body: { size: 100, parts: 1 } })).status).toBe(201)
  })

  test('large texts of visitors count toward the daily quota', async () => {
    await site.restart({ settings: { visitorBytesPerDay: 200_000 } })
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
    const token = await site.app.tokenOf(await site.app.signUp())
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ text: 'x'.repeat(large), ttl: 60, isPublic: true })
    expect((await fetch(`${base()}/secret`, { method: 'POST', headers, body })).status).toBe(201)
    expect((await call('GET', '/secret/public')).json).toHaveLength(5)
    site.app.clock.now += 24 * HOUR
    expect((await create(large)).status).toBe(201)
  })

  describe('a small file inside the create request', () => {
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
    ])('of a %s secret has its name, and its download is the file itself', async (kind, more) => {
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

    test('of a raw secret is stored encrypted and opens only with the whole id', async () => {
      const { json: created } = await create()
      const [lookup] = created.id.split('~')
      const { json } = await call('GET', `/secret/${created.id}`)
      for (const key of await blobs()) {
        const stored = Buffer.concat((await (await site.app.files?.get(key))?.toArray()) ?? [])
        expect(stored.toString('latin1')).toMatch(/^age-encryption.org/)
      }
      expect((await site.app.storage.attachments.ofSecret(lookup, site.app.clock.now)).map(({ name }) => name)).toEqual(
        [null, null],
      )
      const other = `${lookup}~${randomBytes(32).toString('base64url')}`
      expect((await download(json.files[0].key, other)).json).toMatchObject({ code: 'file.not_found' })
      expect((await download(json.files[0].key, lookup)).bytes.includes(content)).toBe(false)
    })

    test('is refused when uploads are off, its name is invalid or it is too large', async () => {
      expect((await create({ files: [{ name: '', content: '' }] })).json).toMatchObject({ field: 'files.0.name' })
      expect((await create({ files: [{ name: 'a\nb', content: '' }] })).json).toMatchObject({ field: 'files.0.name' })
      const large = [{ name: 'large', content: Buffer.alloc(2 ** 20 + 1).toString('base64') }]
      expect((await create({ files: large })).json).toMatchObject({ statusCode: 413, field: 'files' })
      await site.app.storage.settings.set({ disable_file_upload: 'true' })
      site.app.clock.now += 2000
      expect((await create()).json).toMatchObject({ code: 'settings.uploads_disabled' })
      expect(await blobs()).toEqual([])
    })

    test('is stored once when the create is repeated', async () => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'ein-mal' }
      const body = JSON.stringify({ text: 'raw ☃', ttl: 3600, files })
      const answers = await Promise.all(
        Array.from({ length: 5 }, () =>
          fetch(`${base()}/secret`, { method: 'POST', headers, body }).then((r) => r.text()),
        ),
      )
      expect(new Set(answers).size).toBe(1)
      await site.app.services.cleanup.run()
      expect(await blobs()).toHaveLength(2)
    })
  })

  test('reconciling deletes old blobs without a row and keeps those with a row', async () => {
    await upload(randomBytes(9))
    const kept = await blobs()
    await site.app.files?.put('0123456789abcdef0123456700000000', Readable.from([Buffer.from('x')]), 1)
    site.app.clock.now = Date.now() + HOUR / 2
    expect(await site.app.services.cleanup.reconcile()).toBe(0)
    site.app.clock.now = Date.now() + HOUR + 60_000
    expect(await site.app.services.cleanup.reconcile()).toBe(1)
    expect(await blobs()).toEqual(kept)
  })
})
