/** Sign-in by redirect: start, callback, and forged callbacks. */
import { expect, test } from 'vitest'
import { anOutsider, fakeAuth } from '#test/fake-auth'
import { OWN_PAGE, onMemory } from '#test/for-each-storage'
import { BASE, cookieIn, redirectCalls } from '#test/redirect-calls'
import type { AuthProvider, Identity } from '../contracts/auth-provider.js'

const MINUTES = 60_000

onMemory(
  (site) => {
    const { start, back, sessionOf } = redirectCalls(site)

    test('sign-in by redirect leads to the provider, back, and to the page in next', async () => {
      const { url, state, Cookie } = await start('?next=/account%3Ftab%3Dtokens')
      expect(url.origin).toBe('https://id.example.org')
      expect(url.searchParams.get('callback')).toBe(
        'https://secrets.example.org/api/v1/authentication/company/callback',
      )
      const identity = anOutsider()
      const response = await back(state, Cookie, identity)
      expect(response.headers.location).toBe('/account?tab=tokens')
      expect(await sessionOf(response)).toBe(identity.username)
      expect(cookieIn(response.headers, '__Host-redirect')).toBe('__Host-redirect=')
    })

    test('the redirect cookie is short-lived, HttpOnly, bound to the origin and encrypted', async () => {
      const response = await site.call('GET', `${BASE}/start`).expect(303)
      const [cookie = ''] = response.headers['set-cookie'] as unknown as string[]
      expect(cookie).toMatch(/^__Host-redirect=[\w-]+; Path=\/; Max-Age=600; SameSite=Lax; Secure; HttpOnly$/)
      const text = Buffer.from(cookie.split(/[=;]/)[1] ?? '', 'base64url').toString('latin1')
      expect(text).not.toContain('state of')
    })

    test.each<[string, (state: string, cookie: string) => [string, string] | Promise<[string, string]>]>([
      ['another state', (state, cookie) => [`${state.slice(1)}A`, cookie]],
      ['no state', (_, cookie) => ['', cookie]],
      ['the cookie of another browser', async (state) => [state, (await start()).Cookie]],
      ['no cookie', (state) => [state, '']],
      ['a changed cookie', (state, cookie) => [state, cookie.replace(/.$/, (end) => (end === 'A' ? 'Q' : 'A'))]],
      ['a forged cookie', (state) => [state, `__Host-redirect=${Buffer.from('{}').toString('base64url')}`]],
    ])('a callback with %s is refused', async (_, change) => {
      const { state, Cookie } = await start()
      const [sentState, sentCookie] = await change(state, Cookie)
      const response = await back(sentState, sentCookie)
      expect(response.headers.location).toBe('/signin?error=auth.refused')
      expect(await sessionOf(response)).toBeNull()
    })

    test('a callback is accepted for ten minutes', async () => {
      const { state, Cookie } = await start()
      site.app.clock.now += 10 * MINUTES
      expect((await back(state, Cookie)).headers.location).toBe('/signin?error=auth.refused')
      const again = await start()
      site.app.clock.now += 10 * MINUTES - 1
      expect((await back(again.state, again.Cookie)).headers.location).toBe('/')
    })

    test('a refused callback emits session.refused with the id of the provider', async () => {
      site.app.emitted.length = 0
      const { state, Cookie } = await start()
      await back(state, Cookie)
      expect(site.app.emitted.filter(([name]) => name === 'session.refused')).toEqual([])
      await back(state, Cookie)
      await site.call('GET', '/authentication/unknown/callback')
      expect(site.app.emitted.filter(([name]) => name === 'session.refused')).toEqual([
        ['session.refused', { provider: 'company' }],
      ])
    })

    test('a callback for one provider is refused for another', async () => {
      const { state, Cookie } = await start()
      const response = await back(state, Cookie, anOutsider(), '/authentication/other')
      expect(response.headers.location).toBe('/signin?error=auth.refused')
    })

    test.each([
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https://evil.example',
      'evil.example',
      '//evil.example/%2f..',
      '/\t/evil.example',
      '/\n/evil.example',
      'javascript:alert(1)',
      '',
      ' /',
      '/#key',
      '/%0d%0a\r\nX: y',
      '/\u2028',
      '/a\\b',
      `/${'a'.repeat(512)}`,
    ])('SEC-19: next=%j is refused', async (next) => {
      const { body } = await site.call('GET', `${BASE}/start?next=${encodeURIComponent(next)}`).expect(400)
      expect(body).toMatchObject({ code: 'request.invalid', field: 'next' })
    })

    test('two next parameters are refused', async () => {
      await site.call('GET', `${BASE}/start?next=/a&next=//evil.example`).expect(400)
    })

    test('a refused sign-in leads to the sign-in page with an error code', async () => {
      await site.app.settings.update({ disable_user_account_creation: true }, { username: null, address: null })
      const { state, Cookie } = await start()
      expect((await back(state, Cookie)).headers.location).toBe('/signin?error=auth.sign_up_disabled')
      await site.app.settings.update({ disable_user_account_creation: false }, { username: null, address: null })
      const { email } = await site.app.signUp()
      const again = await start()
      const response = await back(again.state, again.Cookie, anOutsider({ email }))
      expect(response.headers.location).toBe('/signin?error=auth.account_exists')
      const refusals = site.app.logged.filter((line) => line.includes('sign-in refused')).slice(-2)
      expect(refusals[0]).toContain('auth.sign_up_disabled')
      expect(refusals[1]).toContain('auth.account_exists')
      expect(refusals.join('')).not.toContain(email)
    })

    test('a sign-in without a role keeps the role of the account', async () => {
      const identity = anOutsider({ role: 'admin' })
      const signIn = async (asserted: Identity) => {
        const { state, Cookie } = await start()
        await back(state, Cookie, asserted)
        return (await site.app.storage.users.find(identity.username))?.role
      }
      expect(await signIn(identity)).toBe('admin')
      const { role: _, ...withoutRole } = identity
      expect(await signIn(withoutRole)).toBe('admin')
    })

    test('V6.1.3: instance settings apply to sign-in by redirect and by header', async () => {
      const shell = { username: null, address: null }
      const known = anOutsider()
      const first = await start()
      await back(first.state, first.Cookie, known)
      const come = async (identity: Identity) => {
        const { state, Cookie } = await start()
        const response = await back(state, Cookie, identity)
        expect(await sessionOf(response)).toBeNull()
        return response.headers.location
      }
      for (const [settings, who, code] of [
        [{ disable_users: true }, known, 'auth.users_disabled'],
        [{ disable_users: true }, anOutsider(), 'auth.users_disabled'],
        [{ restrict_organization_email: 'good.com' }, anOutsider(), 'auth.email_domain'],
        [{ disable_user_account_creation: true }, anOutsider(), 'auth.sign_up_disabled'],
      ] as const) {
        await site.app.settings.update(settings, shell)
        expect(await come(who)).toBe(`/signin?error=${code}`)
        const vouched = { 'X-Company-Identity': JSON.stringify(who) }
        expect((await site.call('GET', '/account', vouched).expect(403)).body.code).toBe(code)
        expect(await site.app.storage.users.findByEmail(who.email)).toEqual(who === known ? expect.anything() : null)
        const off = { disable_users: false, restrict_organization_email: '', disable_user_account_creation: false }
        await site.app.settings.update(off, shell)
      }
      // Earlier sessions have ended.
      site.app.clock.now += 1
    })

    test('an unknown provider or one without a redirect returns 404', async () => {
      for (const id of ['nobody', 'local', 'silent', 'A', '..', '%2e%2e']) {
        await site.call('GET', `/authentication/${id}/start`).expect(404)
        await site.call('GET', `/authentication/${id}/callback?state=x`).expect(404)
      }
    })

    test('a failing provider leads to auth.unavailable, and its error is not logged', async () => {
      const { headers } = await site.call('GET', '/authentication/broken/start').expect(303)
      expect(headers.location).toBe('/signin?error=auth.unavailable')
      expect(site.app.logged.join('')).not.toContain('a custom error code')
    })

    test('sign-in by redirect ends the previous session of the browser', async () => {
      const old = await site.app.as(await site.app.signUp())
      const { state, Cookie } = await start('', old)
      await back(state, Cookie)
      await site.call('GET', '/authentication/verify', old).expect(401)
    })

    test('connecting requires a same-origin request and a proof', async () => {
      const headers = await site.app.as(await site.app.signUp())
      for (const from of ['cross-site', 'same-site', 'none']) {
        await site.call('POST', `${BASE}/connect`, { ...headers, 'Sec-Fetch-Site': from }).expect(403)
      }
      site.app.clock.now += 10 * MINUTES
      const { body } = await site.call('POST', `${BASE}/connect`, { ...headers, ...OWN_PAGE }).expect(403)
      expect(body.code).toBe('auth.proof_required')
    })

    test('an account without a password is changed and deleted after a proof and cannot get a password', async () => {
      const { state, Cookie } = await start()
      const response = await back(state, Cookie)
      const headers = { Cookie: cookieIn(response.headers, '__Host-session'), ...OWN_PAGE }
      const update = (body: object) => site.call('PUT', '/account/update', headers, body)
      const passwords = { newPassword: 'long enough ☃', confirmNewPassword: 'long enough ☃' }
      expect((await update(passwords).expect(403)).body.code).toBe('auth.password_elsewhere')
      await update({ email: `${state.toLowerCase().replace(/\W/g, '')}@example.org` }).expect(200)
      site.app.clock.now += 10 * MINUTES
      expect((await update({ email: 'new@example.org' }).expect(403)).body.code).toBe('auth.proof_required')
      const remove = () => site.call('POST', '/account/delete', headers, {})
      expect((await remove().expect(403)).body.code).toBe('auth.proof_required')
      site.app.clock.now -= 10 * MINUTES
      await remove().expect(200)
      await site.call('GET', '/authentication/verify', headers).expect(401)
    })

    test('an account with a password is changed and deleted only with the password', async () => {
      const headers = await site.app.as(await site.app.signUp())
      expect((await site.call('POST', '/account/delete', headers, {}).expect(403)).body.code).toBe(
        'auth.password_wrong',
      )
      const { body } = await site.call('PUT', '/account/update', headers, { email: 'q@example.org' }).expect(403)
      expect(body.code).toBe('auth.password_wrong')
    })

    test('a user authenticated by a proxy header needs a same-origin request to change anything', async () => {
      const identity = anOutsider()
      const vouched = { 'X-Company-Identity': JSON.stringify(identity) }
      const { body } = await site.call('GET', '/account', vouched).expect(200)
      expect(body.user.username).toBe(identity.username)
      const create = (more: object) => site.call('POST', '/secret', { ...vouched, ...more }, { text: '☃', ttl: 60 })
      for (const from of [{}, { 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }]) {
        expect((await create(from).expect(403)).body.code).toBe('request.cross_site')
      }
      await create(OWN_PAGE).expect(201)
      // A token identifies the caller more precisely.
      const user = await site.app.signUp()
      const Authorization = `Bearer ${await site.app.tokenOf(user)}`
      const told = await site.call('GET', '/account', { ...vouched, Authorization }).expect(200)
      expect(told.body.user.username).toBe(user.username)
    })

    test('a proxy identity without access can use public endpoints only', async () => {
      const { email } = await site.app.signUp()
      const vouched = { 'X-Company-Identity': JSON.stringify(anOutsider({ email })) }
      await site.call('GET', '/settings', vouched).expect(200)
      await site.call('POST', '/secret', vouched, { text: '☃', ttl: 60 }).expect(409)
      expect((await site.call('GET', '/account', vouched).expect(409)).body.code).toBe('auth.account_exists')
    })
  },
  {
    shared: true,
    app: {
      auth: [
        fakeAuth(),
        fakeAuth({ ...only('other'), redirect: { label: 'Other', start: broken, finish: async () => anOutsider() } }),
        fakeAuth({ ...only('broken'), redirect: { label: 'Broken', start: broken, finish: broken } }),
        fakeAuth({ ...only('silent'), redirect: undefined as never }),
      ],
    },
  },
)

function only(id: string): Pick<AuthProvider, 'id' | 'header'> {
  return { id, header: async () => null }
}

async function broken(): Promise<never> {
  throw new TypeError('a custom error code')
}
