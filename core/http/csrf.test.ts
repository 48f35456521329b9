/** Cross-site request forgery: requests that another site can make a browser send, with and without a session. */
import { expect, test } from 'vitest'
import { onMemory } from '#test/for-each-storage'

/** Headers that browsers send, and whether they come from a page of the instance. */
const SENT: [name: string, headers: Record<string, string>, isOwn: boolean][] = [
  ['a page of ours', { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://secrets.example.org' }, true],
  ['a page of ours in an old browser', { Origin: 'https://secrets.example.org' }, true],
  ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }, false],
  ['another site in an old browser', { Origin: 'https://evil.example' }, false],
  ['a sibling', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.example.org' }, false],
  ['a sibling in an old browser', { Origin: 'https://evil.example.org' }, false],
  ['the same name by http', { Origin: 'http://secrets.example.org' }, false],
  ['the same name with a port', { Origin: 'https://secrets.example.org:8443' }, false],
  ['a longer name', { Origin: 'https://secrets.example.org.evil.example' }, false],
  ['the address bar', { 'Sec-Fetch-Site': 'none' }, false],
  ['a sandbox', { Origin: 'null' }, false],
  [
    'a site that lies about Sec-Fetch-Site',
    { 'Sec-Fetch-Site': 'nonsense', Origin: 'https://secrets.example.org' },
    false,
  ],
  ['who says nothing', {}, false],
  ['an IP address', { Origin: 'http://127.0.0.1:3000', Host: '127.0.0.1:3000' }, false],
]

/** Endpoints that change something or reveal who is signed in. */
const CALLS: [method: string, path: string, body: object | undefined, status: number][] = [
  ['POST', '/secret', { text: '☃', ttl: 60 }, 201],
  ['GET', '/authentication/verify', undefined, 200],
  ['GET', '/authentication/refresh', undefined, 200],
  ['POST', '/authentication/signin', { username: 'alice', password: 'no' }, 401],
  ['POST', '/authentication/signup', { username: 'x', password: 'y', email: 'z' }, 400],
  ['POST', '/authentication/setup', { code: 'no' }, 400],
  ['POST', '/account/tokens', { name: 'ci' }, 201],
  ['DELETE', '/account/sessions', {}, 204],
  ['PUT', '/admin/settings', { read_only: false }, 200],
  ['POST', '/authentication/signout', undefined, 200],
]

onMemory(
  (site) => {
    test.each(SENT)('SEC-12: %s', async (_, headers, isOwn) => {
      const user = await site.app.signUp({ role: 'admin' })
      const { Cookie = '' } = await site.app.as(user)
      const responses: unknown[] = []
      for (const [method, path, body] of CALLS) {
        const { status, body: response } = await site.call(method, path, { ...headers, Cookie }, body)
        responses.push([method, path, status, status === 403 ? response.code : ''])
        // The next request needs the cookie that only the browser has.
        if (path.endsWith('refresh')) site.app.clock.now += 1000
      }
      const wanted = CALLS.map(([method, path, , status]) =>
        isOwn ? [method, path, status, ''] : [method, path, 403, 'request.cross_site'],
      )
      expect(responses).toEqual(wanted)
      const left = await site.app.storage.sessions.list(user.id, site.app.clock.now)
      const tokens = await site.app.storage.tokens.list(user.id, site.app.clock.now)
      expect([left.length, tokens.length]).toEqual(isOwn ? [0, 1] : [1, 0])
    })

    // Login CSRF: a page of an attacker signs the victim in to the attacker's account, for which no cookie is needed.
    test.each(SENT)(
      'SEC-12: sign-in, sign-up, set-up and sign-out without a cookie from %s',
      async (_, headers, isOwn) => {
        const { username, password } = await site.app.signUp()
        const calls: [path: string, body: object, status: number][] = [
          ['/authentication/signin', { username, password }, 200],
          ['/authentication/signup', { username: 'x', password: 'y', email: 'z' }, 400],
          ['/authentication/setup', { code: 'no' }, 400],
          ['/authentication/signout', {}, 200],
        ]
        for (const [path, body, status] of calls) {
          const response = await site.call('POST', path, headers, body)
          const isRefused = response.body.code === 'request.cross_site'
          expect([path, response.status, isRefused]).toEqual([path, isOwn ? status : 403, !isOwn])
          if (!isOwn) expect(response.headers['set-cookie']).toBeUndefined()
        }
      },
    )

    test.each([
      ['application/x-www-form-urlencoded', 'read_only=true'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="read_only"\r\n\r\ntrue\r\n--x--',
      ],
      ['text/plain', '{"read_only":true}'],
      ['application/json', '{"read_only":true}'],
    ])('a cross-site form of type %s changes nothing', async (type, text) => {
      const { Cookie = '' } = await site.app.as(await site.app.signUp({ role: 'admin' }))
      const headers = { Cookie, 'Content-Type': type, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' }
      const { body } = await site.call('PUT', '/admin/settings', headers, text).expect(403)
      expect(body.code).toBe('request.cross_site')
      expect((await site.app.settings.current()).read_only).toBe(false)
    })

    test('SEC-12, SEC-29: a same-origin form is not a request of the API', async () => {
      const headers = await site.app.as(await site.app.signUp({ role: 'admin' }))
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/json; charset=latin1']) {
        await site
          .call('PUT', '/admin/settings', { ...headers, 'Content-Type': type }, '{"read_only":true}')
          .expect(415)
      }
      expect((await site.app.settings.current()).read_only).toBe(false)
    })

    test('requests with a token and requests of visitors do not need an origin', async () => {
      const token = await site.app.tokenOf(await site.app.signUp())
      const headers = { Authorization: `Bearer ${token}`, 'Sec-Fetch-Site': 'cross-site' }
      await site.call('POST', '/secret', headers, { text: '☃', ttl: 60 }).expect(201)
      await site.call('GET', '/authentication/verify', headers).expect(200)
      await site.call('POST', '/secret', { Origin: 'https://evil.example' }, { text: '☃', ttl: 60 }).expect(201)
    })

    test('SEC-12: a cookie is ignored when a token is sent', async () => {
      const [boss, user] = [await site.app.signUp({ role: 'admin' }), await site.app.signUp()]
      const Authorization = `Bearer ${await site.app.tokenOf(user)}`
      const headers = { ...(await site.app.as(boss)), Authorization }
      expect((await site.call('GET', '/account', headers).expect(200)).body.user.username).toBe(user.username)
      await site.call('GET', '/account', { ...headers, Authorization: 'Bearer nonsense' }).expect(401)
      const refresh = await site.call('GET', '/authentication/refresh', headers).expect(401)
      expect(refresh.headers['set-cookie']).toBe(undefined)
    })
  },
  { shared: true },
)

onMemory((site) => {
  test('without publicUrl the Host header is the own origin if it is an IP address', async () => {
    await site.restart({ settings: { publicUrl: 'http://localhost:3000', anyAddress: true } })
    const { Cookie = '' } = await site.app.as(await site.app.signUp())
    const verify = (Origin: string, Host: string) =>
      site.call('GET', '/authentication/verify', { Cookie, Origin, Host })
    await verify('http://192.168.1.9:3000', '192.168.1.9:3000').expect(200)
    await verify('http://[fe80::1]:3000', '[fe80::1]:3000').expect(200)
    await verify('http://localhost:4711', 'LocalHost:4711').expect(200)
    await verify('http://192.168.1.10:3000', '192.168.1.9:3000').expect(403)
    await verify('https://192.168.1.9:3000', '192.168.1.9:3000').expect(403)
    // A name of a stranger that resolves to this machine.
    await verify('http://evil.example:3000', 'evil.example:3000').expect(421)
    await verify('http://evil.example:3000', '127.0.0.1:3000').expect(403)
    await verify('http://127.0.0.1.evil.example', '127.0.0.1.evil.example').expect(421)
  })
})
