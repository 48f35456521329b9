/** Rules for every request: validation, headers, methods, size limits, health and the log. */

import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { onMemory } from '#test/for-each-storage'
import { AppError } from '../lib/errors.js'
import { OperatorError } from '../lib/operator-error.js'
import { defaultPublicSettings } from '../shared/instance-settings.js'

const TEXT = 'pässwörd ☃'

onMemory(
  (site) => {
    const api = () => request(`http://127.0.0.1:${site.port}`)

    test('GET /settings returns the settings that clients need', async () => {
      const { body } = await api().get('/api/v1/settings').set('X-Forwarded-For', '203.0.113.7').expect(200)
      expect(body).toEqual({
        ...defaultPublicSettings(),
        limits: {
          maxTextBytes: 2048,
          ttlMin: 60,
          ttlMax: 604800,
          ttlMaxUser: 2419200,
          maxViews: 9999,
          maxFileBytes: 104857600,
          maxFiles: 20,
          passwordMin: 5,
          passwordMax: 50,
          readGraceSeconds: 60,
          downloadGraceSeconds: 900,
        },
        policy: {
          lifetimes: [{ min: 60, max: 604_800 }],
          ttl: 86_400,
          views: 1,
          unlimitedViews: true,
          files: true,
          passwordRequired: false,
          addressRequired: false,
        },
        presets: [],
        canCreate: true,
        emailUnverified: false,
        deniedByGroups: false,
        uploads: true,
        requests: false,
        signUp: true,
        organizationEmail: false,
        setUp: true,
        passwordReset: false,
        notifications: false,
        canNotify: false,
        webhooks: false,
        emailVerification: false,
        providers: [{ id: 'local', label: '', kind: 'password' }],
        address: '203.0.113.7',
        role: 'all',
        version: '0.0.0-test',
      })
    })

    test.each(['', '/api', '/api/v1'])('%s/healthz and readyz return 204', async (base) => {
      await api().get(`${base}/healthz`).expect(204)
      await api().get(`${base}/readyz`).expect(204)
    })

    test('REL-07: /readyz returns 503 when the storage fails, /healthz does not', async () => {
      const { ping } = site.app.storage
      site.app.clock.now += 1_000
      site.app.storage.ping = () => Promise.reject(new Error('connect ECONNREFUSED hunter2'))
      try {
        await api().get('/healthz').expect(204)
        const { body, text } = await api().get('/readyz').expect(503)
        expect(body).toMatchObject({ code: 'storage.unavailable', requestId: expect.any(String) })
        expect(text + site.app.logged.join()).not.toContain('hunter2')
      } finally {
        site.app.storage.ping = ping
        site.app.clock.now += 1_000
      }
    })

    test.each([
      [500, new OperatorError('hunter2', { code: '42501' }), '42501'],
      [
        503,
        new AppError('storage.unavailable', {}, { cause: new OperatorError('hunter2', { code: '25006' }) }),
        '25006',
      ],
    ])(
      'a failed write is status %i, and its request id leads to the code of the driver',
      async (status, error, code) => {
        const { create } = site.app.storage.secrets
        site.app.storage.secrets.create = () => Promise.reject(error)
        site.app.logged.length = 0
        try {
          const { body, text } = await api().post('/api/v1/secret').send({ text: TEXT, ttl: 3600 }).expect(status)
          const lines = site.app.logged.filter(
            (line) => line.includes(body.requestId) && line.includes(`"cause":"${code}"`),
          )
          expect(lines, site.app.logged.join()).not.toEqual([])
          expect(lines.every((line) => /"level":"(warn|error)"/.test(line))).toBe(true)
          expect(text + site.app.logged.join()).not.toContain('hunter2')
        } finally {
          site.app.storage.secrets.create = create
        }
      },
    )

    describe('invalid input returns 400 with its field', () => {
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
        ['allowedIp', { ...good, isPublic: true, allowedIp: '10.0.0.0/8' }],
        ['files', { ...good, files: {} }],
        ['files.0', { ...good, files: [{ id: 'A'.repeat(22), token: access }] }],
        ['files.0.content', { ...good, files: [{ name: 'a.txt', content: 'not base64!' }] }],
        ['role', { ...good, role: 'admin' }],
        ['constructor', { ...good, constructor: {} }],
      ]
      test.each(cases)('SEC-08, SEC-09, SEC-29: %s in %j', async (field, body) => {
        const response = await api().post('/api/v1/secret').send(body).expect(400)
        expect(response.body).toMatchObject({ statusCode: 400, error: 'Bad Request', code: 'request.invalid', field })
      })

      test('SEC-29: __proto__ pollutes nothing', async () => {
        const body = '{"text":"a","ttl":3600,"__proto__":{"polluted":true}}'
        await api().post('/api/v1/secret').type('json').send(body).expect(400)
        expect(({} as Record<string, unknown>).polluted).toBe(undefined)
      })

      test.each(['skip=-1', 'skip=a', 'take=0', 'take=101', 'take=1.5', 'take=', 'more=1', 'skip=1&skip=2'])(
        'SEC-08, SEC-40, V15.3.5: ?%s',
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

      test('SEC-07: a compressed body', async () => {
        await api().post('/api/v1/secret').set('Content-Encoding', 'gzip').send(good).expect(415)
      })

      test('SEC-07: a text over the limit, and a body far over it', async () => {
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

    describe('allowedIp', () => {
      const from = (address: string) => ({ 'X-Forwarded-For': address })
      test.each([
        ['203.0.113.7', '203.0.113.7', 200],
        ['203.0.113.0/24', '203.0.113.7', 200],
        ['203.0.113.0/24', '203.0.114.7', 404],
        ['2001:db8::/32', '2001:db8::1', 200],
        ['2001:db8::/32', '203.0.113.7', 404],
        ['0.0.0.0/0', '2001:db8::1', 404],
        ['203.0.113.7', '::ffff:203.0.113.7', 200],
        ['::ffff:203.0.113.0/120', '203.0.113.7', 200],
        ['::ffff:203.0.113.0/120', '203.0.114.7', 404],
        ['203.0.113.7', '203.0.113.7, 198.51.100.1', 404],
        ['198.51.100.1', '203.0.113.7, 198.51.100.1', 200],
        ['203.0.113.7', 'garbage', 404],
        ['203.0.113.7', '203.0.113.7:4711', 200],
        ['2001:db8::1', '[2001:db8::1]:4711', 200],
      ])('%s for a client at %s returns %i', async (allowedIp, address, status) => {
        const { body } = await api().post('/api/v1/secret').send({ text: TEXT, ttl: 60, allowedIp }).expect(201)
        await api().get(`/api/v1/secret/${body.id}`).set(from(address)).expect(status)
      })
    })

    describe('methods and paths', () => {
      test.each([
        ['DELETE', '/api/v1/secret', 405],
        ['PUT', '/api/v1/settings', 405],
        ['TRACE', '/api/v1/settings', 405],
        ['PATCH', '/api/v1/settings', 405],
        ['GET', '/api/v1/nothing', 404],
        ['GET', '/api', 404],
        ['GET', '/api/v2/settings', 404],
        ['POST', '/api/v1/secret/AAAAAAAAAAAAAAAAAAAAAA/other', 404],
      ])('V13.4.1: %s %s returns %i as an error body', async (method, path, status) => {
        const { body, headers } = await api()[method.toLowerCase() as 'get'](path).expect(status)
        expect(body).toMatchObject({ statusCode: status, code: expect.stringMatching(/^request\./) })
        expect(headers.allow).toEqual(status === 405 ? expect.stringContaining('GET') : undefined)
      })

      test('messages name the field once and describe the problem', async () => {
        const list = await api().get('/api/v1/secret/public?skip=x').expect(400)
        expect(list.body).toMatchObject({ field: 'skip', message: 'skip: must be a whole number' })
        const download = await api()
          .post('/api/v1/download')
          .send({ key: 'A'.repeat(43), secretId: 'x' })
          .expect(400)
        expect(download.body).toMatchObject({ field: 'secretId', message: 'secretId: is not valid' })
        for (const [body, message] of [
          [{ text: 1, ttl: 60 }, 'text: must be text'],
          [{ text: 'ä', ttl: 'ä' }, 'ttl: must be a number'],
          [{ text: 'ä', ttl: 1.5 }, 'ttl: must be a whole number'],
          [{ text: 'ä' }, 'ttl: is missing'],
        ] as const) {
          expect((await api().post('/api/v1/secret').send(body).expect(400)).body.message).toBe(message)
        }
      })

      test('V3.2.1, V3.4.1, V4.1.1: every response has the security headers', async () => {
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

    test('the log contains the route and nothing of the request', async () => {
      const canary = 'CANARY0123456789abcdefg'
      site.app.logged.length = 0
      await api().post('/api/v1/secret').send({ text: canary, ttl: 60, title: canary, password: canary })
      await api()
        .post('/api/v1/secret')
        .send({ text: canary, ttl: canary, [canary]: canary })
      await api().post('/api/v1/secret').type('json').send(`{"text":"${canary}`)
      await api().get(`/api/v1/secret/${canary}?${canary}=${canary}`).set('Mayfly-Access', canary)
      await api().get(`/secret/1${canary}/${canary}`).set('Cookie', canary).set('User-Agent', canary)
      await api().get(`/${canary}`).set('Referer', canary)
      const text = site.app.logged.join('')
      expect(text).toContain('"route":"/api/v1/secret/:id"')
      expect(text.match(/"msg":"request"/g)).toHaveLength(6)
      expect(text).not.toContain('CANARY')
    })
  },
  { shared: true, app: { settings: { maxTextBytes: 2048, trustedProxies: ['127.0.0.0/8', '::1'] } } },
)
