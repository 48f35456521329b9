/** SEC-23: guessing the passwords of accounts: many for one name, one for many names, and what it costs everyone else. */
import { expect, test } from 'vitest'
import { forEachStorage, OWN_PAGE } from '#test/for-each-storage'
import { visitor } from '../caller.js'
import { isAppError } from '../errors.js'
import { beginSignIn, resetSignInLimit } from '../limits/sign-in.js'

const MINUTE = 60_000
const here = visitor('203.0.113.1')

/** How many of `times` at once are let through. */
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

    test('one name from many addresses, by whoever knows the password, and by whoever is signed in', async () => {
      const { username, password, ...user } = await site.app.signUp()
      const spellings = [username, username.toUpperCase(), ` ${username} `]
      const spread = Array.from({ length: 40 }, (_, n) =>
        signIn({ username: spellings[n % 3], password: 'wrong' }, `198.51.100.${n}`),
      )
      const statuses = (await Promise.all(spread)).map(({ status }) => status)
      // Ten, and one more that the minute allows; what cannot be a name is refused as such, and counts too.
      expect(statuses.filter((status) => status !== 429)).toHaveLength(11)
      const right = { username, password }
      await signIn(right, '203.0.113.9').expect(429)
      // Where they are signed in they are not slowed down by others; elsewhere it takes a minute.
      await signIn(right, '203.0.113.9', await site.app.as({ ...user, ...right })).expect(200)
      site.app.clock.now += MINUTE
      await signIn(right, '203.0.113.9').expect(200)
      await signIn({ username, password: 'wrong' }, '203.0.113.10').expect(401)
    })

    test('many names from one address, and bodies that are no attempt at all', async () => {
      const { username, password } = await site.app.signUp()
      for (let n = 0; n < 10; n++)
        await signIn({ username: `somebody-${n}`, password: 'wrong' }, '203.0.113.20').expect(401)
      await signIn({ username, password }, '203.0.113.20').expect(429)
      for (let n = 0; n < 10; n++) await signIn({ username, password, [`field-${n}`]: n }, '203.0.113.21').expect(400)
      await signIn({ username, password }, '203.0.113.21').expect(429)
      await signIn({ username, password }, '203.0.113.22').expect(200)
    })

    test('from however many addresses and however a name is written, wrong passwords become one a minute', async () => {
      const { limits } = site.app.services
      const names = ['alice', 'ALICE', ' alice ', 'álice', 'ａｌｉｃｅ', 'al\u200bice', 'alıce', 'a lice\0']
      let n = 0
      const attempt = () =>
        beginSignIn(limits, { username: names[n % names.length] ?? '', caller: visitor(`198.51.100.${n++}`) })
      // At once, as many as one after the other: they are counted before it is known that they are wrong.
      expect(await granted(100, attempt)).toBe(11)
      expect(await granted(10, () => beginSignIn(limits, { username: 'alicia', caller: here }))).toBe(10)
      for (let minute = 0; minute < 14; minute++) {
        site.app.clock.now += MINUTE
        expect(await granted(20, attempt)).toBe(1)
      }
      site.app.clock.now += MINUTE
      expect(await granted(100, attempt)).toBe(11)
    })

    test('a right password begins anew, and a browser with a session of that user is not slowed down by others', async () => {
      const { limits } = site.app.services
      const attempt = { username: 'alice', caller: here }
      const begin = (device?: string) => () => beginSignIn(limits, { ...attempt, ...(device && { device }) })
      expect(await granted(9, begin())).toBe(9)
      await resetSignInLimit(limits, attempt)
      expect(await granted(50, begin())).toBe(11)
      expect(await granted(50, begin('session-of-alice'))).toBe(11)
    })

    test('a restart forgets nothing', async () => {
      if (site.app.storage.location === undefined) return
      const { username, password } = await site.app.signUp()
      const { now } = site.app.clock
      for (let n = 0; n < 11; n++) await signIn({ username, password: 'wrong' }, `198.51.100.${n}`).expect(401)
      await site.restart({ now })
      await signIn({ username, password }, '198.51.100.99').expect(429)
    })

    test('health is told while passwords are hashed: it does not stand in their queue', async () => {
      let done = 0
      const wrong = (n: number) => ({ username: `somebody-${n}`, password: 'wrong' })
      const attempts = Array.from({ length: 30 }, (_, n) => signIn(wrong(n), `198.51.100.${n}`).then(() => done++))
      for (let n = 0; n < 5; n++) await site.call('GET', '/healthz').expect(204)
      expect(done).toBeLessThan(30)
      await Promise.all(attempts)
    })
  },
  { app: { settings: { limits: '', trustedProxies: ['127.0.0.1'] } } },
)
