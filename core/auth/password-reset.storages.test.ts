/** Password reset by e-mail over HTTP: the same responses for every address, and links that work once. */
import { beforeEach, expect, test } from 'vitest'
import type { Notification } from '#core/contracts/notifier'
import { forEachStorage, OWN_PAGE } from '#test/for-each-storage'
import { recordingNotifier } from '#test/recording-notifier'

const HOUR = 60 * 60_000
const NEW = 'näues Passwort ☃'

const { notifier, sent } = recordingNotifier()

forEachStorage(
  (site) => {
    beforeEach(() => void sent.splice(0))

    const request = (email: string, status = 204) =>
      site.call('POST', '/authentication/forgot', { ...OWN_PAGE, 'Accept-Language': 'pt-br' }, { email }).expect(status)
    const reset = (token: string, newPassword = NEW) =>
      site.call('POST', '/authentication/reset', OWN_PAGE, { token, newPassword })
    const signIn = (username: string, password: string) =>
      site.call('POST', '/authentication/signin', OWN_PAGE, { username, password })

    /** Waits for `expected` mails: their events are stored after the responses. */
    async function deliver(expected = 1): Promise<Notification[]> {
      const run = async () => {
        await site.app.services.delivery.run()
        return sent.length
      }
      await expect.poll(run).toBeGreaterThanOrEqual(expected)
      return sent.splice(0)
    }

    async function requestToken(email: string): Promise<string> {
      await request(email)
      const [notification] = await deliver()
      if (notification?.type !== 'password-reset') throw new Error('no link')
      return new URL(notification.data.url).hash.slice(1)
    }

    test('a link sets a new password once, and ends sessions', async () => {
      const user = await site.app.signUp({ notifications: false })
      const session = await site.app.as(user)
      await request(user.email.toUpperCase())
      const [notification] = await deliver()
      expect(notification).toMatchObject({
        ...{ type: 'password-reset', unsubscribeUrl: null },
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
      expect(site.app.log.join()).not.toContain(token)
    })

    test('an unknown address and an account without a password get the same response, and no mail', async () => {
      const external = await site.app.signUp({ passwordHash: null })
      const known = await site.app.signUp()
      const bodies = []
      for (const email of ['unknown@example.org', external.email, known.email]) bodies.push((await request(email)).text)
      expect(new Set(bodies).size).toBe(1)
      expect((await deliver()).map(({ recipient }) => recipient.address)).toEqual([known.email])
      await request('no address', 400)
    })

    test('a link expires after an hour, and with another link that was used', async () => {
      const user = await site.app.signUp()
      const late = await requestToken(user.email)
      site.app.clock.now += HOUR
      await reset(late).expect(403)
      const [one, two] = [await requestToken(user.email), await requestToken(user.email)]
      await reset(two).expect(204)
      await reset(one).expect(403)
      await reset('x'.repeat(43)).expect(403)
    })

    test('a link that went to a former address is invalid', async () => {
      const user = await site.app.signUp()
      const token = await requestToken(user.email)
      await site.app.storage.users.update(user.id, { email: 'neü@example.org' })
      expect((await reset(token).expect(403)).body.code).toBe('auth.reset_link')
      await signIn(user.username, user.password).expect(200)
    })

    test('a request that waited for a day creates no link', async () => {
      const user = await site.app.signUp()
      await request(user.email)
      site.app.clock.now += 24 * HOUR + 1
      const findState = async () => {
        await site.app.services.delivery.run()
        return (await site.app.storage.outbox.list({}, { skip: 0, take: 9 }))[0]?.state
      }
      await expect.poll(findState).toBe('delivered')
      expect(sent).toEqual([])
    })

    test('an address gets three links an hour, and further requests the same response', async () => {
      await site.restart({ plugins: [notifier], settings: { limits: '' } })
      const user = await site.app.signUp()
      for (let count = 0; count < 5; count++) await request(user.email)
      expect(await deliver(3)).toHaveLength(3)
    })
  },
  { app: { plugins: [notifier] } },
)
