/** Administration of users, and who may list and burn a secret. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { definePlugin, type Plugin } from '#core/plugins/plugin'
import { newClaim } from '#shared/crypto/keys'
import { OWN_PAGE, onOneStorage } from '#test/for-each-storage'
import type { TestUser } from '#test/test-app'
import { aHash, anAuthenticator, aPasskey } from '../testing/lib/fixtures.js'

const DAY_S = 24 * 60 * 60

onOneStorage((site) => {
  const { call } = site
  const asBoss = async () => site.app.as(await site.app.signUp({ username: 'boss', role: 'admin' }))

  test('GET /admin/users lists by name, in pages, and searches names and addresses', async () => {
    const boss = await asBoss()
    for (const username of ['dora', 'carl', 'a_na', 'xana']) await site.app.signUp({ username })
    const user = await site.app.signUp({ username: 'bert' })
    await call('POST', '/secret', await site.app.as(user), { text: '☃', ttl: 60 }).expect(201)
    const list = async (query: string) => {
      const { body } = await call('GET', `/admin/users${query}`, boss).expect(200)
      return { total: body.total, names: body.users.map((each: { username: string }) => each.username) }
    }
    expect(await list('')).toEqual({ total: 6, names: ['a_na', 'bert', 'boss', 'carl', 'dora', 'xana'] })
    expect(await list('?skip=1&take=2')).toEqual({ total: 6, names: ['bert', 'boss'] })
    expect(await list('?search=ANA')).toEqual({ total: 1, names: ['xana'] })
    expect(await list('?search=a_na')).toEqual({ total: 1, names: ['a_na'] })
    expect(await list('?search=%25')).toEqual({ total: 0, names: [] })
    expect(await list('?search=bert%40example')).toEqual({ total: 1, names: ['bert'] })
    expect(await list('?role=admin')).toEqual({ total: 1, names: ['boss'] })
    expect(await list('?role=user&search=ana&take=1')).toEqual({ total: 1, names: ['xana'] })
    const { body } = await call('GET', '/admin/users?search=bert', boss).expect(200)
    const { email, createdAt } = user
    expect(body.users).toEqual([
      {
        username: 'bert',
        email,
        role: 'user',
        generated: false,
        hasPassword: true,
        createdAt,
        secrets: 1,
        passkeys: 0,
        authenticator: false,
        graceEndsAt: null,
        emailVerified: null,
        suspendedAt: null,
        signedInAt: site.app.clock.now,
        groups: [],
      },
    ])
    for (const query of ['take=0', 'take=101', 'skip=-1', 'take=x', 'role=boss', 'other=1']) {
      await call('GET', `/admin/users?${query}`, boss).expect(400)
    }
  })

  test('GET /admin/users lists second factors, and until when users have time to add one', async () => {
    const boss = await asBoss()
    const user = await site.app.signUp({ username: 'bert' })
    const options = { recoveryCodes: [aHash()], keepSession: null, now: site.app.clock.now }
    const list = async () => {
      const { body } = await call('GET', '/admin/users', boss).expect(200)
      type Listed = { username: string; passkeys: number; authenticator: boolean; graceEndsAt: number | null }
      return body.users.map(({ username, passkeys, authenticator, graceEndsAt }: Listed) => {
        return [username, passkeys, authenticator, graceEndsAt]
      })
    }
    const { now } = site.app.clock
    await call('PUT', '/admin/settings', boss, { second_factor: 'everyone', second_factor_grace_days: '14' })
    expect(await list()).toEqual([
      ['bert', 0, false, now + 14 * DAY_S * 1000],
      ['boss', 0, false, now + 14 * DAY_S * 1000],
    ])
    await site.app.storage.factors.addPasskey(aPasskey({ userId: user.id }), 20, options)
    await site.app.storage.factors.addAuthenticator(anAuthenticator({ userId: user.id }), options)
    await call('PUT', '/admin/settings', boss, { second_factor: 'optional' })
    expect(await list()).toEqual([
      ['bert', 1, true, null],
      ['boss', 0, false, null],
    ])
  })

  test('SEC-50: POST /admin/factors/reset removes the factors and ends the sessions, with an audit entry', async () => {
    const boss = await asBoss()
    const { id: userId, username } = await site.app.signUp({ username: 'bert' })
    const { factors, sessions, users } = site.app.storage
    const options = { recoveryCodes: [aHash()], keepSession: null, now: site.app.clock.now }
    await factors.addPasskey(aPasskey({ userId }), 20, options)
    await factors.addAuthenticator(anAuthenticator({ userId }), options)
    await site.app.as((await users.get(userId)) as TestUser)
    const reset = (body: object) => call('POST', '/admin/factors/reset', boss, body)
    expect((await reset({ username: 'missing' }).expect(404)).body.code).toBe('user.not_found')
    expect((await reset({ username }).expect(200)).body).toMatchObject({ username, role: 'user' })
    expect(await factors.list(userId)).toEqual({ passkeys: [], authenticator: null, recoveryCodes: 0 })
    expect(await sessions.list(userId, site.app.clock.now)).toEqual([])
    expect(await users.get(userId)).toMatchObject({ secondFactor: false })
    await reset({ username }).expect(200)
    await site.app.audit.flush()
    const entries = await site.app.storage.audit.list({ action: 'user.factors_reset' }, { skip: 0, take: 10 })
    expect(entries).toMatchObject([{ actor: 'boss', subject: username }])
  })

  test('GET /admin/overview has amounts, the newest failure of each channel, and problems as doctor says them', async () => {
    const outcome = { isDelivered: false, isPermanent: true, result: 'HTTP 410' }
    const channel = { name: 'hook', to: 'operator' as const, deliver: async () => outcome }
    const plugin = definePlugin({
      name: 'hook',
      contract: 1,
      options: z.object({}),
      setup: () => ({ channels: [channel] }),
    })
    await site.restart({ settings: { publicUrl: 'http://example.org' }, plugins: [plugin as unknown as Plugin] })
    const boss = await asBoss()
    const read = async () => (await call('GET', '/admin/overview', boss).expect(200)).body
    expect(await read()).toMatchObject({ users: 1, liveSecrets: 0, failures: [] })
    const at = site.app.clock.now
    await call('POST', '/secret', await site.app.as(await site.app.signUp()), { text: '☃', ttl: 60 }).expect(201)
    await expect.poll(async () => (await read()).failures).toEqual([{ channel: 'hook', at, result: 'HTTP 410' }])
    site.app.clock.now += 11_000
    const { users, liveSecrets, problems } = await read()
    expect({ users, liveSecrets }).toEqual({ users: 2, liveSecrets: 1 })
    const fix = 'put an https reverse proxy in front, see docs/one-machine.md'
    const message = 'config: publicUrl: not https'
    expect(problems).toContainEqual({ level: 'warn', message, fix, code: 'public_url_not_https', params: {} })
    expect(JSON.stringify(problems)).not.toContain('administrator')
    await call('GET', '/admin/overview', await site.app.as(await site.app.signUp())).expect(403)
  })

  test('an administrator creates, changes and deletes an account', async () => {
    const boss = await asBoss()
    const wanted = { username: 'Carl', email: 'Carl@Example.org', password: 'long enough ☃' }
    const made = await call('POST', '/admin/users', boss, wanted).expect(201)
    const carl = {
      username: 'carl',
      email: 'carl@example.org',
      role: 'user',
      generated: true,
      hasPassword: true,
      emailVerified: null,
      suspendedAt: null,
      signedInAt: null,
      groups: [],
    }
    expect(made.body).toEqual({ ...carl, createdAt: site.app.clock.now })
    expect((await call('POST', '/admin/users', boss, wanted).expect(409)).body.code).toBe('user.name_taken')
    const changed = await call('PUT', '/admin/users', boss, { username: 'CARL', email: 'c@example.org' }).expect(200)
    expect(changed.body).toMatchObject({ ...carl, email: 'c@example.org' })
    const taken = await call('PUT', '/admin/users', boss, { username: 'carl', email: 'boss@example.org' }).expect(409)
    expect(taken.body.code).toBe('user.email_taken')
    await call('PUT', '/admin/users', boss, { username: 'carl' }).expect(200)
    await call('POST', '/authentication/signin', OWN_PAGE, wanted).expect(400)
    const { username, password } = wanted
    await call('POST', '/authentication/signin', OWN_PAGE, { username, password }).expect(200)
    expect((await call('DELETE', '/admin/users', boss, { username: 'carl' }).expect(200)).body.username).toBe('carl')
    for (const method of ['PUT', 'DELETE']) {
      expect((await call(method, '/admin/users', boss, { username: 'carl' }).expect(404)).body.code).toBe(
        'user.not_found',
      )
    }
    expect(site.app.emitted.filter(([name]) => name.startsWith('user.')).map(([name]) => name)).toEqual([
      'user.created',
      'user.deleted',
    ])
  })

  test('an administrator sets the groups of a user, which are audited', async () => {
    const boss = await asBoss()
    const wanted = { username: 'dora', email: 'dora@example.org', password: 'long enough ☃', groups: ['für ☃', 'a, b'] }
    expect((await call('POST', '/admin/users', boss, wanted).expect(201)).body.groups).toEqual(['a, b', 'für ☃'])
    const set = (groups: unknown) => call('PUT', '/admin/users', boss, { username: 'dora', groups })
    expect((await set([' sales ', 'Sales', 'sales']).expect(200)).body.groups).toEqual(['Sales', 'sales'])
    await set(['sales', 'Sales']).expect(200)
    expect((await call('PUT', '/admin/users', boss, { username: 'dora' }).expect(200)).body.groups).toHaveLength(2)
    const { body } = await call('GET', '/admin/users?search=dora', boss).expect(200)
    expect(body.users).toMatchObject([{ groups: ['Sales', 'sales'] }])
    const tooMany = Array.from({ length: 21 }, (_, at) => `group ${at}`)
    for (const groups of [[''], ['a\nb'], ['\ud800'], ['ä'.repeat(101)], tooMany, 'sales', [1]]) {
      expect((await set(groups).expect(400)).body.field).toMatch(/^groups/)
    }
    expect((await set([]).expect(200)).body.groups).toEqual([])
    await site.app.audit.flush()
    const entries = await site.app.storage.audit.list({ subject: 'dora' }, { skip: 0, take: 9 })
    expect(entries.map(({ action, actor, detail }) => [action, actor, detail])).toEqual([
      ['user.changed', 'boss', { fields: 'groups', groups: '' }],
      ['user.changed', 'boss', { fields: 'groups', groups: 'Sales, sales' }],
      ['user.created', 'boss', { role: 'user', groups: 'a, b, für ☃' }],
    ])
  })

  test('SEC-49: a suspended account has neither sessions nor tokens, and its links still open', async () => {
    const boss = await asBoss()
    const user = await site.app.signUp()
    const session = await site.app.as(user)
    const bearer = { Authorization: `Bearer ${await site.app.tokenOf(user)}` }
    const { id } = (await call('POST', '/secret', session, { text: '☃', ttl: 60, isPublic: true }).expect(201)).body
    const { username, password } = user
    const suspend = (suspended: boolean) => call('PUT', '/admin/users', boss, { username, suspended }).expect(200)
    const expectAll = async (status: number, code?: string) => {
      const responses = [
        await call('GET', '/account', session),
        await call('GET', '/account', bearer),
        await call('POST', '/secret', bearer, { text: '☃', ttl: 60, isPublic: true }),
        await call('POST', '/authentication/signin', OWN_PAGE, { username, password }),
      ]
      expect(responses.map((each) => [each.status < 300 ? 200 : each.status, each.body.code])).toEqual(
        responses.map(() => [status, code]),
      )
    }
    expect((await suspend(true)).body).toMatchObject({ username, suspendedAt: site.app.clock.now })
    await expectAll(403, 'auth.suspended')
    await call('POST', `/secret/${id}`, {}, { claim: newClaim() }).expect(200)
    expect((await suspend(false)).body).toMatchObject({ username, suspendedAt: null })
    await expectAll(200)
    await suspend(false)
    await site.app.audit.flush()
    const entries = await site.app.storage.audit.list({ subject: username, actor: 'boss' }, { skip: 0, take: 10 })
    expect(entries.map(({ action }) => action)).toEqual(['user.resumed', 'user.suspended'])
  })

  test('an administrator changes an address and marks it as verified', async () => {
    const boss = await asBoss()
    const { username } = await site.app.signUp({ username: 'bert' })
    const change = async (changes: object) => (await call('PUT', '/admin/users', boss, { username, ...changes })).body
    expect(await change({ emailVerified: true })).toMatchObject({ emailVerified: site.app.clock.now })
    expect(await change({ email: 'b@example.org' })).toMatchObject({ email: 'b@example.org', emailVerified: null })
    expect(await change({ email: 'c@example.org', emailVerified: true })).toMatchObject({
      email: 'c@example.org',
      emailVerified: site.app.clock.now,
    })
    const wanted = { username: 'carl', email: 'd@example.org', password: 'long enough ☃', emailVerified: true }
    const made = await call('POST', '/admin/users', boss, wanted).expect(201)
    expect(made.body.emailVerified).toBe(site.app.clock.now)
  })

  test('SEC-49: the last administrator who is not suspended cannot be suspended, demoted or deleted', async () => {
    const [one, two] = [await site.app.signUp({ role: 'admin' }), await site.app.signUp({ role: 'admin' })]
    const headers = await site.app.as(one)
    const suspend = (username: string) => call('PUT', '/admin/users', headers, { username, suspended: true })
    await suspend(two.username).expect(200)
    const refusals = [
      await suspend(one.username),
      await call('PUT', '/admin/users', headers, { username: one.username, role: 'user' }),
      await call('DELETE', '/admin/users', headers, { username: one.username }),
    ]
    expect(refusals.map(({ body }) => body.code)).toEqual(Array(3).fill('user.last_admin'))
    await call('DELETE', '/admin/users', headers, { username: two.username }).expect(200)
  })

  test('the last administrator cannot be demoted or deleted, not even by two requests at once', async () => {
    const one = await site.app.signUp({ role: 'admin' })
    const headers = await site.app.as(one)
    const refused = { code: 'user.last_admin' }
    const demote = (username: string, by: Record<string, string>) =>
      call('PUT', '/admin/users', by, { username, role: 'user' })
    expect((await demote(one.username, headers).expect(409)).body).toMatchObject(refused)
    const own = await call('POST', '/account/delete', headers, { password: one.password }).expect(409)
    expect(own.body).toMatchObject(refused)
    const gone = await call('DELETE', '/admin/users', headers, { username: one.username }).expect(409)
    expect(gone.body).toMatchObject(refused)
    const two = await site.app.signUp({ role: 'admin' })
    const other = await site.app.as(two)
    const responses = await Promise.all([demote(one.username, other), demote(two.username, headers)])
    expect(responses.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    expect(await site.app.storage.users.hasAdmin()).toBe(true)
  })

  /** Owner of the secret x caller x action. `404`: the secret is unreachable for the caller. */
  const MATRIX: [owner: 'anonymous' | 'owner', who: string, burn: number, listed: boolean][] = [
    ['anonymous', 'anonymous', 404, false],
    ['anonymous', 'other user', 404, false],
    ['anonymous', 'deleted', 404, false],
    ['anonymous', 'admin', 200, false],
    ['owner', 'anonymous', 404, false],
    ['owner', 'other user', 404, false],
    ['owner', 'deleted', 404, false],
    ['owner', 'admin', 200, false],
    ['owner', 'owner', 200, true],
    ['owner', 'limited token', 404, true],
    ['owner', 'token', 200, true],
    ['anonymous', 'admin token', 200, false],
    ['anonymous', 'limited admin token', 404, false],
  ]

  test('SEC-10, SEC-43: burning and listing follow the table of owners and callers', async () => {
    const [owner, other, deleted] = [await site.app.signUp(), await site.app.signUp(), await site.app.signUp()]
    const admin = await site.app.signUp({ role: 'admin' })
    const bearer = async (user: TestUser, scopes?: ['secrets:read' | 'account']) => ({
      Authorization: `Bearer ${await site.app.tokenOf(user, scopes ? { scopes: [...scopes] } : {})}`,
    })
    const headersOf: Record<string, Record<string, string>> = {
      anonymous: {},
      'other user': await site.app.as(other),
      deleted: await site.app.as(deleted),
      admin: await site.app.as(admin),
      owner: await site.app.as(owner),
      token: await bearer(owner),
      'limited token': await bearer(owner, ['secrets:read']),
      'admin token': await bearer(admin),
      'limited admin token': await bearer(admin, ['account']),
    }
    await site.app.storage.users.remove(deleted.id, site.app.clock.now)
    const seen: unknown[] = []
    for (const [of, who] of MATRIX) {
      const headers = headersOf[who] as Record<string, string>
      const maker = of === 'anonymous' ? {} : headersOf.owner
      const body = { text: '☃', ttl: 60, access: undefined }
      const { id } = (await call('POST', '/secret', maker, body).expect(201)).body
      const lookup = id.split('~')[0]
      const list = await call('GET', '/secret', headers)
      const listed = Array.isArray(list.body) && list.body.some((each) => each.id === lookup)
      // An account does not open a secret; only its link does.
      await call('GET', `/secret/${lookup}`, headers).expect(404)
      await call('POST', `/secret/${lookup}`, headers, { claim: 'A'.repeat(22) }).expect(404)
      await call('GET', `/secret/${lookup}/exist`, headers).expect(404)
      const burn = await call('POST', `/secret/${lookup}/burn`, headers, {})
      seen.push([of, who, burn.status, listed])
      await call('GET', `/secret/${id}/exist`).expect(burn.status === 200 ? 404 : 200)
    }
    expect(seen).toEqual(MATRIX)
  })

  test('GET /secret lists the own secrets, newest first, without their keys and hashes', async () => {
    const user = await site.app.signUp()
    const headers = await site.app.as(user)
    const raw = (await call('POST', '/secret', headers, { text: '☃', ttl: 60, title: 'Geheim' }).expect(201)).body
    site.app.clock.now += 1
    const open = { text: '☃', ttl: 60, title: 'Öffentlich', isPublic: true, password: 'sésame', maxViews: 3 }
    const second = (await call('POST', '/secret', headers, open).expect(201)).body
    await call('POST', '/secret', {}, { text: 'x', ttl: 60 }).expect(201)
    const { body } = await call('GET', '/secret', headers).expect(200)
    const rest = { files: 0, preventBurn: false, views: 0, allowedIp: null, receipt: null, recipientViews: [] }
    expect(body).toEqual([
      {
        id: second.id,
        kind: 'public',
        title: 'Öffentlich',
        createdAt: site.app.clock.now,
        maxViews: 3,
        expiresAt: second.expiresAt,
        passwordRequired: true,
        isPublic: true,
        ...rest,
      },
      {
        id: raw.id.split('~')[0],
        kind: 'raw',
        title: null,
        createdAt: site.app.clock.now - 1,
        maxViews: 1,
        expiresAt: raw.expiresAt,
        passwordRequired: false,
        isPublic: false,
        ...rest,
      },
    ])
    expect((await call('GET', '/secret?skip=1&take=1', headers).expect(200)).body).toHaveLength(1)
    const { body: listed } = await call('GET', `/secret/public/${user.username}`).expect(200)
    expect(listed).toMatchObject([{ id: second.id, username: user.username }])
  })

  test('users may set a longer ttl than visitors', async () => {
    const headers = await site.app.as(await site.app.signUp())
    const ttlMax = async (as = {}) => (await call('GET', '/settings', as).expect(200)).body.limits.ttlMax
    expect([await ttlMax(), await ttlMax(headers)]).toEqual([7 * DAY_S, 28 * DAY_S])
    const create = (ttl: number, as = {}) => call('POST', '/secret', as, { text: '☃', ttl })
    await create(7 * DAY_S).expect(201)
    await create(7 * DAY_S + 1).expect(400)
    await create(28 * DAY_S, headers).expect(201)
    await create(28 * DAY_S + 1, headers).expect(400)
  })
})

onOneStorage(
  (site) => {
    test('with visitorUploads off, users may upload and visitors may not', async () => {
      const headers = await site.app.as(await site.app.signUp())
      const begin = (as = {}) => site.call('POST', '/files', as, { size: 9, parts: 1 })
      expect((await begin().expect(403)).body.code).toBe('file.visitors_refused')
      await begin(headers).expect(201)
      expect((await site.call('GET', '/settings', headers).expect(200)).body.uploads).toBe(true)
      expect((await site.call('GET', '/settings').expect(200)).body.uploads).toBe(false)
    })
  },
  { app: { settings: { visitorUploads: false } } },
)
