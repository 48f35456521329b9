/** Password reset by e-mail over HTTP: the same responses for every address, and links that work once. */
import { beforeEach, describe, expect, test } from 'vitest'
import { anonymous } from '#core/contracts/auth-context'
import type { Notification } from '#core/contracts/notifications'
import { OWN_PAGE, onOneStorage } from '#test/for-each-storage'
import { recordingNotifier } from '#test/recording-notifier'
import { DEVICE_DAYS, issueDeviceCookie } from './known-devices.js'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const NEW = 'näues Passwort ☃'
const VERIFIED = { emailVerified: 1 }

const { notifier, sent } = recordingNotifier()

onOneStorage(
  (site) => {
    beforeEach(() => void sent.splice(0))

    const request = (email: string, status = 204) =>
      site.call('POST', '/authentication/forgot', { ...OWN_PAGE, 'Accept-Language': 'pt-br' }, { email }).expect(status)
    const reset = (token: string, newPassword = NEW) =>
      site.call('POST', '/authentication/reset', OWN_PAGE, { token, newPassword })
    const signIn = (username: string, password: string) =>
      site.call('POST', '/authentication/signin', OWN_PAGE, { username, password })

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

    async function requestToken(email: string): Promise<string> {
      await request(email)
      const [notification] = await deliver()
      if (notification?.type !== 'password-reset') throw new Error('no link')
      return new URL(notification.data.url).hash.slice(1)
    }

    test('V6.4.1: a link sets a new password once, and ends sessions', async () => {
      const user = await site.app.signUp({ ...VERIFIED, notifications: false })
      const session = await site.app.as(user)
      await request(user.email.toUpperCase())
      const [notification] = await deliver()
      expect(notification).toMatchObject({
        type: 'password-reset',
        unsubscribeUrl: null,
        recipient: { address: user.email, username: user.username, language: 'pt-BR' },
      })
      if (notification?.type !== 'password-reset') throw new Error('no link')
      const { href, hash } = new URL(notification.data.url)
      expect(href).toBe(`https://secrets.example.org/reset-password${hash}`)
      const token = hash.slice(1)
      expect(JSON.stringify(await site.app.storage.outbox.list({}, { skip: 0, take: 9 }))).not.toContain(token)
      expect((await reset(token, 'abc').expect(400)).body.field).toBe('newPassword')
      await reset(token).expect(204)
      expect((await reset(token).expect(403)).body.code).toBe('auth.reset_link')
      await site.call('GET', '/account', session).expect(401)
      await signIn(user.username, user.password).expect(401)
      await signIn(user.username, NEW).expect(200)
      expect(site.app.logged.join()).not.toContain(token)
    })

    test('V6.4.1: unknown and unverified addresses and accounts without a password get the same response, and no mail', async () => {
      const external = await site.app.signUp({ ...VERIFIED, passwordHash: null })
      const [known, unverified] = [await site.app.signUp(VERIFIED), await site.app.signUp()]
      const bodies = []
      for (const email of ['unknown@example.org', external.email, unverified.email, known.email])
        bodies.push((await request(email)).text)
      expect(new Set(bodies).size).toBe(1)
      expect((await deliver()).map(({ recipient }) => recipient.address)).toEqual([known.email])
      await site.app.audit.flush()
      const requests = await site.app.storage.audit.list({ action: 'user.reset_requested' }, { skip: 0, take: 9 })
      expect(requests.map(({ subject }) => subject)).toEqual([known.username])
      await request('no address', 400)
    })

    test('V6.4.1: a link expires after an hour, and when another link was used', async () => {
      const user = await site.app.signUp(VERIFIED)
      const late = await requestToken(user.email)
      site.app.clock.now += HOUR
      await reset(late).expect(403)
      const [one, two] = [await requestToken(user.email), await requestToken(user.email)]
      await reset(two).expect(204)
      await reset(one).expect(403)
      await reset('x'.repeat(43)).expect(403)
    })

    test('a link that went to a former address is invalid', async () => {
      const user = await site.app.signUp(VERIFIED)
      const token = await requestToken(user.email)
      await site.app.storage.users.update(user.id, { email: 'neü@example.org' })
      expect((await reset(token).expect(403)).body.code).toBe('auth.reset_link')
      await signIn(user.username, user.password).expect(200)
    })

    test('a request that waited for a day creates no link', async () => {
      const user = await site.app.signUp(VERIFIED)
      await request(user.email)
      site.app.clock.now += DAY + 1
      const findState = async () => {
        await site.app.background.delivery.run()
        return (await site.app.storage.outbox.list({}, { skip: 0, take: 9 }))[0]?.state
      }
      await expect.poll(findState).toBe('skipped')
      expect(sent).toEqual([])
    })

    test('an address gets three links an hour, and further requests the same response', async () => {
      await site.restart({ plugins: [notifier], settings: { limits: '' } })
      const user = await site.app.signUp(VERIFIED)
      for (let count = 0; count < 5; count++) await request(user.email)
      expect(await deliver(3)).toHaveLength(3)
    })

    describe('from a known device', () => {
      beforeEach(() => site.restart({ plugins: [notifier], settings: { limits: '', trustedProxies: ['127.0.0.1'] } }))

      let requests = 0
      /** Each request from another address. `device`: the cookie. */
      const ask = (email: string, device?: string) => {
        const headers = { ...OWN_PAGE, 'X-Forwarded-For': `198.51.100.${requests++}` }
        const cookie = device === undefined ? {} : { Cookie: `__Host-device=${device}` }
        return site.call('POST', '/authentication/forgot', { ...headers, ...cookie }, { email })
      }
      /** Uses up the requests of all browsers in which the user of the address has not signed in. */
      async function floodFromStrangers() {
        const stranger = anonymous('203.0.113.1')
        for (let count = 0; count < 300; count++) await site.app.limits.consume('password-reset-stranger', stranger)
      }

      test('a request is served after strangers have used up the requests of the instance', async () => {
        const user = await site.app.signUp(VERIFIED)
        await floodFromStrangers()
        await ask(user.email).expect(429)
        await ask(user.email, issueDeviceCookie(site.app, user)).expect(204)
        expect(await deliver()).toMatchObject([{ type: 'password-reset', recipient: { address: user.email } }])
      })

      test('only the cookie of a device of this user, epoch and time counts', async () => {
        const [user, other] = [await site.app.signUp(VERIFIED), await site.app.signUp(VERIFIED)]
        const cookie = issueDeviceCookie(site.app, user)
        const { key, clock } = site.app
        const refused = {
          'a wrong signature': cookie.slice(0, -2),
          'another user': issueDeviceCookie(site.app, other),
          'before a lock-out': issueDeviceCookie(site.app, { id: user.id, epoch: user.epoch - 1 }),
          expired: issueDeviceCookie({ key, now: () => clock.now - DEVICE_DAYS * DAY }, user),
          'no cookie of a device': 'x',
        }
        await floodFromStrangers()
        for (const [what, device] of Object.entries(refused))
          expect([what, (await ask(user.email, device)).status]).toEqual([what, 429])
        await ask('unknown@example.org', cookie).expect(429)
        await ask(user.email, cookie).expect(204)
      })

      test('five requests an hour are served, which other devices and strangers do not use up', async () => {
        const user = await site.app.signUp(VERIFIED)
        const [one, two] = [issueDeviceCookie(site.app, user), issueDeviceCookie(site.app, user)]
        for (let count = 0; count < 5; count++) await ask(user.email, one).expect(204)
        const { body } = await ask(user.email, one).expect(429)
        expect(body).toMatchObject({ code: 'limit.reached', retryAfter: 3600 })
        await ask(user.email, two).expect(204)
        await ask(user.email).expect(204)
        site.app.clock.now += HOUR
        await ask(user.email, one).expect(204)
      })
    })
  },
  { app: { plugins: [notifier] } },
)
