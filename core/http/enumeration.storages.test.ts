/** Responses to sign-in do not reveal who has an account, neither by content nor by the number of slow hashes. */
import type { Response } from 'supertest'
import { expect, test, vi } from 'vitest'
import { OWN_PAGE, onOneStorage } from '#test/for-each-storage'
import { formatToken, parseToken, type TokenText } from '../auth/api-token-format.js'
import { HASH_COST } from '../lib/password-hash.js'

/** How often a slow hash ran, and with what cost. */
const hashes = vi.hoisted(() => {
  // Test files share modules, and these may have loaded the real one.
  vi.resetModules()
  return { verified: [] as string[], made: 0 }
})

vi.mock('../lib/argon2.js', async (original) => {
  const actual = await original<typeof import('../lib/argon2.js')>()
  return {
    ...actual,
    async loadArgon2(): ReturnType<typeof actual.loadArgon2> {
      const { hash, verify } = await actual.loadArgon2()
      return {
        hash: (...args) => {
          hashes.made++
          return hash(...args)
        },
        verify: (...args) => {
          hashes.verified.push(/\$m=[^$]+/.exec(args[0])?.[0] ?? '')
          return verify(...args)
        },
      }
    },
  }
})

/** A response without the values that differ in each response. */
function comparable({ status, text, headers }: Response) {
  const { 'x-request-id': _, date: __, ...rest } = headers
  return { status, text, headers: rest }
}

onOneStorage(
  (site) => {
    const signIn = (username: string, password: string) =>
      site.call('POST', '/authentication/signin', OWN_PAGE, { username, password })

    test('SEC-14: sign-in as an unknown user, an invalid name or a user without a password looks like a wrong password and costs one hash', async () => {
      const { username } = await site.app.signUp()
      const outside = await site.app.signUp({ passwordHash: null })
      const wrong = comparable(await signIn(username, 'wrong').expect(401))
      expect(JSON.parse(wrong.text)).toMatchObject({ statusCode: 401, code: 'auth.invalid_credentials' })
      for (const name of ['nobody', outside.username, 'x', '', 'álice', `${username} `, 'a'.repeat(255)]) {
        hashes.verified = []
        hashes.made = 0
        expect(comparable(await signIn(name, 'wrong'))).toEqual(wrong)
        expect({ name, ...hashes }).toEqual({ name, verified: ['$m=19456,t=2,p=1'], made: 0 })
      }
    })

    test('the audit log has the name of a refused sign-in only if a user has it', async () => {
      const { username } = await site.app.signUp()
      const typed = `hunter2_${username}`.slice(0, 20)
      for (const name of [username.toUpperCase(), typed, 'álice']) await signIn(name, 'wrong').expect(401)
      await site.app.audit.flush()
      const entries = await site.app.storage.audit.list({ action: 'session.refused' }, { skip: 0, take: 100 })
      const subjects = entries.map(({ subject }) => subject)
      expect(subjects).toContain(username)
      expect(subjects).not.toContain(typed)
    })

    test('a right password costs one hash, and is hashed again when its hash is outdated', async () => {
      const { username, id, password } = await site.app.signUp()
      hashes.verified = []
      hashes.made = 0
      await signIn(username, password).expect(200)
      expect(hashes).toEqual({ verified: ['$m=19456,t=2,p=1'], made: 0 })
      const { hash } = await (await vi.importActual<typeof import('../lib/argon2.js')>('../lib/argon2.js')).loadArgon2()
      const outdated = await hash('old ☃ word', { memoryCost: 4096, timeCost: 1, parallelism: 1 })
      await site.app.storage.users.update(id, { passwordHash: outdated })
      await signIn(username, 'old ☃ word').expect(200)
      expect((await site.app.storage.users.get(id))?.passwordHash).toMatch(/\$m=19456,t=2,p=1\$/)
      await signIn(username, 'old ☃ word').expect(200)
      expect(hashes.made).toBe(1)
    })

    test('SEC-14: unknown, wrong, expired and misplaced tokens get the same response', async () => {
      const user = await site.app.signUp()
      const right = await site.app.tokenOf(user)
      const responses: Response[] = []
      const show = async (token: string) =>
        responses.push(await site.call('GET', '/account', { Authorization: `Bearer ${token}` }))
      const other = await site.app.tokenOf(user)
      // The id of one and the secret of another; the same with a checksum that fits neither; and one with a digit
      // changed.
      const [one, two] = [parseToken(right), parseToken(other)] as [TokenText, TokenText]
      await show(formatToken({ id: one.id, secret: two.secret }))
      await show(right.slice(0, 12) + other.slice(12))
      await show(right.slice(0, -1) + (right.endsWith('0') ? '1' : '0'))
      await show('mf_nonsense')
      await show(await site.app.tokenOf(user, { allowedIp: '203.0.113.0/24' }))
      const short = await site.app.tokenOf(user, { expiresAt: site.app.clock.now + 1000 })
      site.app.clock.now += 1000
      await show(short)
      const gone = await site.app.tokenOf(user)
      await site.app.storage.tokens.remove(gone.slice(3, 11), user.id)
      await show(gone)
      expect(new Set(responses.map((response) => JSON.stringify(comparable(response)))).size).toBe(1)
      expect(responses[0]?.body).toMatchObject({ statusCode: 401, code: 'auth.invalid_token' })
      await site.call('GET', '/account', { Authorization: `Bearer ${right}` }).expect(200)
    })
  },
  { app: { hashCost: HASH_COST } },
)
