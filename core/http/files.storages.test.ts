/** Files over HTTP: uploads, attachments, tickets, quotas and cleanup. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { fileCalls, MAX_PART, partsOf } from '#test/file-calls'
import { forEachStorage } from '#test/for-each-storage'
import { SHARED_FACTORS } from '../attachments/quotas.js'
import { newClaim } from '../shared/crypto/keys.js'

const HOUR = 60 * 60_000

forEachStorage((site) => {
  const { base, call, begin, upload, share, view, download, blobs } = fileCalls(site)

  test.each(['burnToken', 'owner', 'admin'])(
    'a used-up secret whose files are downloaded is burned once by %s',
    async (by) => {
      const [owner, admin] = [await site.app.signUp(), await site.app.signUp({ role: 'admin' })]
      const { id, access, response } = await share([await upload(randomBytes(9))], {}, await site.app.as(owner))
      const claim = newClaim()
      const { json } = await view(id, access, claim)
      await call('POST', `/secret/${id}/ack`, { body: { access, claim } })
      site.app.clock.now += HOUR / 6
      await site.app.background.cleanup.run()
      expect((await download(json.files[0].key, id)).status).toBe(200)
      const others = [
        { body: { access } },
        { body: { burnToken: access } },
        { body: {}, headers: await site.app.as(await site.app.signUp()) },
      ]
      const unknown = await call('POST', `/secret/${randomBytes(16).toString('hex').slice(0, 22)}/burn`, others[0])
      for (const other of others) {
        const refused = await call('POST', `/secret/${id}/burn`, other)
        expect([refused.status, refused.json.code, refused.json.message]).toEqual([
          404,
          'secret.not_found',
          unknown.json.message,
        ])
      }
      const allowed = {
        burnToken: { body: { burnToken: response.json.burnToken } },
        owner: { body: {}, headers: await site.app.as(owner) },
        admin: { body: {}, headers: await site.app.as(admin) },
      }[by]
      site.app.emitted.length = 0
      const burns = await Promise.all([1, 2, 3].map(() => call('POST', `/secret/${id}/burn`, allowed)))
      expect(burns.map(({ status }) => status).sort()).toEqual([200, 404, 404])
      expect((await download(json.files[0].key, id)).json).toMatchObject({ statusCode: 404, code: 'file.not_found' })
      // The last view has reported the end of the secret.
      expect(site.app.emitted.filter(([event]) => event === 'secret.burned')).toEqual([])
      await expect.poll(blobs).toEqual([])
    },
  )

  test('an account has a daily quota for files and large texts, over all its sessions and tokens', async () => {
    await site.restart({ settings: { userBytesPerDay: 200_000 } })
    const user = await site.app.signUp()
    const session = await site.app.as(user)
    const token = { authorization: `Bearer ${await site.app.tokenOf(user)}` }
    const usage = async (headers = session) => (await call('GET', '/account/usage', { headers })).json
    expect(await usage()).toEqual({ usedBytes: 0, limitBytes: 200_000, endsAt: null })
    const start = (size: number, headers: Record<string, string> = session) =>
      call('POST', '/files', { body: { size, parts: 1 }, headers })
    const endsAt = site.app.clock.now + 24 * HOUR
    expect((await start(100_000)).status).toBe(201)
    const text = { text: 'x'.repeat(90_000), ttl: 60, isPublic: true }
    expect((await call('POST', '/secret', { body: text, headers: token })).status).toBe(201)
    site.app.clock.now += HOUR
    expect(await usage(token)).toEqual({ usedBytes: 190_000, limitBytes: 200_000, endsAt })
    const usedUp = {
      statusCode: 429,
      code: 'file.quota_used_up',
      retryAfter: 23 * 3600,
      message: expect.stringContaining('200000 bytes'),
    }
    for (const headers of [session, token]) expect((await start(10_001, headers)).json).toMatchObject(usedUp)
    expect((await call('POST', '/secret', { body: text, headers: token })).json).toMatchObject(usedUp)
    const parallel = await Promise.all(Array.from({ length: 8 }, (_, at) => start(4000, at % 2 ? session : token)))
    expect(parallel.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429, 429, 429, 429, 429])
    expect((await start(10_001, await site.app.as(await site.app.signUp()))).status).toBe(201)
    expect((await start(10_001, {})).status).toBe(201)
    site.app.clock.now += 23 * HOUR
    expect(await usage()).toEqual({ usedBytes: 0, limitBytes: 200_000, endsAt: null })
    expect((await start(200_000)).status).toBe(201)
  })

  test('all files together have a limit, and deleted files free their bytes', async () => {
    await site.restart({ settings: { instanceBytes: 100 } })
    const admin = await site.app.as(await site.app.signUp({ role: 'admin' }))
    const usage = async () => (await call('GET', '/admin/overview', { headers: admin })).json.storage
    expect(await usage()).toEqual({ usedBytes: 0, limitBytes: 100 })
    const { id, access } = await share([await upload(randomBytes(60))])
    const callers = [{}, admin, await site.app.as(await site.app.signUp())]
    const full = { statusCode: 507, code: 'file.no_space', message: expect.stringContaining('100 bytes') }
    for (const headers of callers) {
      expect((await call('POST', '/files', { body: { size: 41, parts: 1 }, headers })).json).toMatchObject(full)
    }
    const inline = {
      text: '☃',
      ttl: 60,
      isPublic: true,
      files: [{ name: 'a', content: randomBytes(41).toString('base64') }],
    }
    expect((await call('POST', '/secret', { body: inline })).json).toMatchObject(full)
    // The operator reads the name of the setting, and others do not.
    const refused = site.app.logged.filter((line) => line.includes('"code":"file.no_space"'))
    expect(refused).toHaveLength(4)
    for (const line of refused) expect(line).toMatch(/"level":"warn".*"hint":"raise instanceBytes, or delete secrets"/)
    expect(JSON.stringify((await call('POST', '/secret', { body: inline })).json)).not.toContain('instanceBytes')
    const parallel = await Promise.all(
      Array.from({ length: 9 }, (_, at) =>
        call('POST', '/files', { body: { size: 20, parts: 1 }, headers: callers[at % 3] ?? {} }),
      ),
    )
    expect(parallel.filter(({ status }) => status === 201)).toHaveLength(2)
    expect(await usage()).toEqual({ usedBytes: 100, limitBytes: 100 })
    expect((await call('POST', '/secret', { body: { text: '☃', ttl: 60, isPublic: true } })).status).toBe(201)
    await call('POST', `/secret/${id}/burn`, { body: { access } })
    await expect.poll(usage).toEqual({ usedBytes: 40, limitBytes: 100 })
    expect((await call('POST', '/files', { body: { size: 60, parts: 1 } })).status).toBe(201)
  })

  describe('a small file inside the create request', () => {
    const content = Buffer.from('Schlüssel ☃ 🗝')
    const files = [
      { name: 'Schlüssel ☃.txt', type: 'text/plain', content: content.toString('base64') },
      { name: 'leer', content: '' },
    ]
    const create = (more: object = {}) =>
      call('POST', '/secret', { body: { text: 'raw ☃', ttl: 3600, files, ...more } })

    test('is stored once when the create is repeated', async () => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'ein-mal' }
      const body = JSON.stringify({ text: 'raw ☃', ttl: 3600, files })
      const responses = await Promise.all(
        Array.from({ length: 5 }, () =>
          fetch(`${base()}/secret`, { method: 'POST', headers, body }).then((r) => r.text()),
        ),
      )
      expect(new Set(responses).size).toBe(1)
      await site.app.background.cleanup.run()
      expect(await blobs()).toHaveLength(2)
    })

    site.once(() => {
      test.each([
        ['raw', {}],
        ['public', { isPublic: true, maxViews: 1 }],
      ])('of a %s secret has its name, and its download is the file itself', async (kind, more) => {
        const { json: created } = await create(more)
        expect(created).toMatchObject({ kind })
        expect((await call('GET', `/secret/${created.id}/exist`)).json).toMatchObject({ files: 2 })
        const { json } = await call('GET', `/secret/${created.id}`)
        const rawBytes = 'application/octet-stream'
        const ticket = { id: expect.any(String), key: expect.any(String), parts: 1 }
        expect(json).toMatchObject({ text: 'raw ☃' })
        expect(json.files).toEqual([
          { ...ticket, name: 'Schlüssel ☃.txt', type: 'text/plain', size: content.length },
          { ...ticket, name: 'leer', type: rawBytes, size: 0 },
        ])
        for (const part of [undefined, 0]) {
          expect((await download(json.files[0].key, created.id, part)).bytes).toEqual(content)
          expect((await download(json.files[1].key, created.id, part)).bytes).toEqual(Buffer.alloc(0))
        }
        expect((await download(json.files[0].key, created.id, 1)).json).toMatchObject({ field: 'part' })
      })

      test('CRY-09: of a raw secret is stored encrypted and opens only with the whole id', async () => {
        const { json: created } = await create()
        const [lookup] = created.id.split('~')
        const { json } = await call('GET', `/secret/${created.id}`)
        for (const key of await blobs()) {
          const stored = Buffer.concat((await (await site.app.files?.get(key))?.toArray()) ?? [])
          expect(stored.toString('latin1')).toMatch(/^age-encryption.org/)
        }
        expect(
          (await site.app.storage.attachments.listBySecret(lookup, site.app.clock.now)).map(({ name }) => name),
        ).toEqual([null, null])
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
    })
  })

  site.once(() => {
    test('SEC-04: files are uploaded in parts, attached to a secret and downloaded with the tickets of a view', async () => {
      const [one, two] = [randomBytes(MAX_PART + 1000), randomBytes(5)]
      const uploads = [await upload(one), await upload(two)]
      const { id, access, response } = await share(uploads)
      expect(response.status).toBe(201)
      expect((await fetch(`${base()}/secret/${id}/exist`, { headers: { 'mayfly-access': access } })).status).toBe(200)
      const { json } = await view(id, access)
      expect(json.files).toEqual([
        { id: uploads[0]?.id, size: one.length, parts: 2, key: expect.stringMatching(/^[\w-]{43}$/) },
        { id: uploads[1]?.id, size: 5, parts: 1, key: expect.stringMatching(/^[\w-]{43}$/) },
      ])
      const [first, second] = json.files
      for (const [index, rawBytes] of partsOf(one).entries()) {
        const { bytes, headers } = await download(first.key, id, index)
        expect(bytes.equals(rawBytes)).toBe(true)
        expect(headers.get('content-type')).toBe('application/octet-stream')
        expect(headers.get('content-disposition')).toBe('attachment; filename="download.bin"')
        expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
        expect(headers.get('cache-control')).toBe('no-store')
      }
      expect((await download(second.key, id, 0)).bytes).toEqual(two)
      // All at once: each behind its length.
      const framed = Buffer.concat(
        partsOf(one).flatMap((rawBytes) => {
          const length = Buffer.alloc(4)
          length.writeUInt32BE(rawBytes.length)
          return [length, rawBytes]
        }),
      )
      const whole = await download(first.key, id)
      expect(whole.headers.get('content-length')).toBe(String(framed.length))
      expect(whole.bytes.equals(framed)).toBe(true)
    })

    test('a repeated claim gets the same tickets, another claim gets others', async () => {
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
      await site.app.background.cleanup.run()
      expect((await download(key, id)).status).toBe(200)
      site.app.clock.now += 1
      expect((await download(key, id)).json).toMatchObject(gone)
      // It was the last view, so the files are deleted; the other secret is unchanged.
      await site.app.background.cleanup.run()
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
      await site.app.background.cleanup.run()
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
        await call('PUT', `/files/${id}/${index}`, { token, rawBytes: parts[index] as Buffer })
      }
      expect((await call('GET', `/files/${id}`, { token })).json).toEqual({ parts: [0, 2] })
      const incomplete = await share([{ id, token }])
      expect(incomplete.response.json).toMatchObject({ statusCode: 409, code: 'file.incomplete', field: 'files.0' })
      await call('PUT', `/files/${id}/1`, { token, rawBytes: parts[1] as Buffer })
      expect((await share([{ id, token }])).response.status).toBe(201)
      // It belongs to the secret now.
      expect((await call('GET', `/files/${id}`, { token })).json).toMatchObject({ code: 'file.not_found' })
      expect((await share([{ id, token }])).response.json).toMatchObject({ code: 'file.not_found', field: 'files.0' })
    })

    test('only the upload token can continue, list, cancel or attach an upload', async () => {
      const mine = await begin(9)
      const { token } = await begin(9)
      for (const [method, path] of [
        ['PUT', `/files/${mine.id}/0`],
        ['GET', `/files/${mine.id}`],
        ['DELETE', `/files/${mine.id}`],
      ] as const) {
        const rawBytes = method === 'PUT' ? randomBytes(9) : undefined
        const options = rawBytes ? { rawBytes } : {}
        const refused = { statusCode: 404, code: 'file.not_found' }
        expect((await call(method, path, { token, ...options })).json).toMatchObject(refused)
        expect((await call(method, path, options)).json).toMatchObject(refused)
        expect((await call(method, path.replace(mine.id, 'A'.repeat(22)), { token, ...options })).json).toMatchObject(
          refused,
        )
      }
      expect((await share([{ id: mine.id, token }])).response.json).toMatchObject({ code: 'file.not_found' })
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
      expect((await call('PUT', `/files/${id}/0`, { token, rawBytes: first as Buffer })).status).toBe(204)
      site.app.clock.now += HOUR - 1
      await site.app.background.cleanup.run()
      expect((await call('PUT', `/files/${id}/1`, { token, rawBytes: second as Buffer })).status).toBe(204)
      site.app.clock.now += HOUR
      expect((await call('GET', `/files/${id}`, { token })).status).toBe(404)
      await site.app.background.cleanup.run()
      expect(await blobs()).toEqual([])
    })

    test('a repeated part does not extend its upload', async () => {
      const rawBytes = randomBytes(9)
      const { id, token } = await begin(rawBytes.length)
      const put = async () => (await call('PUT', `/files/${id}/0`, { token, rawBytes })).status
      expect(await put()).toBe(204)
      site.app.clock.now += HOUR - 1
      expect(await put()).toBe(204)
      site.app.clock.now += 1
      expect(await put()).toBe(404)
    })

    test('uploads can be turned off for everyone or for visitors, on every endpoint', async () => {
      const begun = await upload(randomBytes(9))
      await site.app.storage.settings.set({ disable_file_upload: 'true' })
      site.app.clock.now += 2000
      const off = { statusCode: 403, code: 'settings.uploads_disabled' }
      expect((await call('POST', '/files', { body: { size: 9, parts: 1 } })).json).toMatchObject(off)
      expect(
        (await call('PUT', `/files/${begun.id}/0`, { token: begun.token, rawBytes: randomBytes(9) })).json,
      ).toMatchObject(off)
      expect((await share([begun])).response.json).toMatchObject(off)
      expect((await call('GET', '/settings')).json).toMatchObject({ uploads: false, disable_file_upload: true })
      await site.app.storage.settings.set({ disable_file_upload: 'false', read_only: 'true' })
      site.app.clock.now += 2000
      const readOnly = { statusCode: 403, code: 'settings.read_only' }
      expect((await call('POST', '/files', { body: { size: 9, parts: 1 } })).json).toMatchObject(readOnly)
      await site.app.storage.settings.set({ disable_file_upload: 'false', read_only: 'false' })
      await site.restart({ settings: { visitorUploads: false } })
      const refused = { statusCode: 403, code: 'file.visitors_refused' }
      expect((await call('POST', '/files', { body: { size: 9, parts: 1 } })).json).toMatchObject(refused)
      expect((await share([begun])).response.json).toMatchObject(refused)
      expect((await call('GET', '/settings')).json).toMatchObject({ uploads: false, disable_file_upload: false })
    })

    test('uploads are off when a secret may have no files', async () => {
      await site.restart({ settings: { maxFiles: 0 } })
      expect((await call('GET', '/settings')).json).toMatchObject({ uploads: false, limits: { maxFiles: 0 } })
      const refused = await call('POST', '/files', { body: { size: 9, parts: 1 } })
      expect(refused.json).toMatchObject({ statusCode: 403, code: 'settings.uploads_disabled' })
    })

    test('an address can have as many open uploads as a secret has files', async () => {
      await site.restart({ settings: { maxOpenUploads: 2, maxFiles: 3 } })
      const files = [await upload(randomBytes(9)), await upload(randomBytes(9)), await upload(randomBytes(9))]
      const fourth = await call('POST', '/files', { body: { size: 9, parts: 1 } })
      expect(fourth.json).toMatchObject({ statusCode: 429, code: 'file.too_many_uploads' })
      expect((await share(files)).response.status).toBe(201)
    })

    test('SEC-37: an address has a limit of open uploads and a daily quota', async () => {
      await site.restart({ settings: { maxOpenUploads: 2, visitorBytesPerDay: 100, maxFiles: 1 } })
      const some = [await upload(randomBytes(40)), await begin(40)]
      const { json, headers } = await call('POST', '/files', { body: { size: 1, parts: 1 } })
      expect(json).toMatchObject({ statusCode: 429, code: 'file.too_many_uploads', retryAfter: 3600 })
      expect(headers.get('retry-after')).toBe('3600')
      expect((await share(some)).response.json).toMatchObject({ code: 'request.invalid', field: 'files' })
      await share(some.slice(0, 1))
      expect((await call('POST', '/files', { body: { size: 21, parts: 1 } })).json).toMatchObject({
        statusCode: 429,
        code: 'file.quota_used_up',
        retryAfter: 86400,
      })
      site.app.clock.now += 24 * HOUR
      expect((await call('POST', '/files', { body: { size: 100, parts: 1 } })).status).toBe(201)
    })

    test('SEC-37: visitors share a quota of their IPv6 /48 network and a quota of the instance, which one network cannot use up', async () => {
      await site.restart({
        settings: { visitorBytesPerDay: 100, maxOpenUploads: 100, trustedProxies: ['127.0.0.1', '::1'] },
      })
      const beginFrom = async (address: string, size = 100) => {
        const headers = { 'x-forwarded-for': address }
        const { status, json } = await call('POST', '/files', { body: { size, parts: 1 }, headers })
        return status === 201 ? 'begun' : json.code
      }
      const fromSite = (network: number) => beginFrom(`2001:db8:7:${network}::1`)
      for (let network = 0; network < SHARED_FACTORS.site; network++) expect(await fromSite(network)).toBe('begun')
      for (const network of [5, 6]) expect(await fromSite(network)).toBe('file.quota_used_up')
      const others = SHARED_FACTORS.visitors - SHARED_FACTORS.site
      for (let each = 0; each < others; each++) expect(await beginFrom(`203.0.113.${each}`)).toBe('begun')
      expect(await beginFrom('198.51.100.1', 1)).toBe('file.quota_used_up')
      site.app.clock.now += 24 * HOUR
      expect(await fromSite(6)).toBe('begun')
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

    test('without limits accounts and the instance are unbounded', async () => {
      await site.restart({ settings: { userBytesPerDay: null, instanceBytes: null, maxFileBytes: 2 ** 40 } })
      const [headers, admin] = [
        await site.app.as(await site.app.signUp()),
        await site.app.as(await site.app.signUp({ role: 'admin' })),
      ]
      const size = 9 * MAX_PART
      expect((await call('POST', '/files', { body: { size, parts: 9 }, headers })).status).toBe(201)
      expect((await call('GET', '/account/usage', { headers })).json).toMatchObject({
        usedBytes: size,
        limitBytes: null,
      })
      const { json } = await call('GET', '/admin/overview', { headers: admin })
      expect(json.storage).toEqual({ usedBytes: size, limitBytes: null })
    })

    test('SEC-37: secrets are read, downloaded, burned and deleted while the instance is full', async () => {
      await site.restart({ settings: { instanceBytes: 100 } })
      const owner = await site.app.as(await site.app.signUp())
      const content = randomBytes(20)
      const [read, burned] = [await share([await upload(content)]), await share([await upload(randomBytes(20))])]
      const own = await share([await upload(randomBytes(20))], {}, owner)
      const open = await begin(40)
      expect((await call('POST', '/files', { body: { size: 1, parts: 1 } })).status).toBe(507)

      const [file] = (await view(read.id, read.access)).json.files
      expect((await download(file.key, read.id, 0)).bytes).toEqual(content)
      expect((await call('POST', `/secret/${burned.id}/burn`, { body: { access: burned.access } })).status).toBe(200)
      expect((await call('POST', `/secret/${own.id}/burn`, { body: {}, headers: owner })).status).toBe(200)
      expect((await call('DELETE', `/files/${open.id}`, { token: open.token })).status).toBe(204)
      site.app.clock.now += HOUR
      await site.app.background.cleanup.run()
      expect(await blobs()).toEqual([])
      expect((await call('POST', '/files', { body: { size: 100, parts: 1 } })).status).toBe(201)
    })

    test('REL-05: reconciling deletes old blobs without a row and keeps those with a row', async () => {
      await upload(randomBytes(9))
      const kept = await blobs()
      await site.app.files?.put('0123456789abcdef0123456700000000', Readable.from([Buffer.from('x')]), 1)
      site.app.clock.now = Date.now() + HOUR / 2
      expect(await site.app.background.cleanup.reconcile()).toBe(0)
      site.app.clock.now = Date.now() + HOUR + 60_000
      expect(await site.app.background.cleanup.reconcile()).toBe(1)
      expect(await blobs()).toEqual(kept)
    })
  })
})
