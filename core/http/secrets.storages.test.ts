/** The life of a secret over HTTP: create, check, view, acknowledge, burn, list, expire. */

import { describe, expect, test, vi } from 'vitest'
import { forEachStorage } from '#test/for-each-storage'
import { anonymous } from '../contracts/auth-context.js'
import { createSecret } from '../secrets/create-secret.js'
import type { CreateSecret } from '../shared/api/index.js'
import { type Draft, decryptViewed, encryptSecret } from '../shared/crypto/encrypt-secret.js'
import { accessProof, deriveKeys, newClaim, newLinkKey } from '../shared/crypto/keys.js'
import { parseFragment } from '../shared/link.js'

const TEXT = 'pässwörd ☃'
const bytes = (text: string) => new TextEncoder().encode(text)
const PROOF = accessProof(newLinkKey())
const notFound = { statusCode: 404, error: 'Not Found', code: 'secret.not_found' }

forEachStorage((site) => {
  const post = (path: string, body?: object) => site.call('POST', path, {}, body)
  const get = (path: string, headers = {}) => site.call('GET', path, headers)
  const create = async (body: CreateSecret) => (await post('/secret', body).expect(201)).body
  /** A password arrives as a proof. The server accepts any 256 bits. */
  const sealed = async ({ passwordProof, ...change }: Partial<Draft> & { passwordProof?: string } = {}) => {
    const made = await encryptSecret({ text: bytes(TEXT), ttl: 3600, ...change }, site.app.clock.now)
    const created = await create({ ...made.body, ...(passwordProof && { password: passwordProof }) })
    const keys = { ...(await deriveKeys(parseFragment(made.fragment))), passwordProof }
    site.app.emitted.length = 0
    return { ...made, ...keys, ...created, id: created.id as string }
  }
  const view = (id: string, body: object) => post(`/secret/${id}`, { claim: newClaim(), ...body })

  const secrets = () => site.app.storage.secrets

  describe('a sealed secret', () => {
    test('is returned to one of 32 concurrent readers', async () => {
      const secret = await sealed()
      const responses = await Promise.all(Array.from({ length: 32 }, () => view(secret.id, { access: secret.access })))
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(31).fill(404)])
    })

    test('checks ten of fifty concurrent wrong passwords and locks', async () => {
      const secret = await sealed({ passwordProof: PROOF, maxViews: 5 })
      const { access } = secret
      const wrong = `${'A'.repeat(42)}A`
      const guesses = await Promise.all(Array.from({ length: 50 }, () => view(secret.id, { access, password: wrong })))
      const codes = guesses.map(({ body }) => body.code).sort()
      expect(codes).toEqual([...Array(40).fill('secret.locked'), ...Array(10).fill('secret.password_wrong')])
    })

    site.once(() => {
      test('is created, checked for existence, viewed once and gone', async () => {
        const secret = await sealed()
        expect(secret).toMatchObject({
          url: `https://secrets.example.org/secret/${secret.id}`,
          expiresAt: site.app.clock.now + 3600_000,
          maxViews: 1,
          kind: 'sealed',
        })
        expect(secret.id).toMatch(/^[A-Za-z0-9_-]{22}$/)
        const exist = await get(`/secret/${secret.id}/exist`, { 'Mayfly-Access': secret.access }).expect(200)
        expect(exist.body).toEqual({
          id: secret.id,
          maxViews: 1,
          passwordRequired: false,
          codeRequired: false,
          expiresAt: secret.expiresAt,
          files: 0,
          kind: 'sealed',
        })
        const { body } = await view(secret.id, { access: secret.access }).expect(200)
        expect(body).toMatchObject({
          kind: 'sealed',
          title: null,
          files: [],
          maxViews: 0,
          preventBurn: false,
          isPublic: false,
        })
        const opened = await decryptViewed(body, secret.passphrase, 2 ** 20)
        expect(new TextDecoder().decode(opened.text)).toBe(TEXT)
        expect(opened.warnings).toEqual([])
        const owned = { secretId: secret.id, ownerId: null, notify: false, createdAt: site.app.clock.now }
        expect(site.app.emitted).toEqual([
          ['secret.viewed', { ...owned, viewsLeft: 0, views: 1, recipient: null }],
          ['secret.burned', { ...owned, reason: 'last-view', views: 1 }],
        ])
        await view(secret.id, { access: secret.access }).expect(404)
      })

      test('REL-02: returns the same text for the same claim within the grace period, counts it once, and is gone afterwards', async () => {
        const secret = await sealed()
        const ask = { access: secret.access, claim: newClaim() }
        const first = await view(secret.id, ask).expect(200)
        site.app.clock.now += 59_999
        const again = await view(secret.id, ask).expect(200)
        expect(again.body).toEqual(first.body)
        expect(site.app.emitted.map(([event]) => event)).toEqual(['secret.viewed', 'secret.burned'])
        await view(secret.id, { access: secret.access }).expect(404)
        site.app.clock.now += 1
        await view(secret.id, ask).expect(404)
      })

      test('is gone as soon as the view is acknowledged', async () => {
        const secret = await sealed()
        const ask = { access: secret.access, claim: newClaim() }
        await view(secret.id, ask).expect(200)
        await post(`/secret/${secret.id}/ack`, { access: secret.access, claim: newClaim() }).expect(404)
        await post(`/secret/${secret.id}/ack`, ask).expect(204)
        await view(secret.id, ask).expect(404)
      })

      test('with three views returns 404 after the third', async () => {
        const secret = await sealed({ maxViews: 3 })
        for (const left of [2, 1, 0]) {
          const { body } = await view(secret.id, { access: secret.access }).expect(200)
          expect(body.maxViews).toBe(left)
        }
        await view(secret.id, { access: secret.access }).expect(404)
      })

      test('with preventBurn has unlimited views until it expires', async () => {
        const secret = await sealed({ preventBurn: true })
        expect(secret.maxViews).toBe(null)
        for (let n = 0; n < 5; n++) {
          const { body } = await view(secret.id, { access: secret.access }).expect(200)
          expect(body).toMatchObject({ maxViews: null, preventBurn: true })
        }
        site.app.clock.now += 3600_000
        await view(secret.id, { access: secret.access }).expect(404)
      })

      test('asks for its password without using a view, and locks after ten wrong ones', async () => {
        const secret = await sealed({ passwordProof: PROOF })
        const { access } = secret
        const wrong = `${'B'.repeat(42)}A`
        const missing = await view(secret.id, { access }).expect(401)
        expect(missing.body).toMatchObject({ code: 'secret.password_required', attemptsLeft: 10 })
        for (let left = 9; left >= 0; left--) {
          const { body } = await view(secret.id, { access, password: wrong }).expect(401)
          expect(body).toMatchObject({ code: 'secret.password_wrong', attemptsLeft: left })
        }
        const locked = await view(secret.id, { access, password: secret.passwordProof }).expect(423)
        expect(locked.body).toMatchObject({ code: 'secret.locked', retryAfter: 900 })
        expect(locked.headers['retry-after']).toBe('900')
        site.app.clock.now += 900_000
        await view(secret.id, { access, password: wrong }).expect(401)
        const { body } = await view(secret.id, { access, password: secret.passwordProof }).expect(200)
        expect(body.maxViews).toBe(0)
      })

      test('is read before its view unless this process created or checked it', async () => {
        const read = vi.spyOn(secrets(), 'peek')
        const [created, checked, other] = [await sealed(), await sealed(), await sealed({ maxViews: 2 })]
        await view(created.id, { access: created.access }).expect(200)
        expect(read).not.toHaveBeenCalled()
        await site.restart({})
        const readAgain = vi.spyOn(secrets(), 'peek')
        await get(`/secret/${checked.id}/exist`, { 'Mayfly-Access': checked.access }).expect(200)
        await view(checked.id, { access: checked.access }).expect(200)
        expect(readAgain).toHaveBeenCalledTimes(1)
        await view(other.id, { access: other.access }).expect(200)
        expect(readAgain).toHaveBeenCalledTimes(2)
      })

      test('CRY-05: cannot be locked, burned, checked or viewed without the link', async () => {
        const secret = await sealed({ passwordProof: PROOF })
        const access = 'A'.repeat(43)
        for (let n = 0; n < 12; n++) await view(secret.id, { access, password: access }).expect(404)
        await view(secret.id, {}).expect(404)
        await post(`/secret/${secret.id}/burn`, { access }).expect(404)
        await post(`/secret/${secret.id}/burn`, { burnToken: access }).expect(404)
        await post(`/secret/${secret.id}/burn`, {}).expect(404)
        await get(`/secret/${secret.id}`).expect(404)
        await get(`/secret/${secret.id}/exist`).expect(404)
        expect(site.app.emitted).toEqual([])
        await view(secret.id, { access: secret.access, password: secret.passwordProof }).expect(200)
      })

      test.each(['burnToken', 'access'] as const)('is burned once with its %s', async (proof) => {
        const secret = await sealed()
        await post(`/secret/${secret.id}/burn`, { [proof]: secret[proof] }).expect(200, { burned: true })
        expect(site.app.emitted).toEqual([
          ['secret.burned', expect.objectContaining({ secretId: secret.id, reason: 'request' })],
        ])
        await post(`/secret/${secret.id}/burn`, { [proof]: secret[proof] }).expect(404)
        await view(secret.id, { access: secret.access }).expect(404)
      })

      test('is not burned by its link from an address that is not allowed', async () => {
        const fenced = await sealed({ allowedIp: '203.0.113.0/24' })
        await post(`/secret/${fenced.id}/burn`, { access: fenced.access }).expect(404)
        const { id } = await create({ text: TEXT, ttl: 3600, allowedIp: '203.0.113.0/24' })
        await post(`/secret/${id}/burn`).expect(404)
        expect(site.app.emitted.filter(([event]) => event === 'secret.burned')).toEqual([])
        // Its creator may, from everywhere.
        await post(`/secret/${fenced.id}/burn`, { burnToken: fenced.burnToken }).expect(200)
      })

      test('is deleted by the cleanup when it expired', async () => {
        const secret = await sealed()
        site.app.clock.now += 3600_000
        expect(await site.app.background.cleanup.run()).toBe(1)
        expect(site.app.emitted).toEqual([['secret.expired', expect.objectContaining({ secretId: secret.id })]])
      })
    })
  })

  describe('an Idempotency-Key', () => {
    const send = (key: string, body: object) => site.call('POST', '/secret', { 'Idempotency-Key': key }, body)

    test('REL-21: returns the first response to twenty concurrent requests', async () => {
      const body = { text: TEXT, ttl: 3600 }
      const responses = await Promise.all(Array.from({ length: 20 }, () => send('order-42', body)))
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
      expect(responses[0]?.status).toBe(201)
      expect(site.app.emitted.filter(([event]) => event === 'secret.created')).toHaveLength(1)
      await get(`/secret/${responses[0]?.body.id}`).expect(200)
    })

    site.once(() => {
      test('REL-21: expires after a day', async () => {
        const body = { text: TEXT, ttl: 3600 }
        const first = await send('order-42', body)
        site.app.clock.now += 24 * 3600_000
        expect((await send('order-42', body).expect(201)).body.id).not.toBe(first.body.id)
      })

      test('REL-21: of another request returns 409', async () => {
        await send('order-42', { text: TEXT, ttl: 3600 }).expect(201)
        const { body } = await send('order-42', { text: TEXT, ttl: 3601 }).expect(409)
        expect(body).toMatchObject({ code: 'request.idempotency_mismatch' })
      })

      test('with spaces is refused', async () => {
        const { body } = await send('has spaces', { text: TEXT, ttl: 3600 }).expect(400)
        expect(body).toMatchObject({ code: 'request.invalid', field: 'idempotency-key' })
      })
    })
  })

  site.once(() => {
    test('SEC-14, CRY-05: every secret that cannot be reached gets the same 404, after one read and without a lock', async () => {
      const used = await sealed()
      await view(used.id, { access: used.access })
      const burned = await sealed()
      await post(`/secret/${burned.id}/burn`, { access: burned.access })
      const fenced = await sealed({ allowedIp: '203.0.113.0/24' })
      const live = await sealed()
      const expired = await sealed({ ttl: 60 })
      site.app.clock.now += 60_000
      const [read, write] = [vi.spyOn(secrets(), 'peek'), vi.spyOn(secrets(), 'view')]
      const asked = [
        view('AAAAAAAAAAAAAAAAAAAAAA', { access: live.access }),
        view('short', { access: live.access }),
        view(`${live.id}~${'A'.repeat(43)}`, {}),
        view(used.id, { access: used.access }),
        view(burned.id, { access: burned.access }),
        view(expired.id, { access: expired.access }),
        view(fenced.id, { access: fenced.access }),
        view(live.id, { access: used.access }),
        view(live.id, {}),
      ]
      const responses = await Promise.all(asked)
      const seen = new Set(
        responses.map(({ status, text, headers }) => {
          const { 'x-request-id': _, date: __, ...rest } = headers
          return JSON.stringify([status, text, rest])
        }),
      )
      expect(seen.size).toBe(1)
      expect(responses[0]?.body).toMatchObject(notFound)
      // 'short' is not an id.
      expect(read).toHaveBeenCalledTimes(asked.length - 1)
      expect(write).not.toHaveBeenCalled()
    })

    describe('a raw secret', () => {
      test('CRY-09: is encrypted under a key that only its id contains', async () => {
        const created = await create({ text: TEXT, ttl: 3600, title: 'Tïtle' })
        expect(created).toMatchObject({ kind: 'raw', zeroKnowledge: false, maxViews: 1 })
        expect(created.id).toMatch(/^[A-Za-z0-9_-]{22}~[A-Za-z0-9_-]{43}$/)
        const [lookup] = created.id.split('~')
        await get(`/secret/${lookup}`).expect(404)
        await get(`/secret/${lookup}~${'A'.repeat(43)}`).expect(404)
        const head = await site.call('HEAD', `/secret/${created.id}`).expect(200)
        const { body, headers } = await get(`/secret/${created.id}`).expect(200)
        expect(body).toMatchObject({ id: created.id, kind: 'raw', text: TEXT, title: 'Tïtle', maxViews: 0 })
        expect(head.headers['content-type']).toBe('application/json; charset=utf-8')
        expect(headers['content-type']).toBe(head.headers['content-type'])
        await get(`/secret/${created.id}`).expect(404)
      })

      test('can be viewed by POST with a claim', async () => {
        const { id } = await create({ text: TEXT, ttl: 3600 })
        const claim = newClaim()
        const first = await view(id, { claim }).expect(200)
        expect((await view(id, { claim }).expect(200)).body).toEqual(first.body)
        await post(`/secret/${id}/ack`, { claim }).expect(204)
        await view(id, { claim }).expect(404)
      })

      test('with a password cannot be viewed by GET', async () => {
        const { id } = await create({ text: TEXT, ttl: 3600, password: 'sésame' })
        await get(`/secret/${id}`).expect(401)
        expect((await view(id, { password: 'no' }).expect(401)).body).toMatchObject({ attemptsLeft: 9 })
        expect((await view(id, { password: 'sésame' }).expect(200)).body.text).toBe(TEXT)
      })

      test('needs the key in its id, which other kinds refuse', async () => {
        const raw = await create({ text: TEXT, ttl: 3600 })
        const listed = await create({ text: TEXT, ttl: 3600, isPublic: true })
        const [lookup] = raw.id.split('~')
        const key = 'A'.repeat(43)
        for (const id of [`${lookup}~${key}`, `${listed.id}~${key}`]) {
          expect((await get(`/secret/${id}`).expect(404)).body).toMatchObject(notFound)
          expect((await get(`/secret/${id}/exist`).expect(404)).body).toMatchObject(notFound)
        }
        expect((await view(lookup as string, { access: key }).expect(404)).body).toMatchObject(notFound)
        await get(`/secret/${raw.id}`).expect(200)
      })

      test('is burned by its id', async () => {
        const { id } = await create({ text: TEXT, ttl: 3600 })
        await post(`/secret/${id}/burn`).expect(200, { burned: true })
        await get(`/secret/${id}`).expect(404)
      })
    })

    describe('a public secret', () => {
      test('is listed, newest first, and can be read by everyone', async () => {
        const older = await create({ text: TEXT, ttl: 3600, isPublic: true, title: 'Ölder' })
        site.app.clock.now += 1
        const newer = await create({ text: TEXT, ttl: 3600, isPublic: true })
        expect(older).toMatchObject({ kind: 'public', maxViews: null })
        const { body } = await get('/secret/public/').expect(200)
        expect(body).toEqual([
          { id: newer.id, title: null, username: null, createdAt: site.app.clock.now, expiresAt: newer.expiresAt },
          {
            id: older.id,
            title: 'Ölder',
            username: null,
            createdAt: site.app.clock.now - 1,
            expiresAt: older.expiresAt,
          },
        ])
        for (let n = 0; n < 3; n++) {
          const seen = await get(`/secret/${older.id}`).expect(200)
          expect(seen.body).toMatchObject({
            kind: 'public',
            isPublic: true,
            text: TEXT,
            title: 'Ölder',
            maxViews: null,
          })
        }
        const page = await get('/secret/public?skip=1&take=1').expect(200)
        expect(page.body).toHaveLength(1)
        await get('/secret/public/unknown').expect(200, [])
      })

      test('SEC-40: leaves the list when it is used up, burned or expired', async () => {
        const used = await create({ text: TEXT, ttl: 3600, isPublic: true, maxViews: 1 })
        const burned = await create({ text: TEXT, ttl: 3600, isPublic: true })
        await create({ text: TEXT, ttl: 60, isPublic: true })
        await get(`/secret/${used.id}`).expect(200)
        await post(`/secret/${burned.id}/burn`, {}).expect(404)
        await post(`/secret/${burned.id}/burn`, { burnToken: burned.burnToken }).expect(200)
        site.app.clock.now += 60_000
        await get('/secret/public/').expect(200, [])
      })
    })

    test('readGraceSeconds 0 deletes a secret with its last view, which cannot be retried', async () => {
      await site.restart({ settings: { readGraceSeconds: 0 } })
      const { id, access } = await sealed()
      const claim = newClaim()
      await view(id, { access, claim }).expect(200)
      // The cleanup finds nothing to delete.
      expect(await site.app.storage.secrets.deleteExpired({ now: site.app.clock.now + 1, limit: 10 })).toEqual([])
      expect((await view(id, { access, claim }).expect(404)).body).toMatchObject(notFound)
    })

    test('an owned public secret is listed under its owner', async () => {
      const owner = { id: 'o1', username: 'älice'.normalize('NFC').replace('ä', 'a'), email: 'a@example.org' }
      await site.app.storage.users.create({
        ...owner,
        passwordHash: null,
        role: 'user',
        mustChangePassword: false,
        notifications: true,
        language: null,
        emailVerified: null,
        signInAlerts: true,
        suspendedAt: null,
        signedInAt: null,
        epoch: 0,
        formerEmail: null,
        formerEmailUntil: null,
        creationDeniedBy: null,
        groups: null,
        assignedGroups: [],
        secondFactor: false,
        devicesSince: null,
        defaultTtl: null,
        defaultViews: null,
        createdAt: 1,
      })
      const caller = { ...anonymous(null), userId: 'o1' }
      const made = await createSecret(site.app, { text: TEXT, ttl: 60, isPublic: true }, caller)
      const { body } = await get('/secret/public/ALICE').expect(200)
      expect(body).toMatchObject([{ id: made.id, username: 'alice' }])
    })

    test('read_only stops creates within two seconds', async () => {
      await create({ text: TEXT, ttl: 3600 })
      await site.app.storage.settings.set({ read_only: 'true' })
      site.app.clock.now += 2000
      const { body } = await post('/secret', { text: TEXT, ttl: 3600 }).expect(403)
      expect(body).toMatchObject({ code: 'settings.read_only' })
      const settings = await get('/settings').expect(200)
      expect(settings.body).toMatchObject({ read_only: true, disable_file_upload: false })
    })
  })
})
