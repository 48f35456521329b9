import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuthProvider } from '#core'
import { authProviderContract } from '#core/testing'
import { type Forgery, type RunningProvider, startProvider } from '#test/oidc-provider'
import oidc from './index.js'

const CALLBACK = 'https://secrets.example.org/api/v1/authentication/id/callback'
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const host = { log: quiet, dataDir: '/nonexistent', publicUrl: 'https://secrets.example.org', clock: Date }

async function open(options: Record<string, unknown>): Promise<AuthProvider[]> {
  const hooks = await oidc.setup(oidc.options.parse(options), host)
  return hooks.auth?.({} as never, {} as never) ?? []
}

const optionsOf = ({ issuer, clientId, clientSecret }: RunningProvider) => ({ issuer, clientId, clientSecret })

describe('contract with a real provider', () => {
  authProviderContract(['redirect'], async () => {
    const running = await startProvider([CALLBACK])
    const [provider] = await open(optionsOf(running))
    return { provider: provider as AuthProvider, redirect: running, close: running.close }
  })
})

describe('sign-in', () => {
  let running: RunningProvider
  beforeAll(async () => {
    running = await startProvider([CALLBACK])
  })
  afterAll(() => running.close())

  async function signIn(options: Record<string, unknown>, claims: Record<string, unknown> = {}) {
    const before = { ...running.claims }
    Object.assign(running.claims, claims)
    try {
      const [provider] = await open({ ...optionsOf(running), ...options })
      const { start, finish } = (provider as Required<AuthProvider>).redirect
      const { url, ...state } = await start(CALLBACK)
      return await finish(await running.follow(url), state)
    } finally {
      Object.assign(running.claims, before)
    }
  }
  const refused = { code: 'auth.refused' }

  test('unverified e-mail address is refused, except a missing claim with trustEmail', async () => {
    await expect(signIn({}, { email_verified: false })).rejects.toMatchObject(refused)
    await expect(signIn({}, { email_verified: undefined })).rejects.toMatchObject(refused)
    await expect(signIn({ trustEmail: true }, { email_verified: false })).rejects.toMatchObject(refused)
    expect(await signIn({ trustEmail: true }, { email_verified: undefined })).toMatchObject({
      email: 'zoe@example.org',
    })
  })

  test('e-mail address outside allowedEmailDomains is refused', async () => {
    expect(await signIn({ allowedEmailDomains: 'Example.org' })).toMatchObject({ subject: 'person-1', username: 'zoe' })
    for (const domain of ['corp.example', 'ample.org', 'sub.example.org']) {
      await expect(signIn({ allowedEmailDomains: domain })).rejects.toMatchObject(refused)
    }
  })

  test('role follows roleClaim and adminValues', async () => {
    const roles = { roleClaim: 'groups', adminValues: 'ops' }
    expect(await signIn(roles, { groups: ['dev', 'ops'] })).toMatchObject({ role: 'admin' })
    expect(await signIn(roles, { groups: ['devops'] })).toMatchObject({ role: 'user' })
    expect(await signIn(roles, { groups: undefined })).toMatchObject({ role: 'user' })
    expect(await signIn({})).not.toHaveProperty('role')
  })

  test.each<[string, Forgery]>([
    ['ID token of another issuer', { token: { iss: 'https://evil.example' } }],
    ['ID token for another audience', { token: { aud: 'somebody-else' } }],
    ['ID token for several audiences', { token: { aud: ['mayfly', 'somebody-else'] } }],
    ['ID token with another nonce', { token: { nonce: 'A'.repeat(43) } }],
    ['ID token without a nonce', { token: { nonce: undefined } }],
    ['expired ID token', { token: { exp: Math.floor(Date.now() / 1000) - 60 } }],
    ['ID token without a subject', { token: { sub: undefined } }],
    ['ID token signed with another key', { signature: true }],
    ['expired code', { lateCode: true }],
    ['unknown code', { back: { code: 'A'.repeat(43) } }],
    ['wrong state', { back: { state: 'A'.repeat(43) } }],
    ['callback of another issuer', { back: { iss: 'https://evil.example' } }],
  ])('%s is refused', async (_, forgery) => {
    Object.assign(running.forgery, forgery)
    try {
      await expect(signIn({})).rejects.toMatchObject(refused)
    } finally {
      for (const name of Object.keys(forgery)) delete running.forgery[name as keyof Forgery]
    }
    expect(await signIn({})).toMatchObject({ subject: 'person-1' })
  })

  test('wrong verifier or nonce is refused', async () => {
    const [provider] = await open(optionsOf(running))
    for (const name of ['verifier', 'nonce']) {
      const start = (await provider?.redirect?.start(CALLBACK)) as never as {
        url: URL
        state: string
        providerState: string
      }
      const providerState = JSON.stringify({ ...JSON.parse(start.providerState), [name]: 'A'.repeat(43) })
      const callback = await running.follow(start.url)
      await expect(provider?.redirect?.finish(callback, { state: start.state, providerState })).rejects.toMatchObject(
        refused,
      )
    }
  })
})

test('sign-in fails with auth.unavailable while the provider is down, and recovers', async () => {
  const running = await startProvider([CALLBACK])
  await running.close()
  const [provider] = await open(optionsOf(running))
  const { start, finish } = (provider as Required<AuthProvider>).redirect
  await expect(start(CALLBACK)).rejects.toMatchObject({ code: 'auth.unavailable' })
  const again = await startProvider([CALLBACK], Number(new URL(running.issuer).port))
  const { url, ...state } = await start(CALLBACK)
  const callback = await again.follow(url)
  await again.close()
  await expect(finish(callback, state)).rejects.toMatchObject({ code: 'auth.unavailable' })
})

test.each([
  [{ issuer: 'http://id.example.org', clientId: 'a' }],
  [{ issuer: 'https://user:pass@id.example.org', clientId: 'a' }],
  [{ issuer: 'https://id.example.org' }],
  [{}],
  [{ issuer: 'https://id.example.org', clientId: 'a', id: 'local' }],
  [{ issuer: 'https://id.example.org', clientId: 'a', roleClaim: 'groups' }],
  [{ issuer: 'https://id.example.org', clientId: 'a', scopes: 'email' }],
  [{ providers: '[{"id":"a"}]' }],
  [{ providers: '{' }],
])('setup with %j fails', async (options) => {
  await expect(open(options)).rejects.toThrow()
})

test('providers option adds providers after the first one', async () => {
  const one = { issuer: 'https://id.example.org', clientId: 'a' }
  const all = await open({ ...one, providers: JSON.stringify([{ ...one, id: 'other', label: 'Other' }]) })
  expect(all.map(({ id, redirect }) => [id, redirect?.label])).toEqual([
    ['oidc', 'Single sign-on'],
    ['other', 'Other'],
  ])
})
