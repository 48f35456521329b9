/** Guessing the password of a secret: from many addresses at once, without the link, and across a restart. */
import { expect, test } from 'vitest'
import { onOneStorage } from '#test/for-each-storage'
import { encryptSecret } from '../shared/crypto/encrypt-secret.js'
import { accessProof, newClaim, newLinkKey } from '../shared/crypto/keys.js'

const settings = { limits: '', trustedProxies: ['127.0.0.1'] }
const bytes = new TextEncoder().encode('text')

onOneStorage(
  (site) => {
    const post = (path: string, body: object, from: string) =>
      site.call('post', path, { 'X-Forwarded-For': from }, body)
    const sealed = async () => {
      const { body } = await encryptSecret({ text: bytes, ttl: 3600 }, site.app.clock.now)
      // The proof of a password: the server accepts any 256 bits.
      const [right, wrong] = [accessProof(newLinkKey()), accessProof(newLinkKey())]
      const { id } = (await post('/secret', { ...body, password: right }, '203.0.113.1').expect(201)).body
      return { path: `/secret/${id}`, access: body.access ?? '', right, wrong }
    }
    const views = async (path: string, access: string) =>
      (await site.call('get', `${path}/exist`, { 'Mayfly-Access': access })).body.maxViews

    test('SEC-22: fifty wrong passwords at once from fifty addresses: ten are checked, the rest are locked out, views are unchanged', async () => {
      const { path, access, right, wrong } = await sealed()
      const guess = (n: number) => post(path, { access, password: wrong, claim: newClaim() }, `198.51.100.${n}`)
      const codes = (await Promise.all(Array.from({ length: 50 }, (_, n) => guess(n)))).map(({ body }) => body.code)
      expect(codes.filter((code) => code === 'secret.password_wrong')).toHaveLength(10)
      expect(codes.filter((code) => code === 'secret.locked')).toHaveLength(40)
      const ask = { access, password: right, claim: newClaim() }
      expect((await post(path, ask, '203.0.113.1')).body.code).toBe('secret.locked')
      const withoutPassword = { access, claim: newClaim() }
      expect((await post(path, withoutPassword, '203.0.113.1')).body.code).toBe('secret.locked')
      site.app.clock.now += 15 * 60_000
      expect(await views(path, access)).toBe(1)
      await post(path, ask, '203.0.113.1').expect(200)
    })

    test('a wrong password does not end the grace period of the last view, and only its claim gets the error', async () => {
      const { path, access, right, wrong } = await sealed()
      const claim = newClaim()
      const first = await post(path, { access, password: right, claim }, '203.0.113.1').expect(200)
      for (let n = 0; n < 12; n++) {
        const { body } = await post(path, { access, password: wrong, claim }, '203.0.113.1').expect(401)
        expect(body.code).toBe('secret.password_wrong')
      }
      await post(path, { access, password: wrong, claim: newClaim() }, '203.0.113.1').expect(404)
      const again = await post(path, { access, password: right, claim }, '203.0.113.1').expect(200)
      expect(again.body.text).toBe(first.body.text)
      await post(`${path}/ack`, { access, claim }, '203.0.113.1').expect(204)
      await post(path, { access, password: wrong, claim }, '203.0.113.1').expect(404)
    })

    test('SEC-22: a caller without the link cannot lock the secret and reaches the limit of its address', async () => {
      const { path, access, right, wrong } = await sealed()
      const stranger = accessProof(newLinkKey())
      for (let n = 0; n < 60; n++) {
        const body = n % 2 ? { password: wrong, claim: newClaim() } : { access: stranger, claim: newClaim() }
        await post(path, body, '198.51.100.1').expect(404)
      }
      await post(path, { password: wrong, claim: newClaim() }, '198.51.100.1').expect(429)
      expect(await views(path, access)).toBe(1)
      await post(path, { access, password: right, claim: newClaim() }, '203.0.113.1').expect(200)
    })

    test.each(['hunter2!', 'short', '\u0000', 'é', 'x'.repeat(43)])(
      'the password %j, which is not a proof, counts as a wrong password of a sealed secret',
      async (password) => {
        const { path, access } = await sealed()
        const { body } = await post(path, { access, password, claim: newClaim() }, '198.51.100.1').expect(401)
        expect(body).toMatchObject({ code: 'secret.password_wrong', attemptsLeft: 9 })
        expect(await views(path, access)).toBe(1)
      },
    )

    test('wrong passwords do not lock a public secret', async () => {
      const secret = { text: '☃', ttl: 3600, isPublic: true, password: 'correct horse' }
      const { id } = (await post('/secret', secret, '203.0.113.1').expect(201)).body
      for (let n = 0; n < 12; n++) {
        const { body } = await post(`/secret/${id}`, { password: 'wrong', claim: newClaim() }, `198.51.100.${n}`)
        expect(body).toMatchObject({ code: 'secret.password_wrong' })
        expect(body.attemptsLeft).toBeUndefined()
      }
      await post(`/secret/${id}`, { password: 'correct horse', claim: newClaim() }, '203.0.113.1').expect(200)
    })

    test('SEC-22: the count of wrong passwords survives a restart', async () => {
      if (site.app.storage.location === undefined) return
      const { path, access, right, wrong } = await sealed()
      const clock = site.app.clock.now
      for (let n = 0; n < 9; n++) await post(path, { access, password: wrong, claim: newClaim() }, '198.51.100.2')
      await site.restart({ now: clock })
      const last = await post(path, { access, password: wrong, claim: newClaim() }, '198.51.100.3')
      expect(last.body).toMatchObject({ code: 'secret.password_wrong', attemptsLeft: 0 })
      await post(path, { access, password: right, claim: newClaim() }, '203.0.113.1').expect(423)
    })
  },
  { app: { settings } },
)
