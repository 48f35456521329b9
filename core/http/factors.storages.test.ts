/** Second factors of accounts, sign-in with a second step, and proofs. */
import { describe, expect, test } from 'vitest'
import { addAuthenticatorApp, withCookies } from '#test/factors'
import { forEachStorage, OWN_PAGE } from '#test/for-each-storage'
import type { TestUser } from '#test/test-app'
import { LOCAL_CLI } from '../contracts/auth-context.js'
import { createTextCipher } from '../lib/text-cipher.js'

const MINUTE = 60_000
const STEP = 30_000

forEachStorage((site) => {
  const signIn = ({ username, password }: TestUser) =>
    site.call('POST', '/authentication/signin', OWN_PAGE, { username, password })
  const finish = (headers: Record<string, string>, body: object) =>
    site.call('POST', '/authentication/second-factor', headers, body)
  /** Headers of a browser whose sign-in waits for the second step. */
  const begin = async (user: TestUser) => withCookies(OWN_PAGE, await signIn(user).expect(200))
  const actions = async () => (await site.app.audit.list({}, { skip: 0, take: 50 })).map(({ action }) => action)

  /** A user with an authenticator app. */
  async function createEnrolled() {
    const user = await site.app.signUp()
    const session = await site.app.as(user)
    return { user, session, ...(await addAuthenticatorApp(site, session)) }
  }

  describe('second step', () => {
    test('a recovery code works once, however it is typed, and under concurrency', async () => {
      const { user, recoveryCodes } = await createEnrolled()
      const [first = '', second = ''] = recoveryCodes ?? []
      const pending = await Promise.all(Array.from({ length: 6 }, () => begin(user)))
      const results = await Promise.all(pending.map((headers) => finish(headers, { recoveryCode: first })))
      expect(results.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403, 403])
      const typed = ` ${second.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')}`
      await finish(await begin(user), { recoveryCode: typed }).expect(200)
      await finish(await begin(user), { recoveryCode: second }).expect(403)
      expect((await site.app.storage.factors.list(user.id)).recoveryCodes).toBe(8)
      expect(await actions()).toContain('factor.used_recovery_code')
    })

    site.once(() => {
      test('a right password opens no session of an account with a factor, and the code opens one', async () => {
        const { user, code } = await createEnrolled()
        const first = await signIn(user).expect(200)
        expect(first.body).toEqual({ secondFactor: { methods: ['authenticator', 'recovery-code'] } })
        const headers = withCookies(OWN_PAGE, first)
        expect(headers.Cookie).toMatch(/^__Host-pending=[\w-]+$/)
        await site.call('GET', '/account', headers).expect(401)
        const options = await site.call('POST', '/authentication/second-factor/options', headers).expect(200)
        expect(options.body).toEqual({ methods: ['authenticator', 'recovery-code'], passkey: null })
        site.app.clock.now += STEP
        const opened = await finish(headers, { code: code() }).expect(200)
        expect(opened.body).toEqual({ username: user.username })
        const session = withCookies(headers, opened)
        await site.call('GET', '/account', session).expect(200)
        const [stored] = await site.app.storage.sessions.list(user.id, site.app.clock.now)
        expect(stored).toMatchObject({ level: 2, provenAt: site.app.clock.now })
        // The pending sign-in is used up.
        site.app.clock.now += STEP
        await finish(headers, { code: code() }).expect(403)
      })

      test('SEC-53: a code is accepted once, one step early or late, and never two', async () => {
        const { user, code } = await createEnrolled()
        const headers = await begin(user)
        // The setup used the code of this step.
        for (const afterMs of [-2 * STEP, -STEP, 0, 2 * STEP])
          expect((await finish(headers, { code: code(afterMs) })).body.code).toBe('auth.code_wrong')
        await finish(headers, { code: code(STEP).replace(/(...)/, '$1 ') }).expect(200)
        site.app.clock.now += 2 * STEP
        const again = await begin(user)
        // Of a step before the last accepted one, and that one.
        for (const afterMs of [-2 * STEP, -STEP]) await finish(again, { code: code(afterMs) }).expect(403)
        await finish(again, { code: code() }).expect(200)
        const repeated = await finish(await begin(user), { code: code() }).expect(403)
        expect(repeated.body).toMatchObject({ code: 'auth.code_wrong', field: 'code' })
        expect(await actions()).toContain('session.second_step_refused')
      })

      test('a pending sign-in ends after ten minutes, with a lock-out, and cannot be forged', async () => {
        const { user, code } = await createEnrolled()
        const expiring = await begin(user)
        site.app.clock.now += 10 * MINUTE - 1
        await site.call('POST', '/authentication/second-factor/options', expiring).expect(200)
        site.app.clock.now += 1
        expect((await finish(expiring, { code: code() })).body.code).toBe('auth.second_step_expired')
        const locked = await begin(user)
        await site.app.storage.users.lockOut(user.id, { changes: {}, keep: { factors: ['authenticator'] } })
        expect((await finish(locked, { code: code() })).body.code).toBe('auth.second_step_expired')
        const forged = { ...OWN_PAGE, Cookie: '__Host-pending=AAAA' }
        for (const headers of [OWN_PAGE, forged]) await finish(headers, { code: code() }).expect(403)
        await site.call('POST', '/authentication/second-factor/options', forged).expect(403)
      })

      test('the cookies of a pending sign-in and of a challenge are short-lived, encrypted and not for scripts', async () => {
        const { user } = await createEnrolled()
        const cookieOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['set-cookie'])
        const pending = cookieOf(await signIn(user).expect(200))
        expect(pending).toMatch(/^__Host-pending=[\w-]+; Path=\/; Max-Age=600; SameSite=Strict; Secure; HttpOnly$/)
        const challenge = cookieOf(await site.call('POST', '/authentication/passkey/options', OWN_PAGE).expect(200))
        expect(challenge).toMatch(/^__Host-challenge=[\w-]+; Path=\/; Max-Age=300; SameSite=Strict; Secure; HttpOnly$/)
        for (const cookie of [pending, challenge])
          expect(Buffer.from(cookie.split(/[=;]/)[1] ?? '', 'base64url').toString('latin1')).not.toContain('userId')
      })

      test('SEC-53: the key of the instance is not enough to forge a right password', async () => {
        const { user, code } = await createEnrolled()
        const { id: userId, epoch } = user
        const pending = { id: 'A'.repeat(22), userId, epoch }
        const forged = createTextCipher(site.app.key, 'mayfly/v1/pending-sign-in').encrypt(JSON.stringify(pending))
        const headers = { ...OWN_PAGE, Cookie: `__Host-pending=${forged}` }
        for (let n = 0; n < 2; n++)
          expect((await finish(headers, { code: code(STEP) })).body.code).toBe('auth.second_step_expired')
      })

      test('exactly one factor is expected', async () => {
        const { user } = await createEnrolled()
        const headers = await begin(user)
        for (const body of [
          {},
          { code: '123456', recoveryCode: 'x' },
          { code: '12345' },
          { code: 123456 },
          { other: 1 },
        ])
          await finish(headers, body).expect(400)
      })

      test('a suspended user is refused before the second step', async () => {
        const { user, code } = await createEnrolled()
        const headers = await begin(user)
        await site.app.storage.users.update(user.id, { suspendedAt: 1 })
        expect((await finish(headers, { code: code(STEP) })).body.code).toBe('auth.suspended')
        expect((await signIn(user)).body.code).toBe('auth.suspended')
      })
    })
  })

  site.once(() => {
    describe('authenticator app', () => {
      test('the first factor returns ten recovery codes, ends other sessions, and is listed', async () => {
        const user = await site.app.signUp()
        const [session, other] = [await site.app.as(user), await site.app.as(user)]
        const none = { passkeys: [], authenticator: null, recoveryCodes: 0, policy: 'optional', graceEndsAt: null }
        expect((await site.call('GET', '/account/factors', session).expect(200)).body).toEqual(none)
        const { recoveryCodes } = await addAuthenticatorApp(site, session)
        expect(new Set(recoveryCodes).size).toBe(10)
        for (const code of recoveryCodes ?? [])
          expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
        const authenticator = { createdAt: site.app.clock.now, usedAt: null }
        const listed = (await site.call('GET', '/account/factors', session).expect(200)).body
        expect(listed).toEqual({ ...none, authenticator, recoveryCodes: 10 })
        await site.call('GET', '/account', other).expect(401)
        expect(await actions()).toContain('factor.added')
      })

      test('a setup is accepted for ten minutes, in the session that began it, with a right code', async () => {
        const [user, other] = [await site.app.signUp(), await site.app.signUp()]
        const session = await site.app.as(user)
        const path = '/account/factors/authenticator'
        const { setup } = (await site.call('POST', `${path}/options`, session).expect(200)).body
        await site.call('POST', path, session, { setup, code: '000000' }).expect(403)
        for (const headers of [await site.app.as(other), await site.app.as(user)])
          await site.call('POST', path, headers, { setup, code: '123456' }).expect(400)
        await site.call('POST', path, session, { setup: `A${setup.slice(1)}`, code: '123456' }).expect(400)
        site.app.clock.now += 10 * MINUTE
        await site.call('POST', '/account/proof', session, { password: user.password }).expect(204)
        await site.call('POST', path, session, { setup, code: '123456' }).expect(400)
        expect((await site.app.storage.users.get(user.id))?.secondFactor).toBe(false)
        await addAuthenticatorApp(site, session)
        const second = (await site.call('POST', `${path}/options`, session).expect(200)).body
        await site.call('POST', path, session, { setup: second.setup, code: '123456' }).expect(403)
      })

      test('the URI names the site, the user and the secret', async () => {
        const user = await site.app.signUp({ username: 'zoe.test' })
        const session = await site.app.as(user)
        const { secret, uri } = (await site.call('POST', '/account/factors/authenticator/options', session).expect(200))
          .body
        const url = new URL(uri)
        expect(secret).toMatch(/^[A-Z2-7]{32}$/)
        expect(url.protocol).toBe('otpauth:')
        expect(Object.fromEntries(url.searchParams)).toMatchObject({ issuer: 'secrets.example.org', secret })
        expect(decodeURIComponent(url.pathname)).toContain('zoe.test')
      })
    })

    describe('management', () => {
      test('the last factor can be removed, and takes the recovery codes with it', async () => {
        const { user, session } = await createEnrolled()
        await site.call('DELETE', '/account/factors/authenticator', session).expect(204)
        await site.call('DELETE', '/account/factors/authenticator', session).expect(404)
        await site.call('POST', '/account/factors/recovery-codes', session).expect(404)
        expect(await site.app.storage.factors.list(user.id)).toMatchObject({ authenticator: null, recoveryCodes: 0 })
        await signIn(user).expect(200, { username: user.username })
        expect(await actions()).toContain('factor.removed')
      })

      test('the last factor stays where the policy requires one', async () => {
        const { session } = await createEnrolled()
        await site.app.settings.update({ second_factor: 'everyone' }, LOCAL_CLI)
        const refused = await site.call('DELETE', '/account/factors/authenticator', session).expect(409)
        expect(refused.body.code).toBe('auth.last_factor')
        expect((await site.call('GET', '/account/factors', session)).body.policy).toBe('required')
      })

      test('nothing can be added while second factors are turned off, and no second step is asked for', async () => {
        const { user, session } = await createEnrolled()
        await site.app.settings.update({ second_factor: 'off' }, LOCAL_CLI)
        await site.call('POST', '/account/factors/authenticator/options', session).expect(400)
        await site.call('POST', '/account/factors/passkeys/options', session).expect(400)
        await signIn(user).expect(200, { username: user.username })
      })

      test('new recovery codes replace the old ones', async () => {
        const { user, session, recoveryCodes } = await createEnrolled()
        const renewed = await site.call('POST', '/account/factors/recovery-codes', session).expect(200)
        const [old] = recoveryCodes ?? []
        await finish(await begin(user), { recoveryCode: old }).expect(403)
        await finish(await begin(user), { recoveryCode: renewed.body.recoveryCodes[0] }).expect(200)
        expect(await actions()).toContain('factor.renewed_recovery_codes')
      })
    })

    describe('proof', () => {
      const prove = (headers: Record<string, string>, body: object) =>
        site.call('POST', '/account/proof', headers, body)

      test('changes need a proof within ten minutes: the password, or a factor of an account that has one', async () => {
        const user = await site.app.signUp()
        const session = await site.app.as(user)
        site.app.clock.now += 10 * MINUTE
        const path = '/account/factors/authenticator/options'
        expect((await site.call('POST', path, session)).body.code).toBe('auth.proof_required')
        expect((await site.call('POST', '/account/proof/options', session).expect(200)).body).toEqual({
          methods: ['password'],
          passkey: null,
        })
        await prove(session, { password: 'wrong' }).expect(403)
        await prove(session, { code: '123456' }).expect(403)
        await prove(session, { password: user.password }).expect(204)
        const { code } = await addAuthenticatorApp(site, session)
        site.app.clock.now += 10 * MINUTE
        await site.call('DELETE', '/account/factors/authenticator', session).expect(403)
        const options = await site.call('POST', '/account/proof/options', session).expect(200)
        expect(options.body).toEqual({ methods: ['authenticator', 'recovery-code'], passkey: null })
        await prove(session, { password: user.password }).expect(403)
        await prove(session, { code: code() }).expect(204)
        await site.call('DELETE', '/account/factors/authenticator', session).expect(204)
      })

      test('an account without a password proves itself by a new sign-in', async () => {
        const user = await site.app.signUp({ passwordHash: null })
        const session = await site.app.as(user)
        const options = await site.call('POST', '/account/proof/options', session).expect(200)
        expect(options.body.methods).toEqual(['sign-in'])
        expect((await prove(session, { password: 'any password' })).body.code).toBe('auth.proof_required')
      })
    })
  })
})
