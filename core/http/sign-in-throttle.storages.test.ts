/** Guessing passwords: many for one name, one for many names, and the effect on other users. */

import { expect, test } from 'vitest'
import { forEachStorage, OWN_PAGE } from '#test/for-each-storage'
import { issueDeviceCookie } from '../auth/known-devices.js'
import { anonymous } from '../contracts/auth-context.js'
import { isAppError } from '../lib/errors.js'
import { HASH_COST } from '../lib/password-hash.js'
import { beginSignIn, resetSignInLimit } from '../rate-limits/sign-in-throttle.js'

const MINUTE = 60_000
const here = anonymous('203.0.113.1')

/** How many of `times` concurrent attempts are allowed. */
async function granted(times: number, attempt: () => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: times }, attempt))
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(isAppError(outcome.reason, 'limit.reached')).toBe(true)
  }
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

forEachStorage(
  (site) => {
    const signIn = (body: object, from: string, headers = {}) =>
      site.call('POST', '/authentication/signin', { ...OWN_PAGE, 'X-Forwarded-For': from, ...headers }, body)

    test('SEC-23: sign-in under one name from many addresses is limited, except in a browser that is signed in as that user', async () => {
      const { username, password, ...user } = await site.app.signUp()
      const spellings = [username, username.toUpperCase(), ` ${username} `]
      const spread = Array.from({ length: 40 }, (_, n) =>
        signIn({ username: spellings[n % 3], password: 'wrong' }, `198.51.100.${n}`),
      )
      const statuses = (await Promise.all(spread)).map(({ status }) => status)
      // Ten, and one more that the minute allows; an invalid name is refused as such, and counts too.
      expect(statuses.filter((status) => status !== 429)).toHaveLength(11)
      const right = { username, password }
      await signIn(right, '203.0.113.9').expect(429)
      // A browser with a session is not slowed down by others; another browser waits for a minute.
      await signIn(right, '203.0.113.9', await site.app.as({ ...user, ...right })).expect(200)
      site.app.clock.now += MINUTE
      await signIn(right, '203.0.113.9').expect(200)
      await signIn({ username, password: 'wrong' }, '203.0.113.10').expect(401)
    })

    test('SEC-23: ten wrong passwords for a name leave one attempt a minute, from any address and in any spelling', async () => {
      const { limits } = site.app
      const names = ['alice', 'ALICE', ' alice ', 'álice', 'ａｌｉｃｅ', 'al\u200bice', 'alıce', 'a lice\0']
      let n = 0
      const attempt = () =>
        beginSignIn(limits, { username: names[n % names.length] ?? '', caller: anonymous(`198.51.100.${n++}`) })
      // The same number in parallel as in sequence, because attempts are counted before the password is checked.
      expect(await granted(100, attempt)).toBe(11)
      expect(await granted(10, () => beginSignIn(limits, { username: 'alicia', caller: here }))).toBe(10)
      for (let minute = 0; minute < 14; minute++) {
        site.app.clock.now += MINUTE
        expect(await granted(20, attempt)).toBe(1)
      }
      site.app.clock.now += MINUTE
      expect(await granted(100, attempt)).toBe(11)
    })

    site.once(() => {
      test('SEC-23: attempts of strangers do not keep a user out of a browser in which the user has signed in before', async () => {
        const { username, password } = await site.app.signUp()
        const other = await site.app.signUp()
        const deviceOf = async (user: { username: string; password: string }, from: string) => {
          const { headers } = await signIn({ username: user.username, password: user.password }, from).expect(200)
          const lines = headers['set-cookie'] as unknown as string[]
          return lines.find((line) => line.startsWith('__Host-device='))?.split(';')[0] ?? ''
        }
        const device = await deviceOf({ username, password }, '203.0.113.30')
        const stolen = await deviceOf(other, '203.0.113.31')
        const wrong = (n: number, headers = {}) => signIn({ username, password: 'wrong' }, `198.51.100.${n}`, headers)
        for (let n = 0; n < 12; n++) await wrong(n)
        await wrong(13, { Cookie: stolen }).expect(429)
        await wrong(14, { Cookie: device.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')) }).expect(429)
        await signIn({ username, password }, '203.0.113.32').expect(429)
        await signIn({ username, password }, '203.0.113.33', { Cookie: device }).expect(200)
      })

      test('guesses in a browser in which the user has signed in before are limited too', async () => {
        const user = await site.app.signUp()
        const { username, password } = user
        const Cookie = `__Host-device=${issueDeviceCookie(site.app, user)}`
        const guess = (n: number) => signIn({ username, password: 'wrong' }, `198.51.100.${n}`, { Cookie })
        const statuses: number[] = []
        for (let n = 0; n < 20; n++) statuses.push((await guess(n)).status)
        expect(statuses.filter((status) => status === 401)).toHaveLength(11)
        await signIn({ username, password }, '203.0.113.40').expect(200)
      })

      test('sign-in from one address is limited over many names, and invalid bodies count', async () => {
        const { username, password } = await site.app.signUp()
        for (let n = 0; n < 10; n++)
          await signIn({ username: `guess-${n}`, password: 'wrong' }, '203.0.113.20').expect(401)
        await signIn({ username, password }, '203.0.113.20').expect(429)
        for (let n = 0; n < 10; n++) await signIn({ username, password, [`field-${n}`]: n }, '203.0.113.21').expect(400)
        await signIn({ username, password }, '203.0.113.21').expect(429)
        await signIn({ username, password }, '203.0.113.22').expect(200)
      })

      test('a right password resets the count, and a session of the user has its own count', async () => {
        const { limits } = site.app
        const attempt = { username: 'alice', caller: here }
        const begin = (device?: string) => () => beginSignIn(limits, { ...attempt, ...(device && { device }) })
        expect(await granted(9, begin())).toBe(9)
        await resetSignInLimit(limits, attempt)
        expect(await granted(50, begin())).toBe(11)
        expect(await granted(50, begin('session-of-alice'))).toBe(11)
      })

      test('the count of wrong passwords survives a restart', async () => {
        if (site.app.storage.location === undefined) return
        const { username, password } = await site.app.signUp()
        const { now } = site.app.clock
        for (let n = 0; n < 11; n++) await signIn({ username, password: 'wrong' }, `198.51.100.${n}`).expect(401)
        await site.restart({ now })
        await signIn({ username, password }, '198.51.100.99').expect(429)
      })

      test('SEC-23: /healthz responds while passwords are hashed', async () => {
        await site.restart({ hashCost: HASH_COST })
        let done = 0
        const wrong = (n: number) => ({ username: `guess-${n}`, password: 'wrong' })
        const attempts = Array.from({ length: 30 }, (_, n) => signIn(wrong(n), `198.51.100.${n}`).then(() => done++))
        for (let n = 0; n < 5; n++) await site.call('GET', '/healthz').expect(204)
        expect(done).toBeLessThan(30)
        await Promise.all(attempts)
      })
    })
  },
  { app: { settings: { limits: '', trustedProxies: ['127.0.0.1'] } } },
)
