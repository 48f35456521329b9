/** Connected identities of an account: list and disconnect. */
import { expect, test } from 'vitest'
import { anOutsider, fakeAuth } from '#test/fake-auth'
import { OWN_PAGE, onOneStorage } from '#test/for-each-storage'
import { redirectCalls, startConnecting } from '#test/redirect-calls'
import type { TestUser } from '#test/test-app'

const COMPANY = { provider: 'company', label: 'Company' }
const PATH = '/account/identities'

onOneStorage(
  (site) => {
    const listed = async (headers: Record<string, string>) => (await site.call('GET', PATH, headers).expect(200)).body
    const disconnect = (headers: Record<string, string>, provider = 'company') =>
      site.call('DELETE', PATH, { ...OWN_PAGE, ...headers }, { provider })
    /** A user who has connected the provider over HTTP. */
    const connected = async () => {
      const [user, identity] = [await site.app.signUp(), anOutsider()]
      const { Cookie = '' } = await site.app.as(user)
      const flow = await startConnecting(site, { Cookie })
      await redirectCalls(site).back(flow.state, flow.Cookie, identity)
      return { user, identity, headers: { Cookie } }
    }
    const link = (user: TestUser, provider: string) =>
      site.app.storage.users.link(user.id, { provider, subject: anOutsider().subject }, 0)

    test('GET /account/identities lists connected providers with their labels', async () => {
      expect(await listed(await site.app.as(await site.app.signUp()))).toEqual([])
      const { user, headers } = await connected()
      expect(await listed(headers)).toEqual([COMPANY])
      await link(user, 'company')
      await link(user, 'of-last-year')
      expect(await listed(headers)).toEqual([COMPANY, { provider: 'of-last-year', label: '' }])
    })

    test('disconnecting an identity ends its sign-in and every other session', async () => {
      const { user, identity, headers } = await connected()
      const other = await site.app.as(user)
      await disconnect(headers).expect(204)
      expect(await listed(headers)).toEqual([])
      await site.call('GET', '/account', other).expect(401)
      expect(await site.app.storage.users.findByIdentity({ provider: 'company', subject: identity.subject })).toBeNull()
      const again = await disconnect(headers).expect(404)
      expect(again.body.code).toBe('identity.not_found')
      await site.app.audit.flush()
      const entries = await site.app.storage.audit.list({ action: 'account.unlinked' }, { skip: 0, take: 10 })
      expect(entries.map(({ actor, subject, detail }) => [actor, subject, detail])).toEqual([
        [user.username, user.username, { provider: 'company' }],
      ])
    })

    test('disconnecting requires a sign-in within the last ten minutes', async () => {
      const { headers } = await connected()
      site.app.clock.now += 10 * 60_000
      expect((await disconnect(headers).expect(403)).body.code).toBe('auth.proof_required')
      expect(await listed(headers)).toEqual([COMPANY])
    })

    test('DELETE /account/identities keeps the last sign-in method', async () => {
      const vouched = { 'X-Company-Identity': JSON.stringify(anOutsider()) }
      expect(await listed(vouched)).toEqual([COMPANY])
      expect((await disconnect(vouched).expect(409)).body.code).toBe('auth.last_way')
      expect(await listed(vouched)).toEqual([COMPANY])
    })

    test('passwords and providers that are not configured do not count as sign-in methods', async () => {
      await site.restart({ settings: { auth: ['fake-company'] } })
      const { user, headers } = await connected()
      await link(user, 'of-last-year')
      expect((await disconnect(headers).expect(409)).body.code).toBe('auth.last_way')
      await disconnect(headers, 'of-last-year').expect(204)
      expect(await listed(headers)).toEqual([COMPANY])
    })

    test.each([undefined, '', 'Company', 'a b', 5, null, ['company'], { id: 'company' }])(
      'provider %j is refused',
      async (provider) => {
        const headers = { ...OWN_PAGE, ...(await site.app.as(await site.app.signUp())) }
        const { body } = await site.call('DELETE', PATH, headers, { provider }).expect(400)
        expect(body).toMatchObject({ code: 'request.invalid', field: 'provider' })
      },
    )
  },
  { app: { auth: [fakeAuth()] } },
)
