/** Secret requests over HTTP: create, answer, collect, close, and refused requests. */

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { fileCalls } from '#test/file-calls'
import { OWN_PAGE, onOneStorage } from '#test/for-each-storage'
import type { TestUser } from '#test/test-app'
import { cancelUserUploads } from '../attachments/cancel-upload.js'
import type { CreateRequest } from '../shared/api/index.js'
import { encodeText } from '../shared/crypto/envelope.js'
import { newClaim } from '../shared/crypto/keys.js'
import { createRequestKeys, decryptSubmission, encryptSubmission } from '../shared/crypto/submission.js'

const HOUR = 60 * 60_000
const TEXT = 'geheim ☃ 鍵'
const NOTE = { title: 'Zugangsdaten ☃', instructions: 'Bitte das Passwort ☃' }
const GONE = { statusCode: 404, code: 'secret_request.not_found' }

onOneStorage((site) => {
  const { call } = site
  const { share, upload } = fileCalls(site)

  async function createRequest(options: Partial<CreateRequest> = {}, owner?: TestUser) {
    const user = owner ?? (await site.app.signUp())
    const session = { ...OWN_PAGE, ...(await site.app.as(user)) }
    const { keys, body } = await createRequestKeys(NOTE)
    const { body: created } = await call('POST', '/request', session, { ...body, ttl: 3600, ...options }).expect(201)
    return { ...created, id: created.id as string, keys, recipient: body.recipient, user, session }
  }
  type Created = Awaited<ReturnType<typeof createRequest>>

  async function submit({ id, keys, recipient, expiresAt }: Created, more: object = {}, headers = {}) {
    const draft = { ...keys, requestId: id, text: encodeText(TEXT), expiresAt }
    const { text } = await encryptSubmission(draft, recipient, site.app.clock.now)
    return call('POST', `/request/${id}/submission`, headers, { submit: keys.submitProof, text, ...more })
  }

  const open = ({ id, keys }: Created) => call('POST', `/request/${id}/open`, {}, { submit: keys.submitProof })
  const collect = ({ id, keys }: Created) => call('POST', `/request/${id}/collect`, {}, { collect: keys.collectProof })
  const view = (id: string, access: string) => call('POST', `/secret/${id}`, {}, { access, claim: newClaim() })

  test('a submission is opened once with the collect link', async () => {
    const request = await createRequest()
    expect(request.url).toBe(`https://secrets.example.org/request/${request.id}`)
    const opened = await open(request).expect(200)
    expect(opened.body).toEqual({
      recipient: request.recipient,
      note: expect.stringContaining('BEGIN AGE'),
      expiresAt: request.expiresAt,
      submissionsLeft: 1,
      maxBytes: null,
      maxFileBytes: expect.any(Number),
      allowFiles: true,
    })
    const submitted = await submit(request)
    expect(submitted).toMatchObject({ status: 201, body: { expiresAt: request.expiresAt } })
    const { submissions } = (await collect(request).expect(200)).body
    expect(submissions).toEqual([
      {
        ...submitted.body,
        createdAt: site.app.clock.now,
        size: expect.any(Number),
        files: 0,
        viewed: false,
      },
    ])
    // Only the collect proof opens it, not the proof of the request link.
    await view(submitted.body.id, request.keys.submitProof).expect(404)
    const { body: viewed } = await view(submitted.body.id, request.keys.collectProof).expect(200)
    const decrypted = await decryptSubmission(viewed, { ...request.keys, requestId: request.id }, 2 ** 20)
    expect({ text: Buffer.from(decrypted.text).toString(), warnings: decrypted.warnings }).toEqual({
      text: TEXT,
      warnings: [],
    })
    await view(submitted.body.id, request.keys.collectProof).expect(404)
    expect((await collect(request)).body.submissions).toMatchObject([{ viewed: true }])
    const names = site.app.emitted.map(([name]) => name)
    expect(names).toEqual(['request.created', 'secret.created', 'request.submitted', 'secret.viewed', 'secret.burned'])
  })

  test('absent, expired, complete, closed and foreign requests get the same 404', async () => {
    const missing = { ...(await createRequest()), id: randomBytes(16).toString('base64url').replace(/^[-_]/, 'A') }
    const [complete, closed, foreign] = [await createRequest(), await createRequest(), await createRequest()]
    expect((await submit(complete)).status).toBe(201)
    await call('DELETE', `/request/${closed.id}`, {}, { collect: closed.keys.collectProof }).expect(204)
    const wrongProof = { ...foreign, keys: complete.keys }
    const elsewhere = await createRequest({ allowedIp: '203.0.113.0/24' })
    const expired = await createRequest({ ttl: 60 })
    site.app.clock.now += 60_000
    const texts = new Set<string>()
    for (const request of [missing, complete, closed, wrongProof, elsewhere, expired]) {
      for (const response of [await open(request), await submit(request)]) {
        expect(response.body).toMatchObject(GONE)
        texts.add(response.text)
      }
    }
    for (const request of [missing, closed, wrongProof, expired]) texts.add((await collect(request)).text)
    expect(texts.size).toBe(1)
    expect((await collect(complete)).status).toBe(200)
  })

  test('invalid requests are refused with the name of the field', async () => {
    const { session, recipient } = await createRequest()
    const { body } = await createRequestKeys(null)
    const last = recipient.endsWith('q') ? 'p' : 'q'
    const note = `-----BEGIN AGE ENCRYPTED FILE-----\n${'A'.repeat(8192)}`
    const wrong: [field: string, value: unknown][] = [
      ['recipient', 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'],
      ['recipient', recipient.slice(0, -1)],
      ['recipient', recipient.slice(0, -1) + last],
      ['recipient', recipient.toUpperCase()],
      ['note', note],
      ['note', 'plain ☃'],
      ['submit', 'short'],
      ['collect', undefined],
      ['ttl', 59],
      ['ttl', 29 * 24 * 3600],
      ['maxSubmissions', 101],
      ['maxSubmissions', 0],
      ['allowedIp', 'everywhere'],
      ['instructions', 'plain ☃'],
      ['notify', 'yes'],
      // Without a subscriber, the owner would not be notified.
      ['notify', true],
    ]
    for (const [field, value] of wrong) {
      const response = await call('POST', '/request', session, { ...body, ttl: 3600, [field]: value })
      expect(response.body, `${field} ${value}`).toMatchObject({ statusCode: 400, field })
    }
  })

  test('submissions beyond the limits of the request are refused and take no slot', async () => {
    const request = await createRequest({ maxBytes: 5000, allowFiles: false })
    const { id, keys } = request
    const file = await upload(randomBytes(9))
    const refuse = async (more: object, error: object) =>
      expect((await submit(request, more)).body).toMatchObject(error)
    await refuse({ files: [file] }, { code: 'request.invalid', field: 'files' })
    await refuse({ text: 'plain ☃' }, { code: 'request.invalid', field: 'text' })
    await refuse({ ttl: 1 }, { code: 'request.invalid', field: 'ttl' })
    await refuse({ maxViews: 2 }, { code: 'request.invalid', field: 'maxViews' })
    const long = `-----BEGIN AGE ENCRYPTED FILE-----\n${'A'.repeat(5000)}`
    await refuse({ text: long }, { statusCode: 413, code: 'request.too_large', field: 'text' })
    const authorization = `Request ${id}.${keys.submitProof}`
    const reserved = await call('POST', '/files', { authorization }, { size: 9, parts: 1 })
    expect(reserved.body).toMatchObject({ code: 'request.invalid', message: 'size: this request accepts no files' })
    expect((await open(request)).body.submissionsLeft).toBe(1)
  })

  test('a submission contains files, which count toward the quota for requests of the owner', async () => {
    const request = await createRequest({ maxBytes: 100_000 })
    const authorization = `Request ${request.id}.${request.keys.submitProof}`
    const bytes = randomBytes(1000)
    const body = { size: bytes.length, parts: 1 }
    const wrong = `Request ${request.id}.${request.keys.collectProof}`
    expect((await call('POST', '/files', { authorization: wrong }, body)).body).toMatchObject(GONE)
    const large = await call('POST', '/files', { authorization }, { size: 100_001, parts: 1 })
    expect(large.body).toMatchObject({ code: 'request.too_large', field: 'size' })
    const shared = await call('POST', '/files', { authorization }, { ...body, copies: 2 })
    expect(shared.body).toMatchObject({ code: 'request.invalid', field: 'copies' })
    const { body: file } = await call('POST', '/files', { authorization }, body).expect(201)
    const part = { authorization: `Upload ${file.token}`, 'content-type': 'application/octet-stream' }
    await call('PUT', `/files/${file.id}/0`, part).send(bytes).expect(204)
    await cancelUserUploads(site.app, request.user.id)
    const files = [{ id: file.id, token: file.token }]
    // The upload counts as an upload of the owner: canceling the uploads of the owner ended it.
    expect((await submit(request, { files })).body).toMatchObject({ code: 'file.not_found', field: 'files.0' })
    const { body: again } = await call('POST', '/files', { authorization }, body).expect(201)
    await call('PUT', `/files/${again.id}/0`, { ...part, authorization: `Upload ${again.token}` }).send(bytes)
    const submitted = await submit(request, { files: [{ id: again.id, token: again.token }] })
    expect(submitted.status).toBe(201)
    expect((await collect(request)).body.submissions).toMatchObject([{ files: 1 }])
    const { body: viewed } = await view(submitted.body.id, request.keys.collectProof).expect(200)
    expect(viewed.files).toMatchObject([{ id: again.id, size: 1000 }])
  })

  test('submissions have a separate quota, which all requests of an owner share', async () => {
    await site.restart({ settings: { maxOpenUploads: 2, userBytesPerDay: 200_000, maxFiles: 2 } })
    const request = await createRequest({ maxSubmissions: 3 })
    const again = await createRequest({}, request.user)
    const link = ({ id, keys }: Created) => ({ authorization: `Request ${id}.${keys.submitProof}` })
    const begin = async (headers: Record<string, string>) => {
      const { status, body } = await call('POST', '/files', headers, { size: 9, parts: 1 })
      return status === 201 ? 'begun' : body.code
    }
    for (const each of [request, again]) expect(await begin(link(each))).toBe('begun')
    for (const each of [request, again]) expect(await begin(link(each))).toBe('file.too_many_uploads')
    // The owner can still upload.
    const { session } = request
    for (const expected of ['begun', 'begun', 'file.too_many_uploads']) expect(await begin(session)).toBe(expected)
    const { id, keys, expiresAt } = request
    const draft = { ...keys, requestId: id, text: new Uint8Array(90_000), expiresAt }
    const { text } = await encryptSubmission(draft, request.recipient, site.app.clock.now)
    expect((await submit(request, { text })).status).toBe(201)
    expect((await submit(request, { text })).body).toMatchObject({ statusCode: 429, code: 'file.quota_used_up' })
    expect((await call('GET', '/account/usage', session)).body).toMatchObject({ usedBytes: 18 })
  })

  test('an upload of a request belongs to a submission to this request only', async () => {
    const [request, other] = [await createRequest(), await createRequest()]
    const reserve = async ({ id, keys }: Created) => {
      const authorization = `Request ${id}.${keys.submitProof}`
      const { body } = await call('POST', '/files', { authorization }, { size: 9, parts: 1 }).expect(201)
      const part = { authorization: `Upload ${body.token}`, 'content-type': 'application/octet-stream' }
      await call('PUT', `/files/${body.id}/0`, part).send(randomBytes(9)).expect(204)
      return { id: body.id as string, token: body.token as string }
    }
    const missing = { statusCode: 404, code: 'file.not_found', field: 'files.0' }
    const file = await reserve(request)
    // Its bytes count toward the owner of the request, who did not create these.
    expect((await share([file])).response.json).toMatchObject(missing)
    const session = { ...OWN_PAGE, ...(await site.app.as(request.user)) }
    expect((await share([file], {}, session)).response.json).toMatchObject(missing)
    expect((await submit(other, { files: [file] })).body).toMatchObject(missing)
    expect((await submit(request, { files: [await reserve(other)] })).body).toMatchObject(missing)
    expect((await submit(request, { files: [await upload(randomBytes(9))] })).body).toMatchObject(missing)
    expect((await open(request)).body.submissionsLeft).toBe(1)
    expect(await submit(request, { files: [file] })).toMatchObject({ status: 201 })
  })

  test('a repeated submission with one idempotency key is stored once, also when it took the last slot', async () => {
    const request = await createRequest()
    const text = (
      await encryptSubmission(
        { ...request, ...request.keys, requestId: request.id, text: encodeText(TEXT) },
        request.recipient,
      )
    ).text
    const headers = { 'idempotency-key': 'once' }
    const first = await submit(request, { text }, headers)
    expect(first.status).toBe(201)
    expect((await submit(request, { text }, headers)).body).toEqual(first.body)
    expect((await collect(request)).body.submissions).toHaveLength(1)
    const other = await submit(request, {}, headers)
    expect(other.body).toMatchObject({ statusCode: 409, code: 'request.idempotency_mismatch' })
  })

  test('a repeated create with one idempotency key creates one request', async () => {
    const [user, other] = [await site.app.signUp(), await site.app.signUp()]
    const { body } = await createRequestKeys(NOTE)
    const create = async (owner: TestUser, more: object = {}) => {
      const headers = { ...OWN_PAGE, ...(await site.app.as(owner)), 'idempotency-key': 'einmal' }
      return call('POST', '/request', headers, { ...body, ttl: 3600, ...more })
    }
    const first = await create(user)
    expect(first.status).toBe(201)
    site.app.clock.now += 60_000
    expect(await create(user)).toMatchObject({ status: 201, body: first.body })
    const different = await create(user, { maxSubmissions: 2 })
    expect(different.body).toMatchObject({ statusCode: 409, code: 'request.idempotency_mismatch' })
    const ofOther = await create(other)
    expect(ofOther.status).toBe(201)
    expect(ofOther.body.id).not.toBe(first.body.id)
    const created = site.app.emitted.filter(([name]) => name === 'request.created')
    expect(created).toHaveLength(2)
  })

  test('a submission expires with the request, or earlier', async () => {
    const request = await createRequest({ maxSubmissions: 2 })
    site.app.clock.now += HOUR / 2
    const [short, long] = [await submit(request, { ttl: 60 }), await submit(request, { ttl: 3600 })]
    expect(short.body.expiresAt).toBe(site.app.clock.now + 60_000)
    expect(long.body.expiresAt).toBe(request.expiresAt)
    site.app.clock.now += HOUR / 2
    await site.app.background.cleanup.run()
    expect(await site.app.storage.requests.find(request.id, 0)).toBeNull()
    await view(long.body.id, request.keys.collectProof).expect(404)
  })

  test('the collect proof and the owner close a request, which burns its submissions', async () => {
    const owner = await site.app.signUp()
    const stranger = { ...OWN_PAGE, ...(await site.app.as(await site.app.signUp())) }
    for (const by of ['collect proof', 'owner']) {
      const request = await createRequest({ maxSubmissions: 2 }, owner)
      const path = `/request/${request.id}`
      const submitted = await submit(request)
      for (const body of [{}, { collect: request.keys.submitProof }]) {
        expect((await call('DELETE', path, stranger, body)).body).toMatchObject(GONE)
        expect((await call('DELETE', path, {}, body)).body).toMatchObject(GONE)
      }
      const isOwner = by === 'owner'
      const body = isOwner ? {} : { collect: request.keys.collectProof }
      await call('DELETE', path, isOwner ? request.session : {}, body).expect(204)
      expect((await call('DELETE', path, isOwner ? request.session : {}, body)).body).toMatchObject(GONE)
      await view(submitted.body.id, request.keys.collectProof).expect(404)
      expect((await submit(request)).body).toMatchObject(GONE)
    }
    const { body: ended } = await call('GET', '/secret/ended', await site.app.as(owner)).expect(200)
    expect(ended).toMatchObject([{ state: 'burned' }, { state: 'burned' }])
  })

  test('the owner lists open requests, without content', async () => {
    const request = await createRequest({ maxSubmissions: 3, allowFiles: false })
    await createRequest()
    await submit(request)
    const { body } = await call('GET', '/account/requests', request.session).expect(200)
    const { id, expiresAt } = request
    const createdAt = site.app.clock.now
    expect(body).toEqual([
      { id, createdAt, expiresAt, submissions: 1, unopened: 1, maxSubmissions: 3, allowFiles: false },
    ])
    await call('GET', '/account/requests').expect(401)
  })

  test('read-only mode and who_can_request none refuse new requests, and open ones still accept submissions', async () => {
    const user = await site.app.signUp()
    const caller = { username: null, address: null }
    for (const [changes, code] of [
      [{ read_only: true }, 'settings.read_only'],
      [{ who_can_request: 'none' }, 'settings.requests_disabled'],
    ] as const) {
      const request = await createRequest({}, user)
      await site.app.settings.update(changes, caller)
      const { keys, body } = await createRequestKeys(null)
      const refused = await call('POST', '/request', request.session, { ...body, ttl: 60 })
      expect(refused.body).toMatchObject({ statusCode: 403, code })
      expect(keys.collectProof).toHaveLength(43)
      const authorization = `Request ${request.id}.${request.keys.submitProof}`
      await call('POST', '/files', { authorization }, { size: 9, parts: 1 }).expect(201)
      expect((await submit(request)).status).toBe(201)
      await site.app.settings.update({ read_only: false, who_can_request: 'users' }, caller)
    }
  })

  test.each([
    ['anyone', [201, 201, 201]],
    ['users', [401, 201, 201]],
    ['admins', [401, 403, 201]],
  ] as const)('who_can_request %s decides who creates requests', async (who_can_request, statuses) => {
    await site.app.settings.update({ who_can_request }, { username: null, address: null })
    const { body } = await createRequestKeys(null)
    const callers = [
      {},
      await site.app.as(await site.app.signUp()),
      await site.app.as(await site.app.signUp({ role: 'admin' })),
    ]
    const actual = []
    for (const headers of callers)
      actual.push((await call('POST', '/request', { ...OWN_PAGE, ...headers }, { ...body, ttl: 60 })).status)
    expect(actual).toEqual(statuses)
    await site.app.settings.update({ who_can_request: 'users' }, { username: null, address: null })
  })
})
