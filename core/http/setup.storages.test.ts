/** Creating the first administrator with the setup code. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { forEachStorage, OWN_PAGE } from '#test/for-each-storage'
import { issueSetupCode, SETUP_CODE_HASH } from '../auth/setup-code.js'

const HOUR = 60 * 60_000

function someone(more: object = {}) {
  const username = `n${randomBytes(6).toString('hex')}`
  return { username, email: `${username}@example.org`, password: 'twelve chårs', ...more }
}

forEachStorage((site) => {
  const issue = async () => (await issueSetupCode(site.app)) ?? ''
  const storedCode = () => site.app.storage.instanceState.get(SETUP_CODE_HASH)
  const setUp = (code: string, more?: object) =>
    site.call('POST', '/authentication/setup', OWN_PAGE, { ...someone(more), code })
  const needed = async () => (await site.call('GET', '/settings').expect(200)).body.setUp

  test('SEC-15: twenty requests at once with the setup code create one administrator', async () => {
    const code = await issue()
    const signUp = () => site.call('POST', '/authentication/signup', OWN_PAGE, someone())
    const both = Array.from({ length: 20 }, () => [setUp(code), signUp()] as const)
    const responses = await Promise.all(both.map(([first]) => first))
    expect((await Promise.all(both.map(([, second]) => second))).map(({ status }) => status)).toEqual(
      Array(20).fill(200),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(403)])
    const { users, total } = await site.app.storage.users.list(
      { role: 'admin' },
      { skip: 0, take: 9 },
      site.app.clock.now,
    )
    expect([total, users[0]?.username]).toEqual([1, responses.find(({ status }) => status === 200)?.body.username])
  })

  site.once(() => {
    test('SEC-15: the setup code creates one administrator and is then gone', async () => {
      expect(await needed()).toBe(true)
      const code = await issue()
      expect(code).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(await storedCode()).toMatch(/^[0-9a-f]{64}$/)
      const response = await setUp(code, { username: 'boss' }).expect(200)
      expect(response.body).toEqual({ username: 'boss' })
      expect(response.headers['set-cookie']).toHaveLength(3)
      expect(await site.app.storage.users.find('boss')).toMatchObject({ role: 'admin', mustChangePassword: false })
      expect(await needed()).toBe(false)
      expect((await setUp(code).expect(403)).body.code).toBe('auth.setup_code')
      expect(await issueSetupCode(site.app)).toBe(null)
      expect(await storedCode()).toBeNull()
      expect(site.app.logged.join()).not.toContain(code)
    })

    test('V6.4.1: wrong, expired and replaced setup codes get the same error and are recorded in the audit log', async () => {
      const replaced = await issue()
      const code = await issue()
      const wrong = [replaced, 'x'.repeat(43), '', code.slice(1)]
      for (const text of wrong) expect((await setUp(text).expect(403)).body.code).toBe('auth.setup_code')
      expect((await setUp(code, { password: 'short' }).expect(400)).body.field).toBe('password')
      site.app.clock.now += HOUR - 1
      await setUp(code, { username: 'x' }).expect(400)
      site.app.clock.now += 1
      await setUp(code).expect(403)
      expect(await site.app.storage.users.hasAdmin()).toBe(false)
      await site.app.audit.flush()
      const noted = await site.app.storage.audit.list({ action: 'setup.refused' }, { skip: 0, take: 9 })
      expect(noted.length).toBeGreaterThan(0)
    })

    test('the setup code is refused when an administrator exists', async () => {
      const code = await issue()
      await site.app.signUp({ role: 'admin' })
      await setUp(code).expect(403)
      expect(await issueSetupCode(site.app)).toBe(null)
    })
  })
})
