/** Guessing codes of authenticator apps, and the effect on the user. */
import { expect, test } from 'vitest'
import { addAuthenticatorApp, withCookies } from '#test/factors'
import { forEachStorage, OWN_PAGE } from '#test/for-each-storage'
import { issueDeviceCookie } from '../auth/known-devices.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

forEachStorage(
  (site) => {
    test('SEC-53: wrong codes are limited, and strangers do not keep the user out of a known device', async () => {
      const user = await site.app.signUp()
      const { code, recoveryCodes } = await addAuthenticatorApp(site, await site.app.as(user))
      const { username, password } = user
      const signIn = (from: string) =>
        site.call('POST', '/authentication/signin', { ...OWN_PAGE, 'X-Forwarded-For': from }, { username, password })
      const begin = async (from: string) => withCookies(OWN_PAGE, await signIn(from).expect(200))
      const finish = (headers: Record<string, string>, body: object, from: string) =>
        site.call('POST', '/authentication/second-factor', { ...headers, 'X-Forwarded-For': from }, body)
      const device = `__Host-device=${issueDeviceCookie(site.app, user)}`

      // 60 addresses within ten minutes.
      const statuses: number[] = []
      for (let minute = 0; minute < 10; minute++) {
        const guessing = await begin(`203.0.113.${minute}`)
        const guesses = Array.from({ length: 6 }, (_, n) =>
          finish(guessing, { code: '000000' }, `198.51.${minute}.${n}`),
        )
        for (const { status } of await Promise.all(guesses)) statuses.push(status)
        site.app.clock.now += MINUTE
      }
      const headers = await begin('203.0.113.20')
      const known = { ...headers, Cookie: `${headers.Cookie}; ${device}` }
      expect(statuses.filter((status) => status === 403)).toHaveLength(10)
      expect(statuses.filter((status) => status === 429)).toHaveLength(50)
      // The right code of a stranger, or with the cookie of another user's device.
      await finish(headers, { code: code(30_000) }, '198.51.100.70').expect(429)
      const other = issueDeviceCookie(site.app, await site.app.signUp())
      const stolen = { ...headers, Cookie: `${headers.Cookie}; __Host-device=${other}` }
      await finish(stolen, { code: code(30_000) }, '198.51.100.71').expect(429)
      await finish(known, { code: code(30_000) }, '203.0.113.2').expect(200)
      // Values with too many bits to guess are not limited by account.
      const again = await begin('203.0.113.30')
      await finish(again, { recoveryCode: recoveryCodes?.[0] }, '203.0.113.4').expect(200)
    })

    site.once(() => {
      test('SEC-53: many known devices share the attempts of one, and a day has 50', async () => {
        const user = await site.app.signUp()
        const { code } = await addAuthenticatorApp(site, await site.app.as(user))
        const { username, password } = user
        let refused = 0
        for (let hour = 0; hour < 6; hour++) {
          const from = { ...OWN_PAGE, 'X-Forwarded-For': `203.0.113.${hour}` }
          const first = await site.call('POST', '/authentication/signin', from, { username, password }).expect(200)
          const { Cookie } = withCookies(OWN_PAGE, first)
          for (let n = 0; n < 12; n++) {
            const headers = {
              ...OWN_PAGE,
              'X-Forwarded-For': `198.51.${hour}.${n}`,
              // The instance key is enough to make them.
              Cookie: `${Cookie}; __Host-device=${issueDeviceCookie(site.app, user)}`,
            }
            const { status } = await site.call('POST', '/authentication/second-factor', headers, { code: '000000' })
            if (status === 403) refused++
          }
          site.app.clock.now += HOUR
        }
        expect(refused).toBe(50)
        expect(code()).toMatch(/^\d{6}$/)
      })
    })
  },
  { app: { settings: { limits: '', trustedProxies: ['127.0.0.1'] } } },
)
