/** Device login over HTTP: codes, approval, the token, and the end of a login. */
import { expect, test } from 'vitest'
import { delayedPost } from '#test/delayed-request'
import { forEachStorage, OWN_PAGE, onMemory, type Site } from '#test/for-each-storage'
import type { TestUser } from '#test/test-app'
import { aHash, aToken } from '../testing/lib/fixtures.js'
import { lockOut } from './lock-out.js'

const MINUTE = 60_000
const START = { client: 'mayfly on Büro ☃', scopes: ['secrets:create', 'account'] }
const OTHER_ADDRESS = { 'X-Forwarded-For': '2001:db8:1::1' }
/** The loopback, where the tests are, names the client. */
const BEHIND_PROXY = { settings: { trustedProxies: ['127.0.0.1'] } }

const start = async ({ call }: Site, headers: Record<string, string> = {}) =>
  (await call('POST', '/authentication/device', { ...OWN_PAGE, ...headers }, START).expect(200)).body

/** As a program polls: the minimum time after the previous request. */
async function poll(site: Site, deviceCode: string, headers: Record<string, string> = {}) {
  site.app.clock.now += 2000
  return site.call('POST', '/authentication/device/token', { ...OWN_PAGE, ...headers }, { deviceCode })
}

const decide = async ({ app, call }: Site, user: TestUser, code: string, approve = true) =>
  call('POST', '/account/device', await app.as(user), { code, approve })

forEachStorage((site) => {
  test('SEC-51: a device login gives one token to one of several requests, once', async () => {
    const user = await site.app.signUp()
    const { deviceCode, userCode, ...started } = await start(site)
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(deviceCode).toMatch(/^[\w-]{43}$/)
    expect(started).toEqual({
      verificationUrl: `https://secrets.example.org/account/device?code=${userCode}`,
      expiresInSeconds: 600,
      intervalSeconds: 2,
    })
    expect((await poll(site, deviceCode)).body.code).toBe('auth.device_pending')
    const session = await site.app.as(user)
    const pending = await site.call('GET', `/account/device?code=${userCode}`, session).expect(200)
    expect(pending.body).toMatchObject({ ...START, address: '127.0.0.1' })
    await site.call('POST', '/account/device', session, { code: userCode, approve: true }).expect(204)
    // Of requests at the same time, the first one takes the interval.
    const [first, ...others] = (await Promise.all(Array.from({ length: 5 }, () => poll(site, deviceCode)))).sort(
      (one, other) => one.status - other.status,
    )
    expect(first?.status).toBe(200)
    for (const { body } of others) expect(['auth.device_slow_down', 'auth.device_expired']).toContain(body.code)
    expect(first?.body).toMatchObject({ name: START.client, scopes: START.scopes, usedAt: null })
    const { token, ...listed } = first?.body ?? {}
    expect((await site.call('GET', '/account/tokens', session).expect(200)).body).toEqual([listed])
    await site.call('GET', '/account', { Authorization: `Bearer ${token}` }).expect(200)
    expect((await poll(site, deviceCode)).body.code).toBe('auth.device_expired')
    const kept = JSON.stringify(await site.app.storage.tokens.list(user.id, site.app.clock.now))
    for (const secret of [token.slice(12), deviceCode]) {
      expect(kept).not.toContain(secret)
      expect(site.app.logged.join()).not.toContain(secret)
    }
  })

  site.once(() => {
    test('a code is accepted as the user types it, and only once', async () => {
      const [user, other] = [await site.app.signUp(), await site.app.signUp()]
      const { deviceCode, userCode } = await start(site)
      const typed = ` ${userCode.toLowerCase().replace('-', ' ')} `
      expect((await decide(site, user, typed)).status).toBe(204)
      for (const approve of [true, false]) {
        expect((await decide(site, other, userCode, approve)).body.code).toBe('auth.device_expired')
      }
      expect((await poll(site, deviceCode)).status).toBe(200)
      expect(await site.app.storage.tokens.list(other.id, site.app.clock.now)).toEqual([])
      expect((await decide(site, user, 'BCDF-GHJ0')).body).toMatchObject({ code: 'request.invalid', field: 'code' })
    })

    test('a denied login gets no token, and an expired one cannot be approved or claimed', async () => {
      const user = await site.app.signUp()
      const [denied, late, approved] = [await start(site), await start(site), await start(site)]
      expect((await decide(site, user, denied.userCode, false)).status).toBe(204)
      expect((await decide(site, user, approved.userCode)).status).toBe(204)
      expect((await poll(site, denied.deviceCode)).body.code).toBe('auth.device_denied')
      site.app.clock.now += 10 * MINUTE
      const session = await site.app.as(user)
      for (const { userCode, deviceCode } of [denied, late, approved]) {
        const path = `/account/device?code=${userCode}`
        expect((await site.call('GET', path, session).expect(403)).body.code).toBe('auth.device_expired')
        expect((await poll(site, deviceCode)).body.code).toBe('auth.device_expired')
      }
      expect((await decide(site, user, late.userCode)).body.code).toBe('auth.device_expired')
      expect(await site.app.storage.tokens.list(user.id, site.app.clock.now)).toEqual([])
    })

    test('SEC-48, SEC-51: a lock-out, a suspension and a deleted account end an approved login', async () => {
      const ends: [string, (user: TestUser) => Promise<unknown>][] = [
        ['auth.device_expired', (user) => lockOut(site.app, user, {})],
        ['auth.suspended', ({ id }) => site.app.storage.users.update(id, { suspendedAt: site.app.clock.now })],
        ['auth.device_expired', ({ id }) => site.app.storage.users.remove(id, site.app.clock.now)],
      ]
      for (const [code, end] of ends) {
        const user = await site.app.signUp()
        const { deviceCode, userCode } = await start(site)
        expect((await decide(site, user, userCode)).status).toBe(204)
        await end(user)
        expect((await poll(site, deviceCode)).body.code).toBe(code)
        expect(await site.app.storage.tokens.list(user.id, site.app.clock.now)).toEqual([])
      }
    })

    test('SEC-48: an approval that names another epoch of its user is absent', async () => {
      const { deviceLogins, rows } = site.app.storage
      const user = await site.app.signUp()
      await decide(site, user, (await start(site)).userCode)
      const [approved] = (await rows?.find('device_logins', 'user_id', [user.id])) ?? []
      const forged = { ...approved, hash: aHash(), user_code_hash: aHash(), epoch: user.epoch + 1 }
      await rows?.write('device_logins', [forged])
      const { hash } = forged
      expect(await deviceLogins.find(hash, site.app.clock.now)).toBeNull()
      const claim = { hash, token: aToken({ userId: user.id }), max: 9, events: [] }
      expect(await deviceLogins.claim(claim, site.app.clock.now)).toBe(false)
    })

    test('an approval of a session that ends meanwhile does not count', async () => {
      const user = await site.app.signUp()
      const { deviceCode, userCode } = await start(site)
      const body = { code: userCode, approve: true }
      const { finish } = await delayedPost(site.port, '/account/device', await site.app.as(user), body)
      await site.app.storage.sessions.endAll(user.id)
      expect((await finish()).status).toBe(401)
      expect((await poll(site, deviceCode)).body.code).toBe('auth.device_pending')
    })
  })
})

onMemory((site) => {
  test('SEC-51: only the network that started a login gets its token', async () => {
    await site.restart(BEHIND_PROXY)
    const user = await site.app.signUp()
    const { deviceCode, userCode } = await start(site, OTHER_ADDRESS)
    const read = await site.call('GET', `/account/device?code=${userCode}`, await site.app.as(user)).expect(200)
    expect(read.body.address).toBe('2001:db8:1::1')
    expect((await decide(site, user, userCode)).status).toBe(204)
    for (const address of ['2001:db8:1:1::1', '192.0.2.1']) {
      const { body } = await poll(site, deviceCode, { 'X-Forwarded-For': address })
      expect(body.code).toBe('auth.device_expired')
    }
    // Another temporary address of the same machine.
    expect((await poll(site, deviceCode, { 'X-Forwarded-For': '2001:db8:1::abcd' })).status).toBe(200)
  })

  test('a poll before the end of the interval gets the error to slow down, and changes nothing', async () => {
    const user = await site.app.signUp()
    const { deviceCode, userCode } = await start(site)
    expect((await poll(site, deviceCode)).body.code).toBe('auth.device_pending')
    await decide(site, user, userCode)
    site.app.clock.now += 1000
    const early = await site.call('POST', '/authentication/device/token', OWN_PAGE, { deviceCode }).expect(400)
    expect(early.body.code).toBe('auth.device_slow_down')
    expect((await poll(site, deviceCode)).status).toBe(200)
  })

  test.each([
    ['admin', { ...START, scopes: ['admin'] }, 'scopes.0'],
    ['admin:read', { ...START, scopes: ['account', 'admin:read'] }, 'scopes.1'],
    ['none', { ...START, scopes: [] }, 'scopes'],
    ['a long name', { ...START, client: 'x'.repeat(65) }, 'client'],
    ['control characters', { ...START, client: 'mayfly\non x' }, 'client'],
  ])('a login cannot ask for %s', async (_, body, field) => {
    const { body: response } = await site.call('POST', '/authentication/device', OWN_PAGE, body).expect(400)
    expect(response).toMatchObject({ code: 'request.invalid', field })
  })

  test('SEC-12: pages of other sites, API tokens and visitors are refused', async () => {
    const user = await site.app.signUp()
    const { deviceCode, userCode } = await start(site)
    const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }
    for (const headers of [foreign, {}]) {
      const started = await site.call('POST', '/authentication/device', headers, START).expect(403)
      const claimed = await site.call('POST', '/authentication/device/token', headers, { deviceCode }).expect(403)
      for (const { body } of [started, claimed]) expect(body.code).toBe('request.cross_site')
    }
    const token = { Authorization: `Bearer ${await site.app.tokenOf(user)}` }
    for (const [headers, status] of [
      [token, 403],
      [OWN_PAGE, 401],
    ] as const) {
      await site.call('GET', `/account/device?code=${userCode}`, headers).expect(status)
      await site.call('POST', '/account/device', headers, { code: userCode, approve: true }).expect(status)
    }
  })

  test('SEC-51: an approval needs a proof within ten minutes', async () => {
    const user = await site.app.signUp()
    const session = await site.app.as(user)
    site.app.clock.now += 10 * MINUTE
    const { userCode } = await start(site)
    await site.call('GET', `/account/device?code=${userCode}`, session).expect(200)
    const late = await site.call('POST', '/account/device', session, { code: userCode, approve: true }).expect(403)
    expect(late.body.code).toBe('auth.proof_required')
    expect((await decide(site, user, userCode)).status).toBe(204)
  })

  test('a full list of tokens refuses the claim, which works again when one is deleted', async () => {
    const user = await site.app.signUp()
    const session = await site.app.as(user)
    const tokens = await Promise.all(Array.from({ length: 100 }, () => site.app.tokenOf(user)))
    const { deviceCode, userCode } = await start(site)
    await decide(site, user, userCode)
    expect((await poll(site, deviceCode)).body.code).toBe('token.limit_reached')
    const [, id] = (tokens[0] ?? '').split('_')
    await site.call('DELETE', '/account/tokens', session, { id }).expect(204)
    expect((await poll(site, deviceCode)).status).toBe(200)
  })

  test('approvals, denials and tokens are in the audit log, without codes', async () => {
    const user = await site.app.signUp()
    const [approved, denied] = [await start(site), await start(site)]
    await decide(site, user, approved.userCode)
    await decide(site, user, denied.userCode, false)
    await poll(site, approved.deviceCode)
    await site.app.audit.flush()
    const entries = await site.app.storage.audit.list({ actor: user.username }, { skip: 0, take: 10 })
    expect(entries.map(({ action }) => action).sort()).toEqual(['device.approved', 'device.denied', 'token.created'])
    for (const { userCode, deviceCode } of [approved, denied]) {
      for (const code of [userCode, userCode.replace('-', ''), deviceCode]) {
        expect(JSON.stringify(entries)).not.toContain(code)
      }
    }
  })
})

onMemory(
  (site) => {
    test('SEC-51: codes cannot be guessed: tries are counted by account and by address', async () => {
      const user = await site.app.signUp()
      const { userCode } = await start(site)
      const session = await site.app.as(user)
      const tries = Array.from({ length: 30 }, (_, at) =>
        site.call('GET', `/account/device?code=BCDFGHJ${'BCDFGHJKLMNPQRSTVWXZ'[at % 20]}`, session),
      )
      for (const { body } of await Promise.all(tries)) expect(body.code).toBe('auth.device_expired')
      const { body } = await decide(site, user, userCode)
      expect(body.code).toBe('limit.reached')
      // Another account of the same address, until the address has used its own tries.
      const other = await site.app.signUp()
      expect((await decide(site, other, userCode)).status).toBe(204)
    })
  },
  { app: { settings: { limits: '' } } },
)
