import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuthProvider, Hooks } from '#core'
import { createAccounts } from '#core/plugins/plugin-app'
import { authProviderContract } from '#core/testing'
import { fakeAuth } from '#test/fake-auth'
import { memory } from '#test/memory-plugin'
import { type TestApp, testApp } from '#test/test-app'
import localAuth from './index.js'

const log = { debug() {}, info() {}, warn() {}, error() {} }

async function open() {
  const app = await testApp(memory as never)
  const hooks = localAuth.setup({}, { log, dataDir: app.dataDir, publicUrl: '', clock: Date }) as Hooks
  const [provider] = hooks.auth?.(createAccounts(app), {} as never) ?? []
  return { app, provider: provider as Required<AuthProvider> }
}

authProviderContract(['password'], async () => {
  const { app, provider } = await open()
  const { username, password } = await app.signUp()
  return { provider, password: { username, password }, close: app.close }
})

describe('password sign-in', () => {
  let app: TestApp
  let provider: Required<AuthProvider>
  beforeAll(async () => {
    const opened = await open()
    app = opened.app
    provider = opened.provider
  })
  afterAll(() => app.close())

  test('subject is the user id, so a reused username is another user', async () => {
    const user = await app.signUp({ username: 'alice' })
    expect(await provider.password('alice', user.password)).toMatchObject({ subject: user.id, username: 'alice' })
    await app.storage.users.remove(user.id, app.clock.now)
    expect(await provider.password('alice', user.password)).toBeNull()
    const next = await app.signUp({ username: 'alice' })
    expect(await provider.password('alice', next.password)).toMatchObject({ subject: next.id })
    expect(next.id).not.toBe(user.id)
  })

  test('V6.2.6: username ignores case, password does not', async () => {
    const user = await app.signUp({ username: 'bob-7' })
    expect(await provider.password('BOB-7', user.password)).toMatchObject({ subject: user.id })
    expect(await provider.password('bob-7', user.password.normalize('NFD'))).toMatchObject({ subject: user.id })
    expect(await provider.password('bob-7', user.password.toUpperCase())).toBeNull()
  })

  test('account without a password refuses every password', async () => {
    await app.signUp({ username: 'without', passwordHash: null })
    for (const password of ['', ' ', 'null', 'undefined']) {
      expect(await provider.password('without', password)).toBeNull()
    }
  })
})

test('app refuses a second auth provider with the id local', async () => {
  const double = fakeAuth({ id: 'local' })
  await expect(testApp(memory as never, { auth: [double] })).rejects.toThrow('Two auth providers have the id "local".')
})
