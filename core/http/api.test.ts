/** Every call of the API, through HTTP, on every storage that runs anywhere. */

import { createServer, type Server } from 'node:http'
import request from 'supertest'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { builtIns } from '#plugins'
import { makeStorage, type TestStorage } from '#test/databases'
import { describeEachStorage } from '#test/for-each-engine'
import { type TestApp, testApp } from '#test/test-app'
import { visitor } from '../caller.js'
import type { Plugin } from '../plugin.js'
import type { CreateSecret } from '../shared/api.js'
import { deriveKeys, newClaim } from '../shared/keys.js'
import { parseFragment } from '../shared/link.js'
import { type Draft, openViewed, seal } from '../shared/sealing.js'

const TEXT = 'pässwörd ☃'
const bytes = (text: string) => new TextEncoder().encode(text)
const notFound = { statusCode: 404, error: 'Not Found', code: 'secret.not_found' }

describeEachStorage((name) => {
  let made: TestStorage
  let app: TestApp
  let server: Server
  beforeAll(async () => {
    made = await makeStorage(name)
  })
  afterAll(() => made.drop())
  beforeEach(async () => {
    await made.empty()
    app = await testApp(made.storage)
    server = createServer(app.handler)
  })
  afterEach(() => app.close())

  const api = () => request(server)
  const post = (path: string, body?: object) => api().post(`/api/v1${path}`).send(body)
  const create = async (body: CreateSecret) => (await post('/secret', body).expect(201)).body
  const sealed = async (change: Partial<Draft> = {}) => {
    const made = await seal({ text: bytes(TEXT), ttl: 3600, ...change }, app.clock.now)
    const created = await create(made.body)
    const keys = await deriveKeys(parseFragment(made.fragment), change.password)
    app.events.length = 0
    return { ...made, ...keys, ...created, id: created.id as string }
  }
  const view = (id: string, body: object) => post(`/secret/${id}`, { claim: newClaim(), ...body })

  describe('a sealed secret', () => {
    test('is created, looked at, viewed once and gone', async () => {
      const secret = await sealed()
      expect(secret).toMatchObject({
        url: `https://secrets.example.org/secret/${secret.id}`,
        expiresAt: app.clock.now + 3600_000,
        maxViews: 1,
        kind: 'sealed',
      })
      expect(secret.id).toMatch(/^[A-Za-z0-9_-]{22}$/)
      const exist = await api().get(`/api/v1/secret/${secret.id}/exist`).set('Mayfly-Access', secret.access).expect(200)
      expect(exist.body).toEqual({
        id: secret.id,
        maxViews: 1,
        passwordRequired: false,
        expiresAt: secret.expiresAt,
        files: 0,
        kind: 'sealed',
      })
      const { body } = await view(secret.id, { access: secret.access }).expect(200)
      expect(body).toMatchObject({
        kind: 'sealed',
        title: null,
        files: [],
        maxViews: 0,
        preventBurn: false,
        isPublic: false,
      })
      const opened = await openViewed(body, secret.passphrase, 2 ** 20)
      expect(new TextDecoder().decode(opened.text)).toBe(TEXT)
      expect(opened.mismatches).toEqual([])
      expect(app.events).toEqual([
        ['secret:viewed', { id: secret.id, viewsLeft: 0, views: 1, age: expect.any(Number) }],
        ['secret:burned', { id: secret.id, reason: 'last-view' }],
      ])
      await view(secret.id, { access: secret.access }).expect(404)
    })

    test('answers the same claim again within the grace, counts it once, and is gone after', async () => {
      const secret = await sealed()
      const ask = { access: secret.access, claim: newClaim() }
      const first = await view(secret.id, ask).expect(200)
      app.clock.now += 59_999
      const again = await view(secret.id, ask).expect(200)
      expect(again.body).toEqual(first.body)
      expect(app.events.map(([event]) => event)).toEqual(['secret:viewed', 'secret:burned'])
      await view(secret.id, { access: secret.access }).expect(404)
      app.clock.now += 1
      await view(secret.id, ask).expect(404)
    })

    test('is gone at once when the reader acknowledges', async () => {
      const secret = await sealed()
      const ask = { access: secret.access, claim: newClaim() }
      await view(secret.id, ask).expect(200)
      await post(`/secret/${secret.id}/ack`, { access: secret.access, claim: newClaim() }).expect(404)
      await post(`/secret/${secret.id}/ack`, ask).expect(204)
      await view(secret.id, ask).expect(404)
    })

    test('with three views gives three', async () => {
      const secret = await sealed({ maxViews: 3 })
      for (const left of [2, 1, 0]) {
        const { body } = await view(secret.id, { access: secret.access }).expect(200)
        expect(body.maxViews).toBe(left)
      }
      await view(secret.id, { access: secret.access }).expect(404)
    })

    test('that is kept until it expires counts no limit', async () => {
      const secret = await sealed({ preventBurn: true })
      expect(secret.maxViews).toBe(null)
      for (let n = 0; n < 5; n++) {
        const { body } = await view(secret.id, { access: secret.access }).expect(200)
        expect(body).toMatchObject({ maxViews: null, preventBurn: true })
      }
      app.clock.now += 3600_000
      await view(secret.id, { access: secret.access }).expect(404)
    })

    test('under 32 readers at once is given to one', async () => {
      const secret = await sealed()
      const answers = await Promise.all(Array.from({ length: 32 }, () => view(secret.id, { access: secret.access })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(31).fill(404)])
    })

    test('asks for its password without spending a view, and locks after ten wrong ones', async () => {
      const secret = await sealed({ password: 'sésame' })
      const { access } = secret
      const wrong = `${'B'.repeat(42)}A`
      const missing = await view(secret.id, { access }).expect(401)
      expect(missing.body).toMatchObject({ code: 'secret.password_required', attemptsLeft: 10 })
      for (let left = 9; left >= 0; left--) {
        const { body } = await view(secret.id, { access, password: wrong }).expect(401)
        expect(body).toMatchObject({ code: 'secret.password_wrong', attemptsLeft: left })
      }
      const locked = await view(secret.id, { access, password: secret.passwordProof }).expect(423)
      expect(locked.body).toMatchObject({ code: 'secret.locked', retryAfter: 900 })
      expect(locked.headers['retry-after']).toBe('900')
      app.clock.now += 900_000
      await view(secret.id, { access, password: wrong }).expect(401)
      const { body } = await view(secret.id, { access, password: secret.passwordProof }).expect(200)
      expect(body.maxViews).toBe(0)
    })

    test('lets through ten guesses of fifty at once, and no right one after them', async () => {
      const secret = await sealed({ password: 'sésame', maxViews: 5 })
      const { access } = secret
      const wrong = `${'A'.repeat(42)}A`
      const guesses = await Promise.all(Array.from({ length: 50 }, () => view(secret.id, { access, password: wrong })))
      expect(guesses.filter(({ body }) => body.code === 'secret.password_wrong')).toHaveLength(10)
      expect(guesses.filter(({ body }) => body.code === 'secret.locked')).toHaveLength(40)
    })

    test('cannot be locked, burned, looked at or viewed without the link', async () => {
      const secret = await sealed({ password: 'sésame' })
      const access = 'A'.repeat(43)
      for (let n = 0; n < 12; n++) await view(secret.id, { access, password: access }).expect(404)
      await view(secret.id, {}).expect(404)
      await post(`/secret/${secret.id}/burn`, { access }).expect(404)
      await post(`/secret/${secret.id}/burn`, { burnToken: access }).expect(404)
      await post(`/secret/${secret.id}/burn`, {}).expect(404)
      await api().get(`/api/v1/secret/${secret.id}`).expect(404)
      await api().get(`/api/v1/secret/${secret.id}/exist`).expect(404)
      expect(app.events).toEqual([])
      await view(secret.id, { access: secret.access, password: secret.passwordProof }).expect(200)
    })

    test.each(['burnToken', 'access'] as const)('is burned once with its %s', async (proof) => {
      const secret = await sealed()
      await post(`/secret/${secret.id}/burn`, { [proof]: secret[proof] }).expect(200, { burned: true })
      expect(app.events).toEqual([['secret:burned', { id: secret.id, reason: 'request' }]])
      await post(`/secret/${secret.id}/burn`, { [proof]: secret[proof] }).expect(404)
      await view(secret.id, { access: secret.access }).expect(404)
    })

    test('is swept when its time is over', async () => {
      const secret = await sealed()
      app.clock.now += 3600_000
      expect(await app.services.sweeper.sweep()).toBe(1)
      expect(app.events).toEqual([['secret:burned', { id: secret.id, reason: 'expired' }]])
    })
  })

  test('everything that is not there is one answer', async () => {
    const used = await sealed()
    await view(used.id, { access: used.access })
    const burned = await sealed()
    await post(`/secret/${burned.id}/burn`, { access: burned.access })
    const fenced = await sealed({ allowedIp: '203.0.113.0/24' })
    const live = await sealed()
    const expired = await sealed({ ttl: 60 })
    app.clock.now += 60_000
    const asked = [
      view('AAAAAAAAAAAAAAAAAAAAAA', { access: live.access }),
      view('short', { access: live.access }),
      view(`${live.id}~${'A'.repeat(43)}`, {}),
      view(used.id, { access: used.access }),
      view(burned.id, { access: burned.access }),
      view(expired.id, { access: expired.access }),
      view(fenced.id, { access: fenced.access }),
      view(live.id, { access: used.access }),
      view(live.id, {}),
    ]
    const answers = await Promise.all(asked)
    const seen = new Set(
      answers.map(({ status, text, headers }) => {
        const { 'x-request-id': _, date: __, ...rest } = headers
        return JSON.stringify([status, text, rest])
      }),
    )
    expect(seen.size).toBe(1)
    expect(answers[0]?.body).toMatchObject(notFound)
  })

  describe('a raw secret', () => {
    test('is encrypted under a key that only its id carries', async () => {
      const created = await create({ text: TEXT, ttl: 3600, title: 'Tïtle' })
      expect(created).toMatchObject({ kind: 'raw', zeroKnowledge: false, maxViews: 1 })
      expect(created.id).toMatch(/^[A-Za-z0-9_-]{22}~[A-Za-z0-9_-]{43}$/)
      const [lookup] = created.id.split('~')
      await api().get(`/api/v1/secret/${lookup}`).expect(404)
      await api()
        .get(`/api/v1/secret/${lookup}~${'A'.repeat(43)}`)
        .expect(404)
      await api().head(`/api/v1/secret/${created.id}`).expect(200)
      const { body } = await api().get(`/api/v1/secret/${created.id}`).expect(200)
      expect(body).toMatchObject({ id: created.id, kind: 'raw', text: TEXT, title: 'Tïtle', maxViews: 0 })
      await api().get(`/api/v1/secret/${created.id}`).expect(404)
    })

    test('is viewed by POST with a claim too', async () => {
      const { id } = await create({ text: TEXT, ttl: 3600 })
      const claim = newClaim()
      const first = await view(id, { claim }).expect(200)
      expect((await view(id, { claim }).expect(200)).body).toEqual(first.body)
      await post(`/secret/${id}/ack`, { claim }).expect(204)
      await view(id, { claim }).expect(404)
    })

    test('with a password needs it, and GET cannot give it', async () => {
      const { id } = await create({ text: TEXT, ttl: 3600, password: 'sésame' })
      await api().get(`/api/v1/secret/${id}`).expect(401)
      expect((await view(id, { password: 'no' }).expect(401)).body).toMatchObject({ attemptsLeft: 9 })
      expect((await view(id, { password: 'sésame' }).expect(200)).body.text).toBe(TEXT)
    })

    test('is burned by its id alone', async () => {
      const { id } = await create({ text: TEXT, ttl: 3600 })
      await post(`/secret/${id}/burn`).expect(200, { burned: true })
      await api().get(`/api/v1/secret/${id}`).expect(404)
    })
  })

  describe('a public secret', () => {
    test('is listed, newest first, and read by everyone', async () => {
      const older = await create({ text: TEXT, ttl: 3600, isPublic: true, title: 'Ölder' })
      app.clock.now += 1
      const newer = await create({ text: TEXT, ttl: 3600, isPublic: true })
      expect(older).toMatchObject({ kind: 'public', maxViews: null })
      const { body } = await api().get('/api/v1/secret/public/').expect(200)
      expect(body).toEqual([
        { id: newer.id, title: null, username: null, createdAt: app.clock.now, expiresAt: newer.expiresAt },
        { id: older.id, title: 'Ölder', username: null, createdAt: app.clock.now - 1, expiresAt: older.expiresAt },
      ])
      for (let n = 0; n < 3; n++) {
        const seen = await api().get(`/api/v1/secret/${older.id}`).expect(200)
        expect(seen.body).toMatchObject({ kind: 'public', isPublic: true, text: TEXT, title: 'Ölder', maxViews: null })
      }
      const page = await api().get('/api/v1/secret/public?skip=1&take=1').expect(200)
      expect(page.body).toHaveLength(1)
      await api().get('/api/v1/secret/public/nobody').expect(200, [])
    })

    test('leaves the list when it is used up, burned or expired', async () => {
      const used = await create({ text: TEXT, ttl: 3600, isPublic: true, maxViews: 1 })
      const burned = await create({ text: TEXT, ttl: 3600, isPublic: true })
      await create({ text: TEXT, ttl: 60, isPublic: true })
      await api().get(`/api/v1/secret/${used.id}`).expect(200)
      await post(`/secret/${burned.id}/burn`, {}).expect(404)
      await post(`/secret/${burned.id}/burn`, { burnToken: burned.burnToken }).expect(200)
      app.clock.now += 60_000
      await api().get('/api/v1/secret/public/').expect(200, [])
    })
  })

  test('an owned public secret is listed under its owner', async () => {
    const owner = { id: 'o1', username: 'älice'.normalize('NFC').replace('ä', 'a'), email: 'a@example.org' }
    await app.storage.users.create({ ...owner, passwordHash: null, role: 'user', generated: false, createdAt: 1 })
    const caller = { ...visitor(null), userId: 'o1' }
    const made = await app.services.secrets.create({ text: TEXT, ttl: 60, isPublic: true }, caller)
    const { body } = await api().get('/api/v1/secret/public/ALICE').expect(200)
    expect(body).toMatchObject([{ id: made.id, username: 'alice' }])
  })

  describe('an Idempotency-Key', () => {
    const send = (key: string, body: object) => post('/secret', body).set('Idempotency-Key', key)

    test('gets the first answer again, twenty at once', async () => {
      const body = { text: TEXT, ttl: 3600 }
      const answers = await Promise.all(Array.from({ length: 20 }, () => send('order-42', body)))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(answers[0]?.status).toBe(201)
      expect(app.events.filter(([event]) => event === 'secret:created')).toHaveLength(1)
      await api().get(`/api/v1/secret/${answers[0]?.body.id}`).expect(200)
    })

    test('is forgotten after a day', async () => {
      const body = { text: TEXT, ttl: 3600 }
      const first = await send('order-42', body)
      app.clock.now += 24 * 3600_000
      expect((await send('order-42', body).expect(201)).body.id).not.toBe(first.body.id)
    })

    test('of another request is refused', async () => {
      await send('order-42', { text: TEXT, ttl: 3600 }).expect(201)
      const { body } = await send('order-42', { text: TEXT, ttl: 3601 }).expect(409)
      expect(body).toMatchObject({ code: 'request.idempotency_mismatch' })
    })

    test('is refused when it is none', async () => {
      const { body } = await send('has spaces', { text: TEXT, ttl: 3600 }).expect(400)
      expect(body).toMatchObject({ code: 'request.invalid', field: 'idempotency-key' })
    })
  })

  test('an instance that is read-only creates nothing, within two seconds of being told', async () => {
    await create({ text: TEXT, ttl: 3600 })
    await app.storage.settings.set({ read_only: 'true' })
    app.clock.now += 2000
    const { body } = await post('/secret', { text: TEXT, ttl: 3600 }).expect(403)
    expect(body).toMatchObject({ code: 'settings.read_only' })
    const settings = await api().get('/api/v1/settings').expect(200)
    expect(settings.body).toMatchObject({ read_only: true, disable_file_upload: false })
  })
})

describe('what is the same on every storage', () => {
  let app: TestApp
  let server: Server
  beforeAll(async () => {
    app = await testApp((await builtIns.memory()).default as Plugin, {
      settings: { maxTextBytes: 2048, trustedProxies: ['127.0.0.0/8', '::1'] },
    })
    server = createServer(app.handler)
  })
  afterAll(() => app.close())
  const api = () => request(server)

  test('settings tell what a client needs', async () => {
    const { body } = await api().get('/api/v1/settings').set('X-Forwarded-For', '203.0.113.7').expect(200)
    expect(body).toEqual({
      read_only: false,
      disable_users: false,
      disable_user_account_creation: false,
      disable_file_upload: false,
      limits: {
        maxTextBytes: 2048,
        ttlMin: 60,
        ttlMax: 604800,
        maxViews: 9999,
        maxFileBytes: 104857600,
        maxFiles: 20,
        passwordMin: 5,
        passwordMax: 50,
      },
      uploads: false,
      signUp: true,
      organizationEmail: false,
      setUp: true,
      providers: [{ id: 'local', label: '', kind: 'password' }],
      address: '203.0.113.7',
      version: '0.0.0-test',
    })
  })

  test.each(['', '/api', '/api/v1'])('%s/healthz and readyz answer', async (base) => {
    await api().get(`${base}/healthz`).expect(204)
    await api().get(`${base}/readyz`).expect(204)
  })

  test('readyz tells when the storage does not answer, healthz does not care', async () => {
    const { ping } = app.storage
    app.storage.ping = () => Promise.reject(new Error('connect ECONNREFUSED hunter2'))
    try {
      await api().get('/healthz').expect(204)
      const { body, text } = await api().get('/readyz').expect(503)
      expect(body).toMatchObject({ code: 'storage.unavailable', requestId: expect.any(String) })
      expect(text + app.log.join()).not.toContain('hunter2')
    } finally {
      app.storage.ping = ping
    }
  })

  describe('bad input is refused and its field named', () => {
    const good = { text: TEXT, ttl: 3600 }
    const armor = '-----BEGIN AGE ENCRYPTED FILE-----\nAAAA\n-----END AGE ENCRYPTED FILE-----\n'
    const access = 'A'.repeat(43)
    const numbers = [-1, 0, 1.5, '1', null, [], {}, '', true, 2 ** 53, 1e308]
    const others = [0, true, {}, [], null]
    const cases: [field: string, body: object][] = [
      ...numbers.map((ttl): [string, object] => ['ttl', { ...good, ttl }]),
      ['ttl', { text: TEXT }],
      ['ttl', { ...good, ttl: 59 }],
      ['ttl', { ...good, ttl: 604801 }],
      ...numbers.map((maxViews): [string, object] => ['maxViews', { ...good, maxViews }]),
      ['maxViews', { ...good, maxViews: 10_000 }],
      ...others.map((text): [string, object] => ['text', { ...good, text }]),
      ['text', { ...good, text: '' }],
      ['text', { ...good, text: 'a\ud800' }],
      ['text', { ...good, isPublic: true, text: 'a\0b' }],
      ['text', { ...good, access }],
      ...others.map((title): [string, object] => ['title', { ...good, title }]),
      ['title', { ...good, title: 'x'.repeat(256) }],
      ['title', { ...good, title: 'a\nb' }],
      ['title', { ...good, text: armor, access, title: 'x' }],
      ...others.map((password): [string, object] => ['password', { ...good, password }]),
      ['password', { ...good, text: armor, access, password: 'hunter2' }],
      ...['true', 1, null].map((preventBurn): [string, object] => ['preventBurn', { ...good, preventBurn }]),
      ['isPublic', { ...good, isPublic: 1 }],
      ['isPublic', { ...good, text: armor, access, isPublic: true }],
      ['access', { ...good, access: 'short' }],
      ['access', { ...good, access: `${'A'.repeat(42)}B` }],
      ...['300.1.1.1', '10.0.0.0/33', '::/129', 'localhost', '', ' 10.0.0.1', '10.0.0.0/8,::1', 8, null].map(
        (allowedIp): [string, object] => ['allowedIp', { ...good, allowedIp }],
      ),
      ['files', { ...good, files: {} }],
      ['files.0', { ...good, files: [{ id: 'A'.repeat(22), token: access }] }],
      ['files.0.content', { ...good, files: [{ name: 'a.txt', content: 'not base64!' }] }],
      ['role', { ...good, role: 'admin' }],
      ['constructor', { ...good, constructor: {} }],
    ]
    test.each(cases)('%s in %j', async (field, body) => {
      const answer = await api().post('/api/v1/secret').send(body).expect(400)
      expect(answer.body).toMatchObject({ statusCode: 400, error: 'Bad Request', code: 'request.invalid', field })
    })

    test('__proto__ pollutes nothing', async () => {
      const body = '{"text":"a","ttl":3600,"__proto__":{"polluted":true}}'
      await api().post('/api/v1/secret').type('json').send(body).expect(400)
      expect(({} as Record<string, unknown>).polluted).toBe(undefined)
    })

    test.each(['skip=-1', 'skip=a', 'take=0', 'take=101', 'take=1.5', 'take=', 'more=1', 'skip=1&skip=2'])(
      '?%s',
      async (query) => {
        const { body } = await api().get(`/api/v1/secret/public?${query}`).expect(400)
        expect(body.field).toBe(query.split('=')[0])
      },
    )

    test.each(['[]', '"text"', 'null', '1', '{', ''])('a body of %j', async (text) => {
      await api().post('/api/v1/secret').type('json').send(text).expect(400)
    })

    test.each([
      ['text/plain', JSON.stringify(good)],
      ['application/x-www-form-urlencoded', 'text=a&ttl=60'],
      ['multipart/form-data; boundary=x', '--x--'],
      ['application/json; charset=latin1', JSON.stringify(good)],
    ])('a body of type %s', async (type, text) => {
      const { body } = await api().post('/api/v1/secret').set('Content-Type', type).send(text).expect(415)
      expect(body.code).toBe('request.unsupported_type')
    })

    test('a compressed body', async () => {
      await api().post('/api/v1/secret').set('Content-Encoding', 'gzip').send(good).expect(415)
    })

    test('a text over the limit, and a body far over it', async () => {
      const text = await api()
        .post('/api/v1/secret')
        .send({ ...good, text: 'x'.repeat(2049) })
        .expect(413)
      expect(text.body).toMatchObject({ code: 'request.too_large', field: 'text' })
      await api()
        .post('/api/v1/secret')
        .send({ ...good, text: 'x'.repeat(20_000) })
        .expect(413)
      await api()
        .post('/api/v1/secret')
        .send({ ...good, text: 'x'.repeat(2048) })
        .expect(201)
    })
  })

  describe('addresses', () => {
    const from = (address: string) => ({ 'X-Forwarded-For': address })
    test.each([
      ['203.0.113.7', '203.0.113.7', 200],
      ['203.0.113.0/24', '203.0.113.7', 200],
      ['203.0.113.0/24', '203.0.114.7', 404],
      ['2001:db8::/32', '2001:db8::1', 200],
      ['2001:db8::/32', '203.0.113.7', 404],
      ['0.0.0.0/0', '2001:db8::1', 404],
      ['203.0.113.7', '::ffff:203.0.113.7', 200],
      ['203.0.113.7', '203.0.113.7, 198.51.100.1', 404],
      ['198.51.100.1', '203.0.113.7, 198.51.100.1', 200],
      ['203.0.113.7', 'garbage', 404],
      ['203.0.113.7', '203.0.113.7:4711', 200],
      ['2001:db8::1', '[2001:db8::1]:4711', 200],
    ])('%s against %s answers %i', async (allowedIp, address, status) => {
      const { body } = await api().post('/api/v1/secret').send({ text: TEXT, ttl: 60, allowedIp }).expect(201)
      await api().get(`/api/v1/secret/${body.id}`).set(from(address)).expect(status)
    })
  })

  describe('methods and paths', () => {
    test.each([
      ['DELETE', '/api/v1/secret', 405],
      ['PUT', '/api/v1/settings', 405],
      ['TRACE', '/api/v1/settings', 405],
      ['GET', '/api/v1/nothing', 404],
      ['GET', '/api', 404],
      ['GET', '/api/v2/settings', 404],
      ['POST', '/api/v1/secret/AAAAAAAAAAAAAAAAAAAAAA/other', 404],
    ])('%s %s answers %i in the shape of an error', async (method, path, status) => {
      const { body } = await api()[method.toLowerCase() as 'get'](path).expect(status)
      expect(body).toMatchObject({ statusCode: status, code: expect.stringMatching(/^request\./) })
    })

    test('every answer has the headers of the API', async () => {
      for (const path of ['/api/v1/settings', '/api/v1/nothing', '/api/v1/secret/x']) {
        const { headers } = await api().get(path)
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'cross-origin-resource-policy': 'same-origin',
          'strict-transport-security': 'max-age=63072000; includeSubDomains',
          'content-type': 'application/json; charset=utf-8',
        })
        expect(headers['x-powered-by']).toBe(undefined)
        expect(headers['access-control-allow-origin']).toBe(undefined)
      }
    })
  })

  test('the log knows the route and nothing of what was sent', async () => {
    const canary = 'CANARY0123456789abcdefg'
    app.log.length = 0
    await api().post('/api/v1/secret').send({ text: canary, ttl: 60, title: canary, password: canary })
    await api()
      .post('/api/v1/secret')
      .send({ text: canary, ttl: canary, [canary]: canary })
    await api().post('/api/v1/secret').type('json').send(`{"text":"${canary}`)
    await api().get(`/api/v1/secret/${canary}?${canary}=${canary}`).set('Mayfly-Access', canary)
    await api().get(`/secret/1${canary}/${canary}`).set('Cookie', canary).set('User-Agent', canary)
    await api().get(`/${canary}`).set('Referer', canary)
    const text = app.log.join('')
    expect(text).toContain('"route":"/api/v1/secret/:id"')
    expect(text.match(/"msg":"request"/g)).toHaveLength(6)
    expect(text).not.toContain('CANARY')
  })
})
