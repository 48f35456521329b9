/** Recovery of accounts: exceptions, former addresses, new passwords, and tokens of administrators. */

import { beforeEach, describe, expect, test } from 'vitest'
import { LOCAL_CLI } from '#core/contracts/auth-context'
import type { Scope } from '#core/contracts/tokens'
import { aWebhook } from '#core/testing/lib/fixtures'
import { anOutsider, fakeAuth } from '#test/fake-auth'
import { OWN_PAGE, onOneStorage } from '#test/for-each-storage'
import { recordingNotifier } from '#test/recording-notifier'
import { startConnecting } from '#test/redirect-calls'
import type { TestUser } from '#test/test-app'
import { createEvents } from '../events/durable-events.js'
import { setUserPassword } from './administer-users.js'
import { identifyDevice, issueDeviceCookie } from './known-devices.js'

const NEW = 'näues Passwort ☃'
const VERIFIED = { emailVerified: 1 }
const HOUR = 60 * 60_000
const { notifier, sent } = recordingNotifier()

onOneStorage(
  (site) => {
    beforeEach(() => void sent.splice(0))
    const { call } = site
    type Headers = Record<string, string>

    async function deliver(type: string): Promise<typeof sent> {
      const run = async () => {
        await site.app.background.delivery.run()
        return sent.filter((each) => each.type === type).length
      }
      await expect.poll(run).toBeGreaterThan(0)
      return sent.splice(0).filter((each) => each.type === type)
    }
    const signIn = (username: string, password: string, headers: Headers = {}) =>
      call('POST', '/authentication/signin', { ...OWN_PAGE, ...headers }, { username, password })
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

    async function askForLink(email: string): Promise<string> {
      await call('POST', '/authentication/forgot', OWN_PAGE, { email }).expect(204)
      const [mail] = await deliver('password-reset')
      if (mail?.type !== 'password-reset') throw new Error('no link')
      return new URL(mail.data.url).hash.slice(1)
    }

    /** The thief's own account at the provider, connected over HTTP. */
    async function connect(session: Headers) {
      const identity = anOutsider()
      const { state, Cookie } = await startConnecting({ call }, session)
      const query = new URLSearchParams({ state, code: JSON.stringify(identity) })
      await call('GET', `/authentication/company/callback?${query}`, { Cookie }).expect(303)
      return identity
    }

    /** Everything that someone with the password can leave behind. */
    async function leaveTraces(user: TestUser) {
      const signedIn = await signIn(user.username, user.password).expect(200)
      const cookies = [signedIn.headers['set-cookie']].flat().map((line) => String(line).split(';')[0])
      const session = { Cookie: cookies.filter((each) => each?.includes('session=')).join('; ') }
      const identity = await connect(session)
      const made = await call('POST', '/account/tokens', { ...OWN_PAGE, ...session }, { name: 'ci ☃' }).expect(201)
      const webhook = aWebhook({ userId: user.id })
      await site.app.storage.userWebhooks.create(webhook, 10)
      return { session, identity, token: bearer(made.body.token), link: await askForLink(user.email) }
    }
    test('the owner keeps each chosen access', async () => {
      const user = await site.app.signUp(VERIFIED)
      const { token, identity } = await leaveTraces(user)
      const other = bearer(await site.app.tokenOf(user))
      const link = await askForLink(user.email)
      const { body: access } = await call('POST', '/authentication/reset/access', OWN_PAGE, { token: link }).expect(200)
      expect(access.identities).toMatchObject([{ provider: 'company', label: 'Company' }])
      expect(access).toMatchObject({ username: user.username, passwordMin: 5 })
      const keep = {
        tokens: [access.tokens.find((each: { name: string }) => each.name === 'ci ☃').id],
        identities: [access.identities[0].id],
      }
      await call('POST', '/authentication/reset', OWN_PAGE, { token: link, newPassword: NEW, keep }).expect(204)
      await call('GET', '/account', token).expect(200)
      await call('GET', '/account', other).expect(401)
      expect(
        await site.app.storage.users.findByIdentity({ provider: 'company', subject: identity.subject }),
      ).not.toBeNull()
    })

    test('SEC-48: known devices and links that were sent end with a lock-out', async () => {
      const user = await site.app.signUp(VERIFIED)
      const { delivery } = site.app.background
      const cookie = issueDeviceCookie(site.app, user)
      const before = { userId: user.id, language: null, epoch: 0 }
      await setUserPassword(site.app, user.username, { password: NEW, mustChangePassword: false }, LOCAL_CLI)
      expect(identifyDevice(site.app, await site.app.storage.users.get(user.id), cookie)).toBeNull()
      await site.app.storage.outbox.append(createEvents(site.app, [{ name: 'user.reset_requested', data: before }]))
      await expect
        .poll(async () => {
          await delivery.run()
          return (await site.app.storage.outbox.list({ state: 'skipped' }, { skip: 0, take: 9 })).map(
            ({ type }) => type,
          )
        })
        .toEqual(['user.reset_requested'])
    })

    test('an account without a password keeps a sign-in method, and an administrator gives it a password', async () => {
      const user = await site.app.signUp({ ...VERIFIED, passwordHash: null })
      const session = { ...OWN_PAGE, ...(await site.app.as(user)) }
      const [mine, thief] = [await connect(session), await connect(session)]
      const { identities } = (await call('GET', '/account/access', session).expect(200)).body
      expect(identities).toHaveLength(2)
      expect((await call('POST', '/account/lock-out', session, {}).expect(409)).body.code).toBe('auth.last_way')
      await call('POST', '/account/lock-out', session, { keep: { identities: [identities[0].id] } }).expect(204)
      const left = []
      for (const { subject } of [mine, thief]) {
        if (await site.app.storage.users.findByIdentity({ provider: 'company', subject })) left.push(subject)
      }
      expect(left).toHaveLength(1)
      await setUserPassword(site.app, user.username, { password: NEW, mustChangePassword: true }, LOCAL_CLI)
      await signIn(user.username, NEW).expect(200)
    })

    test('SEC-48: the mailbox of a former address gets mails about changes for a week, and no link', async () => {
      const user = await site.app.signUp(VERIFIED)
      const session = { ...OWN_PAGE, ...(await site.app.as(user)) }
      const move = (email: string) =>
        call('PUT', '/account/update', session, { email, currentPassword: user.password }).expect(200)
      await move('thief@example.org')
      expect((await deliver('account-changed')).map(({ recipient }) => recipient.address)).toEqual([user.email])
      await move('thief-2@example.org')
      expect((await deliver('account-changed')).map(({ recipient }) => recipient.address)).toEqual([user.email])
      for (const email of [user.email, 'thief-2@example.org']) {
        await call('POST', '/authentication/forgot', OWN_PAGE, { email }).expect(204)
      }
      site.app.clock.now += 7 * 24 * HOUR
      await site.app.storage.users.update(user.id, { emailVerified: 1 })
      const later = { ...OWN_PAGE, ...(await site.app.as(user)) }
      await call('POST', '/account/tokens', later, { name: 'ci' }).expect(201)
      expect((await deliver('account-changed')).map(({ recipient }) => recipient.address)).toEqual([
        'thief-2@example.org',
      ])
      expect(sent.filter(({ type }) => type === 'password-reset')).toEqual([])
    })

    test('every way to set a new password refuses the old one', async () => {
      const user = await site.app.signUp({ ...VERIFIED, mustChangePassword: true })
      const { password: currentPassword, username } = user
      const session = { ...OWN_PAGE, ...(await site.app.as(user)) }
      const same = { newPassword: currentPassword, confirmNewPassword: currentPassword }
      const token = await askForLink(user.email)
      const refusals = [
        await call('PUT', '/account/update', session, { currentPassword, ...same }),
        await call('POST', '/account/lock-out', session, { currentPassword, newPassword: currentPassword }),
        await call('POST', '/authentication/reset', OWN_PAGE, { token, newPassword: currentPassword }),
      ]
      expect(refusals.map(({ body }) => body.code)).toEqual(Array(3).fill('auth.password_same'))
      const wanted = { password: currentPassword, mustChangePassword: false }
      await expect(setUserPassword(site.app, username, wanted, LOCAL_CLI)).rejects.toMatchObject({
        code: 'auth.password_same',
      })
    })

    describe('a token of an administrator', () => {
      const PERSON = { username: 'carl', email: 'carl@example.org', password: 'long enough ☃' }
      const CALLS: [method: string, path: string, body: object | undefined, scope: Scope][] = [
        ['GET', '/admin/users', undefined, 'admin:read'],
        ['GET', '/admin/access?username=USER', undefined, 'admin:read'],
        ['GET', '/admin/settings', undefined, 'admin:read'],
        ['PUT', '/admin/users', { suspended: false }, 'admin:users'],
        ['DELETE', '/admin/sessions', {}, 'admin:users'],
        ['POST', '/admin/lock-out', {}, 'admin:users'],
        ['PUT', '/admin/settings', {}, 'admin:settings'],
      ]

      test('can do what its scope says, and `admin` all of it', async () => {
        const boss = await site.app.signUp({ role: 'admin' })
        const { username } = await site.app.signUp()
        for (const scope of ['admin', 'admin:read', 'admin:users', 'admin:settings', 'account'] as Scope[]) {
          const headers = bearer(await site.app.tokenOf(boss, { scopes: [scope] }))
          for (const [method, path, body, needed] of CALLS) {
            const given = body && path !== '/admin/settings' ? { username, ...body } : body
            const { status } = await call(method, path.replace('USER', username), headers, given)
            expect([scope, path, status]).toEqual([scope, path, [needed, 'admin'].includes(scope) ? 200 : 403].flat())
            if (scope !== needed && scope !== 'admin') expect([needed, 'admin']).not.toContain(scope)
          }
        }
      })

      test('SEC-48: cannot set a role, an address or a password', async () => {
        const [boss, user] = [await site.app.signUp({ role: 'admin' }), await site.app.signUp()]
        const headers = bearer(await site.app.tokenOf(boss))
        const { username } = user
        const refusals = [
          await call('POST', '/admin/users', headers, PERSON),
          await call('PUT', '/admin/users', headers, { username, role: 'admin' }),
          await call('PUT', '/admin/users', headers, { username, email: 'thief@example.org' }),
          await call('PUT', '/admin/users', headers, { username, emailVerified: true }),
          await call('POST', '/admin/lock-out', headers, { username, password: NEW }),
        ]
        expect(refusals.map(({ status, body }) => [status, body.code])).toEqual(
          Array(5).fill([403, 'auth.interactive']),
        )
        expect(await site.app.storage.users.get(user.id)).toMatchObject({ role: 'user', email: user.email, epoch: 0 })
        await call('POST', '/admin/users', await site.app.as(boss), PERSON).expect(201)
      })
    })

    test('an administrator ends one session, token, identity or webhook of a user', async () => {
      const boss = await site.app.as(await site.app.signUp({ role: 'admin' }))
      const user = await site.app.signUp(VERIFIED)
      await leaveTraces(user)
      const { username } = user
      const list = async () => (await call('GET', `/admin/access?username=${username}`, boss).expect(200)).body
      const access = await list()
      const kinds = { sessions: 'session', tokens: 'token', identities: 'identity', webhooks: 'webhook' }
      for (const [name, kind] of Object.entries(kinds)) {
        for (const { id } of access[name])
          await call('DELETE', '/admin/access', boss, { username, kind, id }).expect(204)
        const gone = await call('DELETE', '/admin/access', boss, { username, kind, id: 'x' }).expect(404)
        expect(gone.body.code).toBe('access.not_found')
      }
      expect(await list()).toEqual({ sessions: [], tokens: [], identities: [], webhooks: [], factors: [] })
    })
  },
  { app: { plugins: [notifier], auth: [fakeAuth()] } },
)
