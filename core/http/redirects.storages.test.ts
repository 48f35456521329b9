/**
 * Sign-in by redirect, the parts that depend on the storage: concurrent callbacks, deleted accounts and connected
 * identities.
 */
import { expect, test } from 'vitest'
import { anOutsider, fakeAuth } from '#test/fake-auth'
import { forEachStorage, OWN_PAGE } from '#test/for-each-storage'
import { cookieIn, redirectCalls, startConnecting } from '#test/redirect-calls'
import { encryptedCookie } from '../auth/encrypted-cookie.js'
import { INSTANCE_KEY } from '../settings/instance-key.js'

forEachStorage(
  (site) => {
    const { start, back, sessionOf } = redirectCalls(site)

    test('one of eight concurrent requests with the same callback signs in', async () => {
      const { state, Cookie } = await start()
      const responses = await Promise.all(Array.from({ length: 8 }, () => back(state, Cookie)))
      expect(responses.map(({ headers }) => headers.location).sort()).toEqual([
        '/',
        ...Array.from({ length: 7 }, () => '/signin?error=auth.refused'),
      ])
    })

    site.once(() => {
      test('a deleted account that signs in again gets a new account without the old secrets', async () => {
        const identity = anOutsider()
        const come = async () => {
          const { state, Cookie } = await start()
          const response = await back(state, Cookie, identity)
          return { Cookie: cookieIn(response.headers, '__Host-session'), ...OWN_PAGE }
        }
        const before = await come()
        const { body: made } = await site.call('POST', '/secret', before, { text: '☃', ttl: 60 }).expect(201)
        const old = await site.app.storage.users.find(identity.username)
        await site.call('POST', '/account/delete', before, {}).expect(200)
        const after = await come()
        expect((await site.app.storage.users.find(identity.username))?.id).not.toBe(old?.id)
        await site.call('GET', '/authentication/verify', before).expect(401)
        expect((await site.call('GET', '/secret', after).expect(200)).body).toEqual([])
        await site.call('GET', `/secret/${made.id}`, after).expect(404)
      })

      test('a signed-in user connects an identity, which then signs in to the account and to no other', async () => {
        const user = await site.app.signUp()
        const headers = { ...(await site.app.as(user)), ...OWN_PAGE }
        const flow = await startConnecting(site, headers)
        const identity = anOutsider({ email: user.email })
        const done = await back(flow.state, flow.Cookie, identity)
        expect(done.headers.location).toBe('/account/security')
        expect(cookieIn(done.headers, '__Host-session')).toBe('')
        const next = await start()
        expect(await sessionOf(await back(next.state, next.Cookie, identity))).toBe(user.username)
        // It signs in to this account only.
        const other = await site.app.as(await site.app.signUp())
        const theirs = await startConnecting(site, other)
        const refused = await back(theirs.state, theirs.Cookie, identity)
        expect(refused.headers.location).toBe('/account/security?error=auth.identity_taken')
      })

      test('a cookie made with the instance key does not connect an identity to an account', async () => {
        const user = await site.app.signUp()
        const headers = { ...(await site.app.as(user)), ...OWN_PAGE }
        const { storage, clock } = site.app
        const [session] = await storage.sessions.list(user.id, clock.now)
        const key = Buffer.from((await storage.instanceState.get(INSTANCE_KEY)) ?? '', 'base64url')
        const { read, write } = encryptedCookie<{ connect: unknown }>({ key }, 'sealed-cookie')
        const { state, Cookie } = await start()
        const flow = read(Cookie.split('=')[1] ?? '')
        expect(flow).toMatchObject({ connect: null })
        const forged = write({ ...flow, connect: { userId: user.id, sessionId: session?.id } })
        const identity = anOutsider()
        const refused = await back(state, `__Host-redirect=${forged}`, identity)
        expect(refused.headers.location).toBe('/account/security?error=auth.refused')
        expect((await site.call('GET', '/account/identities', headers).expect(200)).body).toEqual([])
      })

      test('a flow that was started in an ended session does not connect an identity', async () => {
        const user = await site.app.signUp()
        const headers = { ...(await site.app.as(user)), ...OWN_PAGE }
        const flow = await startConnecting(site, headers)
        await site.call('POST', '/authentication/signout', headers)
        const refused = await back(flow.state, flow.Cookie)
        expect(refused.headers.location).toBe('/account/security?error=auth.refused')
      })
    })
  },
  { shared: true, app: { auth: [fakeAuth()] } },
)
