import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '#core/testing'
import { memory } from '#test/memory-plugin'
import { createTextCipher } from '../lib/text-cipher.js'
import { anAuthenticator, aUser, T0 } from '../testing/lib/fixtures.js'
import { checkAdministratorFactors, checkFactorKey, checkPasskeyHost } from './second-factor-checks.js'

async function open(users: Parameters<typeof aUser>[0][], settings: Record<string, string>) {
  const { storage, close } = await openStorage(memory)
  await storage.migrate()
  for (const user of users) await storage.users.create(aUser(user))
  await storage.settings.set(settings)
  const [finding] = await checkAdministratorFactors(storage, T0)
  await close()
  return finding && [finding.level, finding.message]
}

const NONE = { username: 'zoe', role: 'admin' } as const

test.each(['everyone', 'administrators'])(
  'the policy %s and administrators without a factor are a warning',
  async (policy) => {
    const others = [
      { role: 'user' },
      { role: 'admin', suspendedAt: T0 },
      { role: 'admin', secondFactor: true },
    ] as const
    const settings = { second_factor: policy }
    const message = 'administrators without one, which the policy requires: zoe'
    expect(await open([NONE, ...others], settings)).toEqual(['warn', message])
    expect((await open([...others], settings))?.[0]).toBe('ok')
  },
)

test.each([{}, { second_factor: 'optional' }, { second_factor: 'off' }])('%j returns no finding', async (settings) => {
  expect(await open([NONE], settings)).toBeUndefined()
})

test('administrators of a provider whose second factor counts return no finding', async () => {
  const settings = { second_factor: 'everyone', second_factor_by_provider: 'true' }
  expect((await open([{ ...NONE, passwordHash: null }], settings))?.[0]).toBe('ok')
  expect((await open([NONE], settings))?.[0]).toBe('warn')
})

test('a warning names five of many administrators', async () => {
  const many = Array.from({ length: 107 }, () => ({ role: 'admin' }) as const)
  expect((await open(many, { second_factor: 'everyone' }))?.[1]).toMatch(/: (u\w+, ){5}… \(107\)$/)
})

test('a factor key that does not open the authenticator apps is a failure', async () => {
  const { storage, close } = await openStorage(memory)
  await storage.migrate()
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-factor-key-'))
  onTestFinished(async () => {
    await close()
    await rm(dataDir, { recursive: true })
  })
  const check = async (instanceKey = '') => (await checkFactorKey(storage, { dataDir, instanceKey }))[0]
  expect(await check()).toBeUndefined()
  const user = aUser()
  await storage.users.create(user)
  const key = Buffer.alloc(32, 7)
  const secret = createTextCipher(key, 'mayfly/v1/authenticator').encrypt('JBSWY3DPEHPK3PXP', user.id)
  const added = { recoveryCodes: [], keepSession: null, now: T0 }
  await storage.factors.addAuthenticator(anAuthenticator({ userId: user.id, secret }), added)
  expect(await check()).toMatchObject({ level: 'fail', fix: expect.stringContaining(dataDir) })
  expect((await check('ab'.repeat(32)))?.level).toBe('fail')
  expect((await check(key.toString('hex')))?.level).toBe('ok')
  await writeFile(join(dataDir, 'factor.key'), `${Buffer.alloc(32, 8).toString('base64url')}\n`)
  expect((await check())?.level).toBe('fail')
  await writeFile(join(dataDir, 'factor.key'), `${key.toString('base64url')}\n`)
  expect((await check())?.level).toBe('ok')
})

test('passkeys of another host than the host of publicUrl are a warning', async () => {
  const { storage, close } = await openStorage(memory)
  onTestFinished(close)
  await storage.migrate()
  const check = async (publicUrl: string) => (await checkPasskeyHost(storage, { publicUrl }))[0]
  expect(await check('https://new.example.org')).toBeUndefined()
  await storage.settings.set({ passkey_host: 'old.example.org' })
  expect(await check('https://new.example.org')).toMatchObject({
    level: 'warn',
    message: expect.stringContaining('old.example.org'),
  })
  expect((await check('https://old.example.org:8443'))?.level).toBe('ok')
  expect(await check('')).toBeUndefined()
})
