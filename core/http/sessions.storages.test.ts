/** Sessions and their cookies: start, refresh, rotation and end. */

import type { Response } from 'supertest'
import { expect, test } from 'vitest'
import { forEachStorage, OWN_PAGE } from '#test/for-each-storage'
import type { TestUser } from '#test/test-app'
import { openSession } from '../auth/sessions.js'

const DAY = 24 * 60 * 60_000
const WEEK_S = 7 * 24 * 60 * 60

/** Name -> its value and attributes, in lower case. */
function cookiesOf({ headers }: Response): Record<string, { value: string; rest: string[] }> {
  const lines = (headers['set-cookie'] ?? []) as unknown as string[]
  return Object.fromEntries(
    lines.map((line) => {
      const [pair = '', ...rest] = line.split('; ')
      const at = pair.indexOf('=')
      return [pair.slice(0, at), { value: pair.slice(at + 1), rest: rest.map((text) => text.toLowerCase()).sort() }]
    }),
  )
}

const sessionIn = (response: Response) => cookiesOf(response)['__Host-session']?.value ?? ''

const withSession = (token: string, more = {}) => ({ ...OWN_PAGE, Cookie: `__Host-session=${token}`, ...more })

const newcomer = { username: 'Alice_1', email: 'Alice@example.org', password: 'påsswörd ☃' }

forEachStorage((site) => {
  const signIn = ({ username, password }: Pick<TestUser, 'username' | 'password'>, headers = {}) =>
    site.call('POST', '/authentication/signin', { ...OWN_PAGE, ...headers }, { username, password })
  const verify = (token: string) => site.call('GET', '/authentication/verify', withSession(token))
  const statusOf = async (token: string) => (await verify(token)).status
  const signedIn = async (user: TestUser) => sessionIn(await signIn(user).expect(200))
  const refresh = (token: string) => site.call('GET', '/authentication/refresh', withSession(token))
  const audited = async () => {
    await site.app.audit.flush()
    const entries = await site.app.storage.audit.list({}, { skip: 0, take: 100 })
    return entries.map(({ action, actor }) => `${action} ${actor}`).reverse()
  }

  test('ten refreshes at once create one new token', async () => {
    const old = await signedIn(await site.app.signUp())
    const responses = await Promise.all(Array.from({ length: 10 }, () => refresh(old)))
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const fresh = responses.map(sessionIn).filter((token) => token !== '')
    expect(fresh).toHaveLength(1)
    expect(await statusOf(fresh[0] as string)).toBe(200)
  })

  site.once(() => {
    test('SEC-13: refresh returns a new token, and the old one works for 30 seconds', async () => {
      const user = await site.app.signUp()
      const old = await signedIn(user)
      site.app.clock.now += DAY
      const response = await refresh(old).expect(200, { username: user.username })
      const fresh = sessionIn(response)
      expect(cookiesOf(response)['__Host-session']?.rest).toContain(`max-age=${WEEK_S}`)
      site.app.clock.now += 29_999
      expect([await statusOf(old), await statusOf(fresh)]).toEqual([200, 200])
      // A request of another tab with the old token succeeds, without a third token.
      expect(cookiesOf(await refresh(old).expect(200))).toEqual({})
      site.app.clock.now += 7 * DAY - 30_000
      expect(await statusOf(fresh)).toBe(200)
    })

    test('SEC-13: reuse of an old token after its grace period ends the session and is recorded in the audit log', async () => {
      const user = await site.app.signUp()
      const old = await signedIn(user)
      const fresh = sessionIn(await refresh(old))
      site.app.clock.now += 30_000
      expect(await statusOf(old)).toBe(401)
      expect(await statusOf(fresh)).toBe(401)
      expect(await audited()).toContain(`session.reused ${user.username}`)
    })

    test('SEC-13: deleting an account, by its owner or an administrator, ends its sessions', async () => {
      const admin = await site.app.as(await site.app.signUp({ role: 'admin' }))
      const users = [await site.app.signUp(), await site.app.signUp(), await site.app.signUp()]
      const tokens = await Promise.all(users.map(signedIn))
      const [one, two, three] = users as [TestUser, TestUser, TestUser]
      await site.call('POST', '/account/delete', withSession(tokens[0] ?? ''), { password: one.password }).expect(200)
      await site.call('DELETE', '/admin/users', admin, { username: two.username }).expect(200)
      await site.call('DELETE', '/admin/sessions', admin, { username: three.username }).expect(200, { ended: 1 })
      expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 401, 401])
    })

    test('V7.1.1: a user has up to 20 sessions, and one more ends the oldest', async () => {
      const user = await site.app.signUp()
      const tokens: string[] = []
      for (let n = 0; n <= 20; n++) {
        site.app.clock.now += 1
        tokens.push((await openSession(site.app, user, '', 1)).token)
      }
      expect(await statusOf(tokens[0] ?? '')).toBe(401)
      expect(await statusOf(tokens[1] ?? '')).toBe(200)
      const { body } = await site.call('GET', '/account/sessions', withSession(tokens[20] ?? '')).expect(200)
      expect(body).toHaveLength(20)
    })

    test('V3.3.1: sign-up opens a session, with a cookie for the server, one for scripts, and one for the known device', async () => {
      const response = await site.call('POST', '/authentication/signup', OWN_PAGE, newcomer).expect(200)
      expect(response.body).toEqual({ username: 'alice_1' })
      const {
        '__Host-session': session,
        '__Host-public': shown,
        '__Host-device': device,
        ...others
      } = cookiesOf(response)
      expect(others).toEqual({})
      expect(session?.value).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(session?.rest).toEqual(['httponly', `max-age=${WEEK_S}`, 'path=/', 'samesite=strict', 'secure'])
      expect(shown?.rest).toEqual([`max-age=${WEEK_S}`, 'path=/', 'samesite=strict', 'secure'])
      expect(device?.rest).toEqual(['httponly', `max-age=${180 * 86_400}`, 'path=/', 'samesite=strict', 'secure'])
      const expirationDate = new Date(site.app.clock.now + 7 * DAY).toISOString()
      expect(shown?.value).toBe(Buffer.from(JSON.stringify({ username: 'alice_1', expirationDate })).toString('base64'))
      expect((await verify(session?.value ?? '').expect(200)).body).toEqual({
        username: 'alice_1',
        role: 'user',
        generated: false,
      })
      expect(site.app.emitted.map(([name]) => name)).toEqual(['user.created'])
      expect(await audited()).toEqual(['user.created null', 'session.opened alice_1'])
    })

    test('over plain HTTP the cookies lack the prefix and are not Secure', async () => {
      await site.restart({ settings: { publicUrl: 'http://localhost:3000' } })
      const cookies = cookiesOf(await site.call('POST', '/authentication/signup', OWN_PAGE, newcomer).expect(200))
      expect(Object.keys(cookies)).toEqual(['session', 'public', 'device'])
      expect(cookies.session?.rest).toEqual(['httponly', `max-age=${WEEK_S}`, 'path=/', 'samesite=strict'])
      const headers = { ...OWN_PAGE, Cookie: `session=${cookies.session?.value}` }
      await site.call('GET', '/authentication/verify', headers).expect(200)
    })

    test('V3.3.1: the server ignores the cookie for scripts', async () => {
      const user = await site.app.signUp()
      const admin = await site.app.signUp({ role: 'admin' })
      const token = await signedIn(user)
      const forged = Buffer.from(JSON.stringify({ username: admin.username, expirationDate: '2099-01-01T00:00:00Z' }))
      const headers = withSession(token, {
        Cookie: `__Host-public=${forged.toString('base64')}; __Host-session=${token}`,
      })
      const { body } = await site.call('GET', '/authentication/verify', headers).expect(200)
      expect(body.username).toBe(user.username)
      await site
        .call('GET', '/account', { ...OWN_PAGE, Cookie: `__Host-public=${forged.toString('base64')}` })
        .expect(401)
    })

    test('SEC-13: sign-in replaces a session token that the browser sends', async () => {
      const user = await site.app.signUp()
      const chosen = 'A'.repeat(43)
      const first = sessionIn(await signIn(user, { Cookie: `__Host-session=${chosen}` }).expect(200))
      expect(first).not.toBe(chosen)
      expect(await statusOf(chosen)).toBe(401)
      const second = sessionIn(await signIn(user, { Cookie: `__Host-session=${first}` }).expect(200))
      expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200])
    })

    test.each([
      'eyJhbGciOiJub25lIn0.eyJ1c2VybmFtZSI6ImFkbWluIn0.',
      'x'.repeat(43),
      '',
      '%00',
      "' or 1=1 --",
      '__proto__',
    ])('session token %j is refused', async (token) => {
      await site.app.signUp({ username: 'admin', role: 'admin' })
      expect(await statusOf(encodeURIComponent(token))).toBe(401)
      expect(await statusOf(token)).toBe(401)
    })

    test('SEC-13: sign-out ends the session and clears both cookies', async () => {
      const token = await signedIn(await site.app.signUp())
      const response = await site
        .call('POST', '/authentication/signout', withSession(token))
        .expect(200, { signout: 'ok' })
      const rest = ['max-age=0', 'path=/', 'samesite=strict', 'secure']
      expect(cookiesOf(response)).toEqual({
        '__Host-session': { value: '', rest: ['httponly', ...rest].sort() },
        '__Host-public': { value: '', rest },
      })
      expect(response.headers['clear-site-data']).toBe('"cache", "storage"')
      expect(await statusOf(token)).toBe(401)
      await site.call('POST', '/authentication/signout', withSession(token)).expect(200)
    })

    test('V7.1.1: a session expires after seven days', async () => {
      const token = await signedIn(await site.app.signUp())
      site.app.clock.now += 7 * DAY - 1
      expect(await statusOf(token)).toBe(200)
      site.app.clock.now += 1
      expect(await statusOf(token)).toBe(401)
      await refresh(token).expect(401)
    })

    test('HEAD of a refresh does not replace the token', async () => {
      const token = await signedIn(await site.app.signUp())
      const response = await site.call('HEAD', '/authentication/refresh', withSession(token)).expect(200)
      expect(cookiesOf(response)).toEqual({})
      site.app.clock.now += 60_000
      expect(await statusOf(token)).toBe(200)
      await site.call('HEAD', '/authentication/refresh', OWN_PAGE).expect(401)
    })

    test('V7.1.1: refresh extends a session to up to 30 days', async () => {
      let token = await signedIn(await site.app.signUp())
      for (const left of [7, 7, 7, 6]) {
        site.app.clock.now += 6 * DAY
        const response = await refresh(token).expect(200)
        expect(cookiesOf(response)['__Host-session']?.rest).toContain(`max-age=${left * 24 * 60 * 60}`)
        token = sessionIn(response)
      }
      site.app.clock.now += 6 * DAY - 1
      expect(await statusOf(token)).toBe(200)
      site.app.clock.now += 1
      expect(await statusOf(token)).toBe(401)
    })

    test.each([31, 400])('REL-09, REL-22: sign-in works %i days after the process started', async (days) => {
      const user = await site.app.signUp()
      site.app.clock.now += days * DAY
      const response = await signIn(user).expect(200)
      expect(cookiesOf(response)['__Host-session']?.rest).toContain(`max-age=${WEEK_S}`)
      const shown = Buffer.from(cookiesOf(response)['__Host-public']?.value ?? '', 'base64').toString()
      expect(Date.parse(JSON.parse(shown).expirationDate)).toBe(site.app.clock.now + 7 * DAY)
      expect(await statusOf(sessionIn(response))).toBe(200)
    })

    test('SEC-13: a password change ends the other sessions and rotates the token of this one', async () => {
      const user = await site.app.signUp()
      const [here, there] = [await signedIn(user), await signedIn(user)]
      const body = { currentPassword: user.password, newPassword: 'néw ånd long', confirmNewPassword: 'néw ånd long' }
      const response = await site.call('PUT', '/account/update', withSession(here), body).expect(200)
      const fresh = sessionIn(response)
      expect([await statusOf(here), await statusOf(there), await statusOf(fresh)]).toEqual([401, 401, 200])
      await signIn(user).expect(401)
      await signIn({ ...user, password: 'néw ånd long'.normalize('NFD') }).expect(200)
    })

    test('an email change does not end sessions', async () => {
      const user = await site.app.signUp()
      const there = await signedIn(user)
      const body = { currentPassword: user.password, email: 'other@example.org' }
      const { body: response } = await site.call('PUT', '/account/update', await site.app.as(user), body).expect(200)
      expect(response.user.email).toBe('other@example.org')
      expect(await statusOf(there)).toBe(200)
    })

    test('SEC-13: a role change ends all sessions of the user', async () => {
      const admin = await site.app.as(await site.app.signUp({ role: 'admin' }))
      const user = await site.app.signUp()
      const token = await signedIn(user)
      await site.call('PUT', '/admin/users', admin, { username: user.username, role: 'user' }).expect(200)
      expect(await statusOf(token)).toBe(200)
      await site.call('PUT', '/admin/users', admin, { username: user.username, role: 'admin' }).expect(200)
      expect(await statusOf(token)).toBe(401)
    })

    test('SEC-13: disable_users ends the sessions of users for good and keeps the sessions of administrators', async () => {
      const [user, boss] = [await site.app.signUp(), await site.app.signUp({ role: 'admin' })]
      const [theirs, ours] = [await signedIn(user), await signedIn(boss)]
      const set = (disable_users: boolean) =>
        site.call('PUT', '/admin/settings', withSession(ours), { disable_users }).expect(200)
      site.app.clock.now += 1
      await set(true)
      expect((await verify(theirs).expect(403)).body.code).toBe('auth.users_disabled')
      expect((await signIn(user).expect(403)).body.code).toBe('auth.users_disabled')
      expect((await signIn({ ...user, password: 'wrong' }).expect(401)).body.code).toBe('auth.invalid_credentials')
      await signIn(boss).expect(200)
      site.app.clock.now += 1
      await set(false)
      expect([await statusOf(theirs), await statusOf(ours)]).toEqual([401, 200])
      await signIn(user).expect(200)
    })

    test('V7.4.4: users list their sessions and end one or all others', async () => {
      const user = await site.app.signUp()
      const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
      const here = sessionIn(await signIn(user, { 'User-Agent': agent }).expect(200))
      site.app.clock.now += 60_000
      const there = await signedIn(user)
      site.app.clock.now += 1
      const other = await signedIn(await site.app.signUp())
      const list = async () => (await site.call('GET', '/account/sessions', withSession(here)).expect(200)).body
      const [first, second] = await list()
      expect(first).toEqual({
        id: expect.any(String),
        client: 'Firefox on Linux',
        current: true,
        seenAt: site.app.clock.now,
        createdAt: site.app.clock.now - 60_001,
        expiresAt: site.app.clock.now - 60_001 + 7 * DAY,
      })
      expect(second).toMatchObject({ client: '', current: false, createdAt: site.app.clock.now - 1 })
      const end = (token: string, body: object) => site.call('DELETE', '/account/sessions', withSession(token), body)
      expect((await end(other, { id: second.id }).expect(404)).body.code).toBe('session.not_found')
      await end(here, { id: second.id }).expect(204)
      expect([await statusOf(here), await statusOf(there), await statusOf(other)]).toEqual([200, 401, 200])
      const another = await signedIn(user)
      const inQuery = site.call('DELETE', '/account/sessions?id=x', withSession(here), {})
      expect((await inQuery.expect(400)).body).toMatchObject({ code: 'request.invalid', field: 'id' })
      expect(await statusOf(another)).toBe(200)
      await end(here, {}).expect(204)
      expect([await statusOf(here), await statusOf(another)]).toEqual([200, 401])
      expect(cookiesOf(await end(here, { id: first.id }).expect(204))['__Host-session']?.value).toBe('')
      expect(await statusOf(here)).toBe(401)
    })
  })
})
