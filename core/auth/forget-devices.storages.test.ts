/** Known devices of an account over HTTP, and how a user forgets them. */
import { expect, test } from 'vitest'
import { withCookies } from '#test/factors'
import { OWN_PAGE, onOneStorage } from '#test/for-each-storage'
import type { TestUser } from '#test/test-app'

const PATH = '/account/devices'

onOneStorage(
  (site) => {
    const signIn = (from: string, { username, password }: Partial<TestUser>, headers = {}) =>
      site.call(
        'POST',
        '/authentication/signin',
        { ...OWN_PAGE, ...headers, 'X-Forwarded-For': from },
        { username, password },
      )

    /** Headers of a browser after the sign-in. */
    async function openBrowser(user: TestUser, from: string) {
      return withCookies(OWN_PAGE, await signIn(from, user).expect(200))
    }
    const deviceOf = ({ Cookie = '' }: Record<string, string>) => ({
      Cookie: Cookie.split('; ').find((each) => each.startsWith('__Host-device=')) ?? '',
    })

    test('SEC-53: forgotten devices count as unknown, and the browser that forgot them stays known', async () => {
      const user = await site.app.signUp()
      const [here, other] = [await openBrowser(user, '203.0.113.1'), await openBrowser(user, '203.0.113.2')]
      site.app.clock.now += 1
      const after = withCookies(here, await site.call('DELETE', PATH, here).expect(204))
      const wrong = { username: user.username, password: 'wröng' }
      const guesses = Array.from({ length: 40 }, (_, n) => signIn(`198.51.100.${n}`, wrong))
      expect((await Promise.all(guesses)).at(-1)?.status).toBe(429)
      await signIn('203.0.113.3', user, deviceOf(other)).expect(429)
      // The cookie that this browser had before.
      await signIn('203.0.113.3', user, deviceOf(here)).expect(429)
      await signIn('203.0.113.3', user, deviceOf(after)).expect(200)
      // Sessions are separate.
      await site.call('GET', '/account', other).expect(200)
      const list = () => site.app.storage.audit.list({ action: 'account.forgot_devices' }, { skip: 0, take: 10 })
      await expect.poll(list).toMatchObject([{ actor: user.username }])
    })

    test('DELETE /account/devices needs a session and a request of the own page', async () => {
      const user = await site.app.signUp()
      const browser = await openBrowser(user, '203.0.113.1')
      await site.call('DELETE', PATH, { ...browser, 'Sec-Fetch-Site': 'cross-site' }).expect(403)
      const Authorization = `Bearer ${await site.app.tokenOf(user)}`
      expect((await site.call('DELETE', PATH, { Authorization }).expect(401)).body.code).toBe('auth.required')
    })
  },
  { app: { settings: { limits: '', trustedProxies: ['127.0.0.1'] } } },
)
