import { expect, test } from 'vitest'
import { openStorage } from '#core/testing'
import { memory } from '#test/memory-plugin'
import { aUser, T0 } from '../testing/lib/fixtures.js'
import { checkAdministratorFactors } from './second-factor-checks.js'

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

test.each([{}, { second_factor: 'optional' }, { second_factor: 'off' }])('%j is no finding', async (settings) => {
  expect(await open([NONE], settings)).toBeUndefined()
})

test('administrators of a provider whose second factor counts are no finding', async () => {
  const settings = { second_factor: 'everyone', second_factor_by_provider: 'true' }
  expect((await open([{ ...NONE, passwordHash: null }], settings))?.[0]).toBe('ok')
  expect((await open([NONE], settings))?.[0]).toBe('warn')
})

test('a warning names five of many administrators', async () => {
  const many = Array.from({ length: 107 }, () => ({ role: 'admin' }) as const)
  expect((await open(many, { second_factor: 'everyone' }))?.[1]).toMatch(/: (u\w+, ){4}u\w+ and 102 more$/)
})
