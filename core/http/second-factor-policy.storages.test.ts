/** The policy for second factors: sign-in by a provider, proxies, and what a restricted caller may change. */
import { expect, test } from 'vitest'
import { anOutsider, fakeAuth } from '#test/fake-auth'
import { OWN_PAGE, onOneStorage } from '#test/for-each-storage'
import { cookieIn, redirectCalls } from '#test/redirect-calls'
import type { Identity } from '../contracts/auth-provider.js'
import type { User } from '../contracts/users.js'
import type { SettingsChanges } from '../settings/create-settings.js'
import { anAuthenticator } from '../testing/lib/fixtures.js'

onOneStorage(
  (site) => {
    const { start, back } = redirectCalls(site)

    const set = (changes: SettingsChanges) => site.app.settings.update(changes, { username: null, address: null })

    /** Signs in at the provider. Returns the response of the callback. */
    async function signIn(identity: Identity, next = '') {
      const { state, Cookie } = await start(next)
      return back(state, Cookie, identity)
    }

    const accountOf = async ({ subject }: Identity): Promise<User> =>
      (await site.app.storage.users.findByIdentity({ provider: 'company', subject })) as User

    const sessionsOf = async (identity: Identity) =>
      site.app.storage.sessions.list((await accountOf(identity)).id, site.app.clock.now)

    /** An identity with an account that has a second factor, and no sessions. */
    async function withFactor(): Promise<Identity> {
      const identity = anOutsider()
      await signIn(identity)
      const { id: userId } = await accountOf(identity)
      const options = { recoveryCodes: [], keepSession: null, now: site.app.clock.now }
      await site.app.storage.factors.addAuthenticator(anAuthenticator({ userId }), options)
      return identity
    }

    const proxied = (identity: Identity) => ({ ...OWN_PAGE, 'X-Company-Identity': JSON.stringify(identity) })

    test('SEC-50: the second factor of a provider counts only with second_factor_by_provider', async () => {
      for (const [isCounted, secondFactor, level] of [
        [false, true, 1],
        [true, true, 2],
        [true, false, 1],
        [true, undefined, 1],
      ] as const) {
        await set({ second_factor_by_provider: isCounted })
        const identity = anOutsider(secondFactor === undefined ? {} : { secondFactor })
        await signIn(identity)
        const expected = { level, provenAt: site.app.clock.now }
        expect(await sessionsOf(identity), `${isCounted} ${secondFactor}`).toMatchObject([expected])
      }
    })

    test('an identity with an invalid secondFactor is refused', async () => {
      const { headers } = await signIn(anOutsider({ secondFactor: 'yes' as never }))
      expect(headers.location).toBe('/signin?error=auth.refused')
    })

    test('SEC-50: without a policy, an account with a factor signs in by the provider, and has to prove itself', async () => {
      const identity = await withFactor()
      const { headers } = await signIn(identity)
      expect(headers.location).toBe('/')
      expect(await sessionsOf(identity)).toMatchObject([{ level: 1, provenAt: null }])
      const own = { ...OWN_PAGE, Cookie: cookieIn(headers, '__Host-session') }
      await site.call('POST', '/secret', own, { text: '☃', ttl: 60 }).expect(201)
      const { body } = await site.call('POST', '/account/tokens', own, { name: 'ü ☃' }).expect(403)
      expect(body.code).toBe('auth.proof_required')
    })

    test('SEC-50: the policy asks for the second step after the sign-in at the provider, unless its factor counts', async () => {
      const identity = await withFactor()
      await set({ second_factor: 'everyone' })
      const { headers } = await signIn(identity, '?next=/account%3Ftab%3Dtokens')
      expect(headers.location).toBe('/signin/second-step?next=%2Faccount%3Ftab%3Dtokens')
      expect(cookieIn(headers, '__Host-session')).toBe('')
      expect(await sessionsOf(identity)).toEqual([])
      const pending = { ...OWN_PAGE, Cookie: cookieIn(headers, '__Host-pending') }
      await site.call('GET', '/account', pending).expect(401)
      const { body } = await site.call('POST', '/authentication/second-factor/options', pending).expect(200)
      expect(body.methods).toContain('authenticator')
      await set({ second_factor_by_provider: true })
      expect((await signIn({ ...identity, secondFactor: true })).headers.location).toBe('/')
      expect(await sessionsOf(identity)).toMatchObject([{ level: 2, provenAt: site.app.clock.now }])
      expect((await signIn({ ...identity, secondFactor: false })).headers.location).toBe('/signin/second-step?next=%2F')
    })

    test('SEC-50: a suspended account is refused before the second step', async () => {
      const identity = await withFactor()
      await set({ second_factor: 'everyone' })
      await site.app.storage.users.update((await accountOf(identity)).id, { suspendedAt: site.app.clock.now })
      const { headers } = await signIn(identity)
      expect(headers.location).toBe('/signin?error=auth.suspended')
      expect(cookieIn(headers, '__Host-pending')).toBe('')
    })

    test('SEC-50: a proxy does not replace the second factor that the policy requires', async () => {
      const identity = await withFactor()
      await set({ second_factor: 'everyone', second_factor_grace_days: '30' })
      const restricted = async (sent: Record<string, string>) =>
        (await site.call('GET', '/account/tokens', sent).expect(403)).body.code
      expect(await restricted(proxied(identity))).toBe('auth.second_factor_required')
      await site.call('GET', '/account', proxied(identity)).expect(200)
      await site.call('GET', '/account/tokens', proxied(anOutsider())).expect(200)
      await set({ second_factor_grace_days: '0' })
      expect(await restricted(proxied(anOutsider()))).toBe('auth.factor_enrolment_required')
      await set({ second_factor_by_provider: true })
      await site.call('GET', '/account/tokens', proxied({ ...identity, secondFactor: true })).expect(200)
      expect(await restricted(proxied({ ...identity, secondFactor: false }))).toBe('auth.second_factor_required')
    })

    test('SEC-50: an account that has to add a second factor may only replace a generated password', async () => {
      const user = await site.app.signUp({ mustChangePassword: true })
      await set({ second_factor: 'everyone', second_factor_grace_days: '0' })
      const session = await site.app.as(user)
      const change = (headers: Record<string, string>, currentPassword: string, changes: object) =>
        site.call('PUT', '/account/update', { ...OWN_PAGE, ...headers }, { currentPassword, ...changes })
      const email = 'zoe@example.org'
      const [first, second] = ['néw ånd long', 'ånother ☃ one']
      const toFirst = { newPassword: first, confirmNewPassword: first }
      const refused = async (response: ReturnType<typeof change>) => (await response.expect(403)).body.code
      const code = 'auth.factor_enrolment_required'
      expect(await refused(change(session, user.password, { email }))).toBe(code)
      expect(await refused(change(session, user.password, { email, ...toFirst }))).toBe(code)
      const { headers } = await change(session, user.password, toFirst).expect(200)
      const next = { Cookie: cookieIn(headers, '__Host-session') }
      await site.call('GET', '/account', next).expect(200)
      const toSecond = { newPassword: second, confirmNewPassword: second }
      expect(await refused(change(next, first, toSecond))).toBe(code)
    })

    test('SEC-50: the session of a proxy user is not used for the next user of the same browser', async () => {
      const [first, second] = [anOutsider(), anOutsider()]
      const local = await site.app.signUp()
      for (const identity of [first, second]) await site.call('GET', '/account', proxied(identity)).expect(200)
      const { Cookie = '' } = await site.app.as({ ...local, ...(await accountOf(first)) })
      const nameOf = async (sent: Record<string, string>) =>
        (await site.call('GET', '/account', { ...OWN_PAGE, ...sent }).expect(200)).body.user.username
      expect(await nameOf({ Cookie })).toBe(first.username)
      expect(await nameOf({ ...proxied(first), Cookie })).toBe(first.username)
      expect(await nameOf({ ...proxied(second), Cookie })).toBe(second.username)
      // Someone signed in with a password to another account than the account of the proxy.
      const { Cookie: own = '' } = await site.app.as(local)
      expect(await nameOf({ ...proxied(second), Cookie: own })).toBe(local.username)
    })
  },
  { app: { auth: [fakeAuth()] } },
)
