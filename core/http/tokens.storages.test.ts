/** API tokens: creation, authentication, scopes, limits and end. */

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { delayedPost } from '#test/delayed-request'
import { forEachStorage, type Site } from '#test/for-each-storage'
import type { TestUser } from '#test/test-app'
import { setUserPassword } from '../auth/administer-users.js'
import { createTokenText, formatToken } from '../auth/api-token-format.js'
import { LOCAL_CLI } from '../contracts/auth-context.js'
import type { CreateToken } from '../shared/api/index.js'

const DAY = 24 * 60 * 60_000
const secret = { text: '☃'.repeat(10), ttl: 60 }

const basic = (token: string, password = '') => ({
  Authorization: `Basic ${Buffer.from(`${token}:${password}`).toString('base64')}`,
})
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

async function inSession({ app, call }: Site, user: TestUser) {
  const headers = await app.as(user)
  return {
    make: (body: CreateToken) => call('POST', '/account/tokens', headers, body),
    list: async () => (await call('GET', '/account/tokens', headers).expect(200)).body,
    remove: (id: string) => call('DELETE', '/account/tokens', headers, { id }),
  }
}

forEachStorage((site) => {
  const { call } = site

  test('a token with maxSecrets 2 creates two secrets under concurrent requests', async () => {
    const user = await site.app.signUp()
    const headers = bearer(await site.app.tokenOf(user, { maxSecrets: 2 }))
    const responses = await Promise.all(Array.from({ length: 12 }, () => call('POST', '/secret', headers, secret)))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(10).fill(403)])
    expect(responses.find(({ status }) => status === 403)?.body.code).toBe('token.used_up')
    const [left] = await site.app.storage.tokens.list(user.id, site.app.clock.now)
    expect(left).toMatchObject({ secretsLeft: 0 })
    expect(await site.app.storage.secrets.listByOwner(user.id, { skip: 0, take: 9 }, site.app.clock.now)).toHaveLength(
      2,
    )
  })

  /** Four parallel creates: all have looked for an earlier response before the first one charges the token. */
  async function createTwins(headers: Record<string, string>) {
    const { tokens } = site.app.storage
    const { spend } = tokens
    const held: (() => void)[] = []
    tokens.spend = async (...args) => {
      await new Promise<void>((resolve) => {
        if (held.push(resolve) === 4) for (const release of held) release()
      })
      return spend(...args)
    }
    const responses = await Promise.all(Array.from({ length: 4 }, () => call('POST', '/secret', headers, secret)))
    tokens.spend = spend
    return responses
  }

  test('parallel creates with one idempotency key charge a token for one secret', async () => {
    const user = await site.app.signUp()
    const headers = bearer(await site.app.tokenOf(user, { maxSecrets: 4, maxBytes: 100_000 }))
    const responses = await createTwins({ ...headers, 'Idempotency-Key': 'once' })
    expect(responses.map(({ status, body }) => [status, body.id])).toEqual(Array(4).fill([201, responses[0]?.body.id]))
    const readLeft = async () => (await site.app.storage.tokens.list(user.id, site.app.clock.now))[0]
    const first = await readLeft()
    expect(first).toMatchObject({ secretsLeft: 3 })
    await call('POST', '/secret', headers, secret).expect(201)
    const second = await readLeft()
    expect(100_000 - Number(first?.bytesLeft)).toBe(Number(first?.bytesLeft) - Number(second?.bytesLeft))
  })

  test('parallel creates with one idempotency key and a token for one secret get the same response', async () => {
    const user = await site.app.signUp()
    const headers = { ...bearer(await site.app.tokenOf(user, { maxSecrets: 1 })), 'Idempotency-Key': 'once' }
    const responses = await createTwins(headers)
    expect(responses.map(({ status, body }) => [status, body.id])).toEqual(Array(4).fill([201, responses[0]?.body.id]))
    const [left] = await site.app.storage.tokens.list(user.id, site.app.clock.now)
    expect(left).toMatchObject({ secretsLeft: 0 })
    const other = await call('POST', '/secret', headers, { ...secret, ttl: 61 }).expect(409)
    expect(other.body.code).toBe('request.idempotency_mismatch')
    const fresh = await call('POST', '/secret', { ...headers, 'Idempotency-Key': 'twice' }, secret).expect(403)
    expect(fresh.body.code).toBe('token.used_up')
  })

  test('a token without enough quota cannot begin an upload', async () => {
    const user = await site.app.signUp()
    const small = bearer(await site.app.tokenOf(user, { maxBytes: 1000 }))
    const begin = (headers: Record<string, string>, size: number) => call('POST', '/files', headers, { size, parts: 1 })
    expect((await begin(small, 1001).expect(403)).body.code).toBe('token.used_up')
    const { id, token } = (await begin(small, 1000).expect(201)).body
    // Open uploads reserve the bytes, until they are canceled or expire.
    expect((await begin(small, 1).expect(403)).body.code).toBe('token.used_up')
    await begin(bearer(await site.app.tokenOf(user, { maxBytes: 9 })), 9).expect(201)
    await call('DELETE', `/files/${id}`, { Authorization: `Upload ${token}` }).expect(204)
    const begun = await Promise.all(Array.from({ length: 20 }, () => begin(small, 300)))
    expect(begun.filter(({ status }) => status === 201)).toHaveLength(3)
    site.app.clock.now += DAY
    await begin(small, 1000).expect(201)
    const once = bearer(await site.app.tokenOf(user, { maxSecrets: 1 }))
    await begin(once, 500).expect(201)
    await call('POST', '/secret', once, secret).expect(201)
    expect((await begin(once, 500).expect(403)).body.code).toBe('token.used_up')
  })

  site.once(() => {
    test("SEC-10: a user cannot list or delete another user's tokens", async () => {
      const [one, two] = [await site.app.signUp(), await site.app.signUp({ role: 'admin' })]
      const { id, token } = (await (await inSession(site, one)).make({ name: 'mine' }).expect(201)).body
      const other = await inSession(site, two)
      expect(await other.list()).toEqual([])
      await other.remove(id).expect(404)
      await call('GET', '/account', bearer(token)).expect(200)
    })

    test('a user can have 100 tokens', async () => {
      const user = await site.app.signUp()
      for (let n = 0; n < 100; n++) await site.app.tokenOf(user)
      const { make } = await inSession(site, user)
      expect((await make({ name: 'x' }).expect(409)).body.code).toBe('token.limit_reached')
    })

    test('refused and repeated creates do not use up a token', async () => {
      const user = await site.app.signUp()
      const headers = bearer(await site.app.tokenOf(user, { maxSecrets: 1, maxBytes: 100_000 }))
      const left = async () => (await site.app.storage.tokens.list(user.id, site.app.clock.now))[0]
      await call('POST', '/secret', headers, { ...secret, ttl: 1 }).expect(400)
      await call('POST', '/secret', headers, { ...secret, ttl: 29 * 24 * 60 * 60 }).expect(400)
      const nothing = [{ id: 'A'.repeat(22), token: 'A'.repeat(43) }]
      const text = '-----BEGIN AGE ENCRYPTED FILE-----\nx'
      const sealed = { text, ttl: 60, access: 'A'.repeat(43), files: nothing }
      expect((await call('POST', '/secret', headers, sealed).expect(404)).body.code).toBe('file.not_found')
      expect(await left()).toMatchObject({ secretsLeft: 1, bytesLeft: 100_000 })
      const once = { ...headers, 'Idempotency-Key': 'once' }
      const first = await call('POST', '/secret', once, secret).expect(201)
      expect(await left()).toMatchObject({ secretsLeft: 0 })
      // A retry after a lost response succeeds, although the token is used up.
      expect((await call('POST', '/secret', once, secret).expect(201)).body).toEqual(first.body)
      expect((await call('POST', '/secret', headers, secret).expect(403)).body.code).toBe('token.used_up')
    })

    test('maxBytes counts text and files as they are stored', async () => {
      const user = await site.app.signUp()
      const headers = bearer(await site.app.tokenOf(user, { maxBytes: 1000 }))
      const left = async () => (await site.app.storage.tokens.list(user.id, site.app.clock.now))[0]?.bytesLeft
      const text = 'ü'.repeat(50)
      const files = [{ name: 'a', content: randomBytes(300).toString('base64') }]
      await call('POST', '/secret', headers, { text, ttl: 60, isPublic: true, files }).expect(201)
      expect(await left()).toBe(600)
      const { id, token } = (await call('POST', '/files', headers, { size: 500, parts: 1 }).expect(201)).body
      const upload = { Authorization: `Upload ${token}`, 'Content-Length': '500' }
      await call('PUT', `/files/${id}/0`, upload, 'x'.repeat(500)).expect(204)
      const armour = '-----BEGIN AGE ENCRYPTED FILE-----\n'
      const sealed = { text: armour.padEnd(101, 'x'), ttl: 60, access: 'A'.repeat(43), files: [{ id, token }] }
      await call('POST', '/secret', headers, sealed).expect(403)
      expect(await left()).toBe(600)
      await call('POST', '/secret', headers, { ...sealed, text: armour.padEnd(100, 'x') }).expect(201)
      expect(await left()).toBe(0)
    })

    test('SEC-32, V6.5.2: a token is returned once, and neither storage nor log contain it', async () => {
      const user = await site.app.signUp()
      const { make, list } = await inSession(site, user)
      const { body } = await make({ name: 'Prüfstand ☃' }).expect(201)
      const { token, ...rest } = body
      expect(token).toMatch(/^mf_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/)
      expect(rest).toEqual({
        id: token.slice(3, 11),
        name: 'Prüfstand ☃',
        createdAt: site.app.clock.now,
        usedAt: null,
        expiresAt: site.app.clock.now + 365 * DAY,
        scopes: ['secrets:create', 'secrets:read', 'account'],
        secretsLeft: null,
        bytesLeft: null,
        allowedIp: null,
      })
      expect(await list()).toEqual([rest])
      const kept = JSON.stringify(await site.app.storage.tokens.list(user.id, site.app.clock.now))
      expect(kept).not.toContain(token.slice(12))
      expect(site.app.logged.join()).not.toContain(token.slice(12, 55))
    })

    test.each([
      [
        'a new password',
        (user: TestUser) => site.app.storage.users.update(user.id, {}, { endSessions: {}, deleteTokens: true }),
      ],
      ['a sign-out', (user: TestUser) => site.app.storage.sessions.endAll(user.id)],
    ])('a request that began before %s does not create a token after it', async (_, end) => {
      const user = await site.app.signUp()
      const headers = await site.app.as(user)
      site.app.clock.now += 5 * 60_000
      const listSeen = async () =>
        (await site.app.storage.sessions.list(user.id, site.app.clock.now)).map(({ seenAt }) => seenAt)
      const { finish } = await delayedPost(site.port, '/account/tokens', headers, { name: 'Prüfstand ☃' })
      // The session was identified.
      await expect.poll(listSeen).toEqual([site.app.clock.now])
      await end(user)
      expect(await finish()).toMatchObject({ status: 401, body: { code: 'auth.required' } })
      expect(await site.app.storage.tokens.list(user.id, site.app.clock.now)).toEqual([])
    })

    test('SEC-50: token_lifetime_days limits new tokens, also by default, and keeps existing ones', async () => {
      const user = await site.app.signUp()
      const headers = await site.app.as(user)
      const long = await site.app.tokenOf(user)
      await site.app.settings.update({ token_lifetime_days: '30' }, { username: null, address: null })
      const create = (body: object) => call('POST', '/account/tokens', headers, { name: 'Prüfstand ☃', ...body })
      const { now } = site.app.clock
      expect((await create({}).expect(201)).body.expiresAt).toBe(now + 30 * DAY)
      expect((await create({ expiresAt: now + 30 * DAY }).expect(201)).body.expiresAt).toBe(now + 30 * DAY)
      // The clock of the client is ahead.
      const hour = DAY / 24
      expect((await create({ expiresAt: now + 30 * DAY + hour }).expect(201)).body.expiresAt).toBe(now + 30 * DAY)
      expect((await create({ expiresAt: now + 30 * DAY + hour + 1 }).expect(400)).body).toMatchObject({
        code: 'request.invalid',
        field: 'expiresAt',
      })
      await call('GET', '/account', bearer(long)).expect(200)
    })

    test('a token authenticates as Bearer, or as user name of Basic with any password', async () => {
      const user = await site.app.signUp()
      const token = await site.app.tokenOf(user)
      for (const headers of [basic(token), basic(token, 'a:b ☃'), bearer(token)]) {
        expect((await call('GET', '/account', headers).expect(200)).body.user.username).toBe(user.username)
      }
      await call('GET', '/account', { Authorization: basic(token).Authorization.replace('Basic', 'bAsIc') }).expect(200)
      for (const Authorization of [
        `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
        `Digest ${token}`,
        token,
        `Bearer ${token} x`,
        'Basic',
        `Basic ${token}`,
        `Bearer ${token}x`,
        'Bearer',
        `Basic ${Buffer.from(user.username).toString('base64')}`,
      ]) {
        const { body, headers } = await call('GET', '/account', { Authorization }).expect(401)
        expect(body.code).toBe('auth.invalid_token')
        expect(headers['www-authenticate']).toMatch(/^Basic /)
      }
      expect((await call('GET', '/account?token=x', {}).expect(401)).headers['www-authenticate']).toMatch(/^Basic /)
      for (const browser of [{ 'Sec-Fetch-Mode': 'cors' }, { 'User-Agent': 'Mozilla/5.0 (X11)' }]) {
        expect((await call('GET', '/account', browser).expect(401)).headers['www-authenticate']).toBe(undefined)
      }
    })

    test('the audit log has the id of a refused token only if a token with this id exists', async () => {
      const id = (await site.app.tokenOf(await site.app.signUp())).slice(3, 11)
      const invented = createTokenText()
      for (const text of [formatToken(invented), formatToken({ ...invented, id })])
        await call('GET', '/account', bearer(text)).expect(401)
      await site.app.audit.flush()
      const entries = await site.app.storage.audit.list({ action: 'token.refused' }, { skip: 0, take: 9 })
      expect(new Set(entries.map(({ subject }) => subject))).toEqual(new Set([null, id]))
    })

    test('a token ends when it expires or is deleted', async () => {
      const user = await site.app.signUp()
      const { make, remove } = await inSession(site, user)
      const short = (await make({ name: 'short', expiresAt: site.app.clock.now + 1000 }).expect(201)).body
      const long = (await make({ name: 'long' }).expect(201)).body
      await call('GET', '/account', bearer(short.token)).expect(200)
      site.app.clock.now += 1000
      await call('GET', '/account', bearer(short.token)).expect(401)
      await call('GET', '/account', bearer(long.token)).expect(200)
      await remove(long.id).expect(204)
      expect((await remove(long.id).expect(404)).body.code).toBe('token.not_found')
      await call('GET', '/account', bearer(long.token)).expect(401)
      expect((await make({ name: 'past', expiresAt: site.app.clock.now }).expect(400)).body.field).toBe('expiresAt')
    })

    test('usedAt is updated once a minute, and allowedIp applies', async () => {
      const user = await site.app.signUp()
      const { make, list } = await inSession(site, user)
      const { token } = (await make({ name: 'here', allowedIp: '127.0.0.0/8' }).expect(201)).body
      const start = site.app.clock.now
      for (const [after, usedAt] of [
        [0, start],
        [59_999, start],
        [60_000, start + 60_000],
      ] as const) {
        site.app.clock.now = start + after
        await call('GET', '/account', bearer(token)).expect(200)
        expect((await list())[0].usedAt).toBe(usedAt)
      }
      const elsewhere = (await make({ name: 'there', allowedIp: '203.0.113.0/24' }).expect(201)).body
      await call('GET', '/account', bearer(elsewhere.token)).expect(401)
    })

    test('a token may do what its scopes and its account allow', async () => {
      const [user, boss] = [await site.app.signUp(), await site.app.signUp({ role: 'admin' })]
      const reach = async (of: TestUser, scopes: CreateToken['scopes']) => {
        const headers = bearer(await site.app.tokenOf(of, scopes ? { scopes } : {}))
        const asked = [
          call('POST', '/secret', headers, secret),
          call('GET', '/secret', headers),
          call('GET', '/account', headers),
          call('GET', '/admin/users', headers),
          call('GET', '/authentication/verify', headers),
          call('GET', '/settings', headers),
        ]
        return (await Promise.all(asked)).map(({ status, body }) => (status < 300 ? 'ok' : body.code))
      }
      const [no, adm] = ['auth.scope', 'auth.admin_only']
      expect(await reach(user, ['secrets:create'])).toEqual(['ok', no, no, adm, 'ok', 'ok'])
      expect(await reach(user, ['secrets:read'])).toEqual([no, 'ok', no, adm, 'ok', 'ok'])
      expect(await reach(user, ['account'])).toEqual([no, no, 'ok', adm, 'ok', 'ok'])
      expect(await reach(user, undefined)).toEqual(['ok', 'ok', 'ok', adm, 'ok', 'ok'])
      expect(await reach(boss, ['admin'])).toEqual([no, no, no, 'ok', 'ok', 'ok'])
      expect(await reach(boss, ['account'])).toEqual([no, no, 'ok', no, 'ok', 'ok'])
      const { make } = await inSession(site, user)
      expect((await make({ name: 'x', scopes: ['admin'] }).expect(400)).body.field).toBe('scopes')
      // The token of a demoted administrator loses the scope `admin`.
      const token = await site.app.tokenOf(boss)
      await site.app.signUp({ role: 'admin' })
      await site.app.storage.users.update(boss.id, { role: 'user' })
      await call('GET', '/admin/users', bearer(token)).expect(403)
      const { id } = (await call('POST', '/secret', {}, { ...secret, isPublic: true }).expect(201)).body
      await call('POST', `/secret/${id}/burn`, bearer(token), {}).expect(404)
      await call('GET', '/account', bearer(token)).expect(200)
    })

    test('a token cannot create tokens and can delete only itself', async () => {
      const user = await site.app.signUp()
      const [one, two] = [
        await site.app.tokenOf(user, { scopes: ['secrets:create'] }),
        await site.app.tokenOf(user, { scopes: ['secrets:create'] }),
      ]
      expect((await call('POST', '/account/tokens', bearer(one), { name: 'x' }).expect(403)).body.code).toBe(
        'auth.scope',
      )
      const remove = (id: string) => call('DELETE', '/account/tokens', bearer(one), { id: id.slice(3, 11) })
      expect((await remove(two).expect(403)).body.code).toBe('auth.scope')
      await remove(one).expect(204)
      await call('GET', '/authentication/verify', bearer(one)).expect(401)
      await call('GET', '/authentication/verify', bearer(two)).expect(200)
    })

    test('a new password and the end of all sessions delete the tokens of a user', async () => {
      const admin = await site.app.as(await site.app.signUp({ role: 'admin' }))
      const [user, other] = [await site.app.signUp(), await site.app.signUp()]
      const theirs = bearer(await site.app.tokenOf(other))
      const [newPassword, { username, password }] = ['sómething new ☃', user]
      const change = { currentPassword: password, newPassword, confirmNewPassword: newPassword }
      const ways = [
        async () => call('PUT', '/account/update', await site.app.as(user), change).expect(200),
        async () => call('DELETE', '/admin/sessions', admin, { username }).expect(200),
        async () =>
          setUserPassword(site.app, username, { password: 'another öne ☃', mustChangePassword: false }, LOCAL_CLI),
      ]
      for (const end of ways) {
        const token = bearer(await site.app.tokenOf(user))
        await call('GET', '/authentication/verify', token).expect(200)
        await end()
        await call('GET', '/authentication/verify', token).expect(401)
      }
      await call('GET', '/authentication/verify', theirs).expect(200)
      // A new e-mail address alone keeps them.
      const kept = bearer(await site.app.tokenOf(user))
      const email = { currentPassword: 'another öne ☃', email: 'new@example.org' }
      await call('PUT', '/account/update', await site.app.as(user), email).expect(200)
      await call('GET', '/authentication/verify', kept).expect(200)
    })

    test('an administrator lists and deletes the tokens of a user', async () => {
      const admin = await site.app.as(await site.app.signUp({ role: 'admin' }))
      const [user, other] = [await site.app.signUp(), await site.app.signUp()]
      const { username } = user
      const token = await site.app.tokenOf(user, { name: 'büild ☃' })
      const id = token.slice(3, 11)
      const listed = await call('GET', `/admin/tokens?username=${username}`, admin).expect(200)
      expect(listed.body).toMatchObject([{ id, name: 'büild ☃' }])
      expect(listed.text).not.toContain(token.slice(12))
      expect(listed.body[0]).not.toHaveProperty('hash')
      expect((await call('GET', '/admin/tokens?username=unknown', admin).expect(404)).body.code).toBe('user.not_found')
      const remove = (body: object) => call('DELETE', '/admin/tokens', admin, body)
      expect((await remove({ username: other.username, id }).expect(404)).body.code).toBe('token.not_found')
      await call('GET', '/authentication/verify', bearer(token)).expect(200)
      await remove({ username, id }).expect(204)
      await call('GET', '/authentication/verify', bearer(token)).expect(401)
      expect((await call('GET', `/admin/tokens?username=${username}`, admin).expect(200)).body).toEqual([])
      await site.app.audit.flush()
      const [entry] = await site.app.storage.audit.list({ action: 'token.deleted' }, { skip: 0, take: 1 })
      expect(entry).toMatchObject({ subject: id, detail: { user: username } })
    })
  })
})
