/** Passkeys: registration, sign-in, as a second step and as a proof, and refused passkeys. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addPasskey, requestIn, withCookies } from '#test/factors'
import { OWN_PAGE, onOneStorage } from '#test/for-each-storage'
import { type Behavior, createSoftwarePasskey, type SoftwarePasskey } from '#test/software-authenticator'
import { LOCAL_CLI } from '../contracts/auth-context.js'

const MINUTE = 60_000
const ROUTE = '/account/factors/passkeys'
type Headers = Record<string, string>

onOneStorage(
  (site) => {
    /** Requests a challenge, and signs in with it. `headers`: of the second request, without its cookie. */
    async function signIn(passkey: SoftwarePasskey, behavior: Behavior = {}) {
      const options = await site.call('POST', '/authentication/passkey/options', OWN_PAGE).expect(200)
      const headers = withCookies(OWN_PAGE, options)
      const body = { passkey: passkey.get(options.body, behavior) }
      return { headers, body, response: await site.call('POST', '/authentication/passkey', headers, body) }
    }

    async function createEnrolled(behavior: Behavior = {}) {
      const user = await site.app.signUp()
      const session = await site.app.as(user)
      return { user, session, ...(await addPasskey(site, session, behavior)) }
    }

    const register = async (session: Headers, behavior: Behavior) => {
      const options = await site.call('POST', `${ROUTE}/options`, session).expect(200)
      const body = { name: 'x', passkey: createSoftwarePasskey().create(options.body, behavior) }
      return site.call('POST', ROUTE, withCookies(session, options), body)
    }

    const actions = async () => (await site.app.audit.list({}, { skip: 0, take: 50 })).map(({ action }) => action)

    describe('registration', () => {
      test('a passkey is added, listed, renamed and removed', async () => {
        const { user, session, id, recoveryCodes } = await createEnrolled()
        expect(recoveryCodes).toHaveLength(10)
        const listed = async () => (await site.call('GET', '/account/factors', session).expect(200)).body.passkeys
        const createdAt = site.app.clock.now
        expect(await listed()).toEqual([{ id, name: 'Schlüssel ☃', createdAt, usedAt: null, backedUp: true }])
        expect((await addPasskey(site, session)).recoveryCodes).toBeNull()
        await site.call('PUT', ROUTE, session, { id, name: '  Büro ☃ ' }).expect(204)
        expect((await listed()).map(({ name }: { name: string }) => name)).toContain('Büro ☃')
        expect(await site.app.storage.settings.getAll()).toMatchObject({ passkey_host: 'secrets.example.org' })
        const other = await site.app.as(await site.app.signUp())
        for (const method of ['PUT', 'DELETE'])
          await site.call(method, ROUTE, other, { id, ...(method === 'PUT' && { name: 'x' }) }).expect(404)
        await site.call('DELETE', ROUTE, session, { id }).expect(204)
        await site.call('DELETE', ROUTE, session, { id }).expect(404)
        expect((await site.app.storage.users.get(user.id))?.secondFactor).toBe(true)
      })

      test('the options name the site, the user and the existing passkeys', async () => {
        const { user, session, passkey } = await createEnrolled()
        const { body } = await site.call('POST', `${ROUTE}/options`, session).expect(200)
        expect(body).toMatchObject({
          rp: { id: 'secrets.example.org' },
          user: { id: Buffer.from(user.id).toString('base64url'), name: user.username },
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
          attestation: 'none',
        })
        const { id } = passkey.get({ ...body, rpId: '' })
        expect(body.excludeCredentials).toEqual([{ id, type: 'public-key', transports: ['internal', 'hybrid'] }])
      })

      test.each<[string, Behavior]>([
        ['another origin', { origin: 'https://evil.example.org' }],
        ['plain http', { origin: 'http://secrets.example.org' }],
        ['another site', { rpId: 'example.org' }],
        ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
        ['no check of the person', { verifiesUser: false }],
      ])('SEC-54: a passkey with %s is not added', async (_, behavior) => {
        const session = await site.app.as(await site.app.signUp())
        const { status, body } = await register(session, behavior)
        expect([status, body.code]).toEqual([403, 'auth.passkey_refused'])
      })

      test.each<[string, Behavior]>([
        ['an unknown attestation', { attestation: { format: 'fido-u2f', statement: new Map() } }],
        [
          'the certificate of a manufacturer',
          { attestation: { format: 'packed', statement: new Map([['x5c', [Buffer.from('certificate')]]]) } },
        ],
      ])('SEC-54: a passkey with %s is refused before it is verified', async (_, behavior) => {
        const { status } = await register(await site.app.as(await site.app.signUp()), behavior)
        // An error of the verification has another cause.
        const logged = site.app.logged.filter((line) => line.includes('passkey refused'))
        expect([status, logged]).toEqual([403, [expect.stringContaining('"cause":"auth.passkey_refused"')]])
      })

      test('a challenge is accepted once, for five minutes, in its session and for its purpose', async () => {
        const user = await site.app.signUp()
        const session = await site.app.as(user)
        const options = await site.call('POST', `${ROUTE}/options`, session).expect(200)
        const headers = withCookies(session, options)
        const create = () => ({ name: 'x', passkey: createSoftwarePasskey().create(options.body) })
        const other = withCookies(await site.app.as(user), options)
        for (const refused of [session, other]) await site.call('POST', ROUTE, refused, create()).expect(403)
        await site.call('POST', ROUTE, headers, create()).expect(201)
        await site.call('POST', ROUTE, headers, create()).expect(403)
        const late = await site.call('POST', `${ROUTE}/options`, session).expect(200)
        site.app.clock.now += 5 * MINUTE
        const body = { name: 'x', passkey: createSoftwarePasskey().create(late.body) }
        await site.call('POST', ROUTE, withCookies(session, late), body).expect(403)
        const foreign = await site.call('POST', '/authentication/passkey/options', OWN_PAGE).expect(200)
        const created = createSoftwarePasskey().create({ ...late.body, challenge: foreign.body.challenge })
        await site.call('POST', ROUTE, withCookies(session, foreign), { name: 'x', passkey: created }).expect(403)
        const proof = await site.call('POST', '/account/proof/options', session).expect(200)
        const { challenge } = requestIn(proof.body)
        const proving = { name: 'x', passkey: createSoftwarePasskey().create({ ...late.body, challenge }) }
        await site.call('POST', ROUTE, withCookies(session, proof), proving).expect(403)
      })

      test('a passkey that another account has is not added', async () => {
        const { session, passkey } = await createEnrolled()
        const other = await site.app.as(await site.app.signUp())
        for (const headers of [session, other]) {
          const options = await site.call('POST', `${ROUTE}/options`, headers).expect(200)
          const body = { name: 'x', passkey: passkey.create(options.body) }
          await site.call('POST', ROUTE, withCookies(headers, options), body).expect(400)
        }
      })

      test('invalid passkeys are refused with the field', async () => {
        const session = await site.app.as(await site.app.signUp())
        const passkey = createSoftwarePasskey().create((await site.call('POST', `${ROUTE}/options`, session)).body)
        const invalid: [string, object][] = [
          ['name', { name: '', passkey }],
          ['name', { name: 'x'.repeat(65), passkey }],
          ['passkey.id', { name: 'x', passkey: { ...passkey, id: '+' } }],
          ['passkey.type', { name: 'x', passkey: { ...passkey, type: 'other' } }],
          ['passkey.response', { name: 'x', passkey: { ...passkey, response: 1 } }],
        ]
        for (const [field, body] of invalid)
          expect((await site.call('POST', ROUTE, session, body).expect(400)).body.field).toBe(field)
        const response = { ...passkey.response, attestationObject: 'AAAA' }
        const options = await site.call('POST', `${ROUTE}/options`, session)
        const garbage = { name: 'x', passkey: { ...passkey, response } }
        await site.call('POST', ROUTE, withCookies(session, options), garbage).expect(403)
      })
    })

    describe('sign-in', () => {
      test('a passkey alone opens a session of level 2, also while second factors are turned off', async () => {
        const { user, passkey, id } = await createEnrolled()
        const { response, headers } = await signIn(passkey)
        expect([response.status, response.body]).toEqual([200, { username: user.username }])
        await site.call('GET', '/account', withCookies(headers, response)).expect(200)
        const now = site.app.clock.now
        const sessions = await site.app.storage.sessions.list(user.id, now)
        expect(sessions.map(({ level, provenAt }) => [level, provenAt])).toEqual([
          [2, now],
          [2, now],
        ])
        const [stored] = (await site.app.storage.factors.list(user.id)).passkeys
        expect(stored).toMatchObject({ id, usedAt: now })
        await site.app.settings.update({ second_factor: 'off' }, LOCAL_CLI)
        expect((await signIn(passkey)).response.status).toBe(200)
      })

      test('SEC-54: the same response is accepted once', async () => {
        const { passkey } = await createEnrolled()
        const { headers, body } = await signIn(passkey)
        expect((await site.call('POST', '/authentication/passkey', headers, body)).body.code).toBe(
          'auth.passkey_refused',
        )
      })

      test.each<[string, Behavior]>([
        ['for another origin', { origin: 'https://evil.example.org' }],
        ['for another site', { rpId: 'example.org' }],
        ['with another challenge', { challenge: randomBytes(32).toString('base64url') }],
        ['without a check of the person', { verifiesUser: false }],
        ['of another user', { userHandle: Buffer.from('other').toString('base64url') }],
        ['that names no user', { userHandle: null }],
      ])('SEC-54: a passkey %s is refused', async (_, behavior) => {
        const { passkey } = await createEnrolled()
        expect((await signIn(passkey, behavior)).response.body.code).toBe('auth.passkey_refused')
        expect(await actions()).toContain('session.refused')
      })

      test('SEC-54: a changed signature, an unknown and a removed passkey are refused', async () => {
        const { session, passkey, id } = await createEnrolled()
        const options = await site.call('POST', '/authentication/passkey/options', OWN_PAGE)
        const used = passkey.get(options.body)
        const other = createSoftwarePasskey()
        const response = { ...used.response, signature: other.get(options.body).response.signature }
        const forged = { passkey: { ...used, response } }
        await site.call('POST', '/authentication/passkey', withCookies(OWN_PAGE, options), forged).expect(403)
        expect((await signIn(other)).response.status).toBe(403)
        await site.call('DELETE', ROUTE, session, { id }).expect(204)
        expect((await signIn(passkey)).response.status).toBe(403)
      })

      test('SEC-54: a passkey whose counter does not increase may be a copy, and is refused and reported', async () => {
        const { user, passkey } = await createEnrolled({ counter: 5 })
        expect((await signIn(passkey, { counter: 6 })).response.status).toBe(200)
        for (const counter of [6, 5, 0]) expect((await signIn(passkey, { counter })).response.status).toBe(403)
        expect((await signIn(passkey, { counter: 7, backedUp: false })).response.status).toBe(200)
        const [stored] = (await site.app.storage.factors.list(user.id)).passkeys
        expect(stored).toMatchObject({ counter: 7, backedUp: false })
        const [copied] = await site.app.audit.list({ action: 'factor.copied' }, { skip: 0, take: 1 })
        expect(copied).toMatchObject({ subject: user.username, detail: { passkey: stored?.id } })
      })

      test('a suspended user is refused', async () => {
        const { user, passkey } = await createEnrolled()
        await site.app.storage.users.update(user.id, { suspendedAt: 1 })
        expect((await signIn(passkey)).response.body.code).toBe('auth.suspended')
      })

      test('SEC-54: an account without a password signs in at its provider only', async () => {
        const user = await site.app.signUp({ passwordHash: null })
        const { passkey } = await addPasskey(site, await site.app.as(user))
        expect((await signIn(passkey)).response.body.code).toBe('auth.passkey_refused')
      })

      test('subdomains of the host of publicUrl may use the passkeys of the site', async () => {
        const { passkey } = await createEnrolled()
        expect((await signIn(passkey, { origin: 'https://office.secrets.example.org' })).response.status).toBe(200)
        expect((await signIn(passkey, { origin: 'https://no-secrets.example.org' })).response.status).toBe(403)
      })
    })

    test('a passkey is a second step, of its own account only', async () => {
      const { user, passkey } = await createEnrolled()
      const { passkey: foreign } = await createEnrolled()
      const { username, password } = user
      const begin = async () =>
        withCookies(OWN_PAGE, await site.call('POST', '/authentication/signin', OWN_PAGE, { username, password }))
      const finish = async (used: SoftwarePasskey) => {
        const headers = await begin()
        const options = await site.call('POST', '/authentication/second-factor/options', headers).expect(200)
        expect(options.body.methods).toEqual(['passkey', 'recovery-code'])
        const body = { passkey: used.get(requestIn(options.body)) }
        return site.call('POST', '/authentication/second-factor', withCookies(headers, options), body)
      }
      expect((await finish(foreign)).status).toBe(403)
      expect((await finish(passkey)).body).toEqual({ username })
      // A challenge for the second step is refused for a sign-in.
      const options = await site.call('POST', '/authentication/second-factor/options', await begin()).expect(200)
      const body = { passkey: passkey.get(requestIn(options.body)) }
      await site.call('POST', '/authentication/passkey', withCookies(OWN_PAGE, options), body).expect(403)
    })

    test('a passkey is a proof, in its session only', async () => {
      const { user, session, passkey, id } = await createEnrolled()
      const other = await site.app.as(user)
      site.app.clock.now += 10 * MINUTE
      await site.call('DELETE', ROUTE, session, { id }).expect(403)
      const options = await site.call('POST', '/account/proof/options', session).expect(200)
      const body = { passkey: passkey.get(requestIn(options.body)) }
      await site.call('POST', '/account/proof', withCookies(other, options), body).expect(403)
      await site.call('POST', '/account/proof', withCookies(session, options), body).expect(204)
      await site.call('DELETE', ROUTE, session, { id }).expect(204)
    })
  },
  { app: { settings: { allowedHosts: ['office.secrets.example.org', 'no-secrets.example.org'] } } },
)
