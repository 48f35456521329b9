/**
 * Verified e-mail addresses over HTTP: links that work once, routes that need a verified address, and alerts about new
 * devices.
 */

import { beforeEach, describe, expect, test } from 'vitest'
import type { Identity } from '#core/contracts/auth-provider'
import type { Notification } from '#core/contracts/notifications'
import { anOutsider, fakeAuth } from '#test/fake-auth'
import { OWN_PAGE, onOneStorage } from '#test/for-each-storage'
import { recordingNotifier } from '#test/recording-notifier'
import { cookieIn, redirectCalls } from '#test/redirect-calls'
import type { TestUser } from '#test/test-app'
import { anonymous } from '../contracts/auth-context.js'
import type { Policies } from '../shared/policies.js'
import { resolveIdentity } from './resolve-identity.js'

const HOUR = 60 * 60_000
const PASSWORD = 'näues Passwort ☃'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const { notifier, sent } = recordingNotifier()

/** A user who gets alerts about new devices. */
const READY = { emailVerified: 1, createdAt: 1 }

let names = 0

onOneStorage(
  (site) => {
    beforeEach(() => void sent.splice(0))

    /** Without mails about changes, which recovery.storages.test.ts covers. */
    const listSent = () => sent.filter(({ type }) => type !== 'account-changed')

    /** Waits for `expected` mails: their events are stored after the responses. */
    async function deliver(expected = 1): Promise<Notification[]> {
      const run = async () => {
        await site.app.background.delivery.run()
        return listSent().length
      }
      await expect.poll(run).toBeGreaterThanOrEqual(expected)
      const delivered = listSent()
      sent.splice(0)
      return delivered
    }

    async function readToken(): Promise<string> {
      const [notification] = await deliver()
      if (notification?.type !== 'verify-email') throw new Error('no link')
      return new URL(notification.data.url).hash.slice(1)
    }

    async function signUp() {
      const username = `zoe-${++names}`
      const body = { username, email: `${username}@example.org`, password: PASSWORD }
      const headers = { ...OWN_PAGE, 'Accept-Language': 'pt-br' }
      await site.call('POST', '/authentication/signup', headers, body).expect(200)
      const user = await site.app.storage.users.find(username)
      if (!user) throw new Error('no user')
      return { ...user, password: PASSWORD }
    }

    const sessionOf = async (user: TestUser) => ({ ...(await site.app.as(user)), ...OWN_PAGE })
    const verify = (token: string) => site.call('POST', '/authentication/verify-email', OWN_PAGE, { token })
    const verifiedOf = async ({ id }: { id: string }) => (await site.app.storage.users.get(id))?.emailVerified
    const changeEmail = (session: Record<string, string>, email: string) =>
      site.call('PUT', '/account/update', session, { email, currentPassword: PASSWORD }).expect(200)

    test('the link of the mail after sign-up verifies the address once, without a session', async () => {
      const user = await signUp()
      const [notification] = await deliver()
      expect(notification).toMatchObject({
        type: 'verify-email',
        unsubscribeUrl: null,
        // The address may belong to a stranger, and the username may be a link.
        recipient: { address: user.email, username: '', language: 'pt-BR' },
      })
      if (notification?.type !== 'verify-email') throw new Error('no link')
      const { href, hash } = new URL(notification.data.url)
      expect(href).toBe(`https://secrets.example.org/verify-email${hash}`)
      const token = hash.slice(1)
      expect(token).toMatch(/^[\w-]{43}$/)
      expect(JSON.stringify(await site.app.storage.outbox.list({}, { skip: 0, take: 9 }))).not.toContain(token)
      const session = await sessionOf(user)
      expect((await site.call('GET', '/account', session)).body.user.emailVerified).toBeNull()
      expect((await verify(token).expect(200)).body).toEqual({ email: user.email })
      expect((await site.call('GET', '/account', session)).body.user.emailVerified).toBe(site.app.clock.now)
      expect((await verify(token).expect(403)).body.code).toBe('auth.verification_link')
      expect(site.app.logged.join()).not.toContain(token)
    })

    test('a link is invalid after a day, and after a change of the address, which gets a new link', async () => {
      const user = await signUp()
      const late = await readToken()
      site.app.clock.now += 24 * HOUR
      await verify(late).expect(403)
      const session = await sessionOf(user)
      await site.call('POST', '/account/verification', session).expect(204)
      const old = await readToken()
      await changeEmail(session, `neu-${user.email}`)
      const token = await readToken()
      await verify(old).expect(403)
      expect(await verifiedOf(user)).toBeNull()
      await verify(token).expect(200)
      expect(await verifiedOf(user)).toBe(site.app.clock.now)
      await changeEmail(session, user.email)
      expect(await verifiedOf(user)).toBeNull()
      expect((await deliver())[0]?.recipient.address).toBe(user.email)
    })

    test('an address that a provider asserts is verified, if it is the address of the account', async () => {
      const resolve = (identity: Identity) =>
        resolveIdentity(site.app, { id: 'company', signUp: true }, identity, anonymous(null))
      expect(await resolve(anOutsider())).toMatchObject({ emailVerified: site.app.clock.now })
      const [user, other] = [await site.app.signUp(), anOutsider()]
      await site.app.storage.users.link(user.id, { provider: 'company', subject: other.subject }, 0)
      expect(await resolve(other)).toMatchObject({ id: user.id, emailVerified: null })
      expect(await resolve({ ...other, email: user.email })).toMatchObject({ emailVerified: site.app.clock.now })
      expect(await verifiedOf(user)).toBe(site.app.clock.now)
    })

    test('a user gets three links an hour, an address five, and a verified address none', async () => {
      await site.restart({ plugins: [notifier], settings: { limits: '' } })
      const user = await site.app.signUp()
      const session = await sessionOf(user)
      const send = () => site.call('POST', '/account/verification', session)
      for (let count = 0; count < 3; count++) await send().expect(204)
      expect(await deliver(3)).toHaveLength(3)
      expect((await send().expect(429)).body.code).toBe('limit.reached')
      await site.app.storage.users.update(user.id, { emailVerified: 1 })
      site.app.clock.now += HOUR
      await send().expect(204)
      await site.app.background.delivery.run()
      expect(sent).toEqual([])
    })

    describe('with sign-up limited to e-mail domains', () => {
      const change = (changes: object) => site.app.settings.update(changes, { username: 'boss', address: null })
      const setPolicies = (policies: Policies) =>
        site.app.settings.policies.update(() => policies, { username: 'boss', address: null })
      const create = (session: Record<string, string>, ttl = 60) =>
        site.call('POST', '/secret', session, { text: 'ö ☃', ttl })
      const settings = async (session: Record<string, string>) =>
        (await site.call('GET', '/settings', session).expect(200)).body
      const limit = () => change({ restrict_organization_email: 'example.org', who_can_create: 'users' })

      test('SEC-28: an account with an address that is not verified counts as a visitor', async () => {
        await limit()
        const user = await signUp()
        const session = await sessionOf(user)
        expect((await create(session).expect(403)).body.code).toBe('auth.email_unverified')
        expect(await settings(session)).toMatchObject({ canCreate: false, emailUnverified: true })
        const token = await site.app.tokenOf(user)
        const byToken = { Authorization: `Bearer ${token}` }
        expect((await create(byToken).expect(403)).body.code).toBe('auth.email_unverified')
        await change({ who_can_create: 'anyone' })
        await setPolicies({ visitors: { requireAddress: true } })
        expect((await create(session).expect(403)).body.code).toBe('settings.policy')
        await setPolicies({})
        await create(session).expect(201)
        const { limits } = await settings({})
        expect((await settings(session)).limits).toEqual(limits)
        expect((await create(session, limits.ttlMax + 1).expect(403)).body.code).toBe('auth.email_unverified')
        await limit()
        await verify(await readToken()).expect(200)
        await create(session).expect(201)
        await create(byToken).expect(201)
        expect(await settings(session)).toMatchObject({ canCreate: true, emailUnverified: false })
      })

      test('visitors and administrators are treated as before', async () => {
        await limit()
        expect((await create({}).expect(403)).body.code).toBe('settings.users_only')
        await create(await sessionOf(await site.app.signUp({ role: 'admin' }))).expect(201)
      })

      test('without a plugin that sends mails, a verified address is not needed', async () => {
        await site.restart({ plugins: [] })
        await limit()
        const session = await sessionOf(await site.app.signUp())
        await create(session).expect(201)
        expect(await settings(session)).toMatchObject({ emailUnverified: false, emailVerification: false })
        await site.call('POST', '/account/verification', session).expect(400)
      })
    })

    describe('a sign-in without the cookie of a known device', () => {
      const signIn = (user: TestUser, Cookie = '') =>
        site.call(
          'POST',
          '/authentication/signin',
          { ...OWN_PAGE, 'User-Agent': FIREFOX, 'Accept-Language': 'de', ...(Cookie && { Cookie }) },
          { username: user.username, password: user.password },
        )
      const countEvents = async () =>
        (await site.app.storage.outbox.list({}, { skip: 0, take: 9 })).filter(({ type }) => type === 'user.new_device')
          .length

      test('V6.3.5: sends a mail with the network and the browser, once in ten minutes', async () => {
        const user = await site.app.signUp(READY)
        const at = site.app.clock.now
        const first = await signIn(user).expect(200)
        expect(await deliver()).toMatchObject([
          {
            type: 'new-device',
            at,
            unsubscribeUrl: null,
            data: { network: expect.stringMatching(/\/\d+$/), program: 'Firefox' },
            recipient: { address: user.email, language: 'de' },
          },
        ])
        site.app.clock.now += 10 * 60_000 - 1
        await signIn(user).expect(200)
        site.app.clock.now += 1
        const cookies = [first.headers['set-cookie']].flat().map((line) => String(line).split(';')[0])
        await signIn(
          user,
          cookies.find((cookie) => cookie?.includes('device=')),
        ).expect(200)
        await signIn(user).expect(200)
        await expect.poll(countEvents).toBe(2)
        expect(await deliver()).toHaveLength(1)
      })

      test('at a provider sends a mail, but not when it creates the account', async () => {
        const { start, back } = redirectCalls(site)
        const identity = anOutsider()
        const come = async (Cookie = '') => {
          const { state, Cookie: flow } = await start('', { Cookie })
          return back(state, flow, identity)
        }
        const device = cookieIn((await come()).headers, '__Host-device')
        expect(device).not.toBe('')
        site.app.clock.now += HOUR
        await come(device)
        await come()
        expect(await deliver()).toMatchObject([{ type: 'new-device', recipient: { address: identity.email } }])
        expect(await countEvents()).toBe(1)
      })

      test('V6.3.5: sends no mail to an unverified address or to a user who turned it off', async () => {
        const [unverified, off] = [await site.app.signUp(), await site.app.signUp(READY)]
        const session = await sessionOf(off)
        await site.call('PUT', '/account/notifications', session, { signInAlerts: false }).expect(204)
        const { user } = (await site.call('GET', '/account', session).expect(200)).body
        expect(user).toMatchObject({ signInAlerts: false, notifications: true })
        for (const each of [unverified, off]) await signIn(each).expect(200)
        const watched = await site.app.signUp(READY)
        await signIn(watched).expect(200)
        expect((await deliver()).map(({ recipient }) => recipient.address)).toEqual([watched.email])
      })
    })
  },
  { app: { plugins: [notifier], auth: [fakeAuth()] } },
)
