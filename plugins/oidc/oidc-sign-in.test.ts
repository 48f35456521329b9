import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuthProvider } from '#core'
import { authProviderContract } from '#core/testing'
import { type Forgery, type RunningProvider, startProvider } from '#test/oidc-provider'
import oidc from './index.js'

const CALLBACK = 'https://secrets.example.org/api/v1/authentication/id/callback'
const warned: [string, unknown][] = []
const log = {
  debug() {},
  info() {},
  error() {},
  warn: (msg: string, fields: unknown) => void warned.push([msg, fields]),
}
const host = { log, dataDir: '/nonexistent', publicUrl: 'https://secrets.example.org', clock: Date }

async function open(options: Record<string, unknown>): Promise<AuthProvider[]> {
  const hooks = await oidc.setup(oidc.options.parse(options), host)
  return hooks.auth?.({} as never, {} as never) ?? []
}

async function signInWith(provider: AuthProvider, running: RunningProvider, needs = { groups: false }) {
  const { start, finish } = (provider as Required<AuthProvider>).redirect
  const { url, ...state } = await start(CALLBACK)
  return finish(await running.follow(url), state, needs)
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

  beforeEach(() => void warned.splice(0))

  /** Signs in with `claims` in the userinfo response, unless `forgery` has others. */
  async function signIn(options: Record<string, unknown>, claims: Record<string, unknown> = {}, forgery: Forgery = {}) {
    const before = { ...running.claims }
    Object.assign(running.claims, claims)
    Object.assign(running.forgery, forgery)
    try {
      const [provider] = await open({ ...optionsOf(running), ...options })
      return await signInWith(provider as AuthProvider, running)
    } finally {
      for (const name of Object.keys(running.claims)) delete running.claims[name]
      Object.assign(running.claims, before)
      for (const name of Object.keys(forgery)) delete running.forgery[name as keyof Forgery]
    }
  }
  const refused = { code: 'auth.refused' }
  const reasons = () => warned.map(([, fields]) => (fields as { reason: string }).reason)

  test.each([false, 'false', undefined, 'True', 1])(
    'trustEmail decides with email_verified %j',
    async (email_verified) => {
      await expect(signIn({}, { email_verified })).rejects.toMatchObject(refused)
      expect(warned).toEqual([['sign-in refused', { provider: 'oidc', reason: 'email not verified' }]])
      expect(await signIn({ trustEmail: true }, { email_verified })).toMatchObject({ email: 'zoe@example.org' })
    },
  )

  test('email_verified may be text', async () => {
    expect(await signIn({}, { email_verified: 'true' })).toMatchObject({ email: 'zoe@example.org' })
  })

  test('e-mail address outside allowedEmailDomains is refused', async () => {
    expect(await signIn({ allowedEmailDomains: 'Example.org' })).toMatchObject({ subject: 'person-1', username: 'zoe' })
    for (const domain of ['corp.example', 'ample.org', 'sub.example.org']) {
      await expect(signIn({ allowedEmailDomains: domain })).rejects.toMatchObject(refused)
    }
  })

  test('emailClaim and usernameClaim replace the usual claims', async () => {
    const claims = { email: undefined, email_verified: undefined, upn: 'Zoë@Corp.example' }
    await expect(signIn({ trustEmail: true }, claims)).rejects.toMatchObject(refused)
    expect(reasons()).toEqual(['email missing'])
    const options = { trustEmail: true, emailClaim: 'upn', usernameClaim: 'upn', allowedEmailDomains: 'corp.example' }
    expect(await signIn(options, claims)).toMatchObject({ email: 'Zoë@Corp.example', username: 'Zoë@Corp.example' })
    expect(await signIn({ usernameClaim: 'nothing' })).toMatchObject({ username: '' })
  })

  test.each([
    ['groups', 'ops'],
    ['groups', ['dev', 'ops']],
    ['groups', [{ name: 'dev' }, { name: 'ops', id: 'b0a1' }]],
    ['realm_access.roles', ['ops']],
    ['cognito:groups', ['ops']],
    ['urn:zitadel:iam:org:project:roles', { ops: { 2812: 'corp.example' }, dev: {} }],
  ])('role follows the claim %s: %j', async (groupsClaim, value) => {
    const claim = (groups: unknown) =>
      groupsClaim === 'realm_access.roles' ? { realm_access: { roles: groups } } : { [groupsClaim]: groups }
    const options = { groupsClaim, adminGroups: 'ops' }
    expect(await signIn(options, claim(value))).toMatchObject({ role: 'admin' })
    expect(await signIn({ ...options, adminGroups: 'ops,s' }, claim(['devops', 'OPS']))).toMatchObject({ role: 'user' })
    expect(await signIn({ ...options, adminGroups: [] }, claim(value))).not.toHaveProperty('role')
    expect(warned).toEqual([])
  })

  test.each([
    [['pwd', 'mfa'], true],
    [['pwd', 'otp'], true],
    [['hwk', 'user', 'pin'], true],
    [['fpt', 'swk'], true],
    [['pwd'], false],
    // A code by mail alone is one factor.
    [['otp'], false],
    [['otp', 'sms', 'user', 'constructor', 7, null], false],
    ['mfa', false],
    [undefined, false],
  ])('amr %j is a second factor: %s', async (amr, secondFactor) => {
    expect(await signIn({}, {}, { token: { amr } })).toMatchObject({ secondFactor })
    // Only the ID token describes this sign-in.
    const userInfo = { amr: ['mfa'], acr: 'gold', sub: 'person-1' }
    expect(await signIn({ secondFactorAcr: 'gold' }, {}, { token: { amr }, userInfo })).toMatchObject({ secondFactor })
  })

  test('acr is a second factor with a value of secondFactorAcr', async () => {
    const options = { secondFactorAcr: 'gold, urn:möbius:2' }
    const withAcr = (acr: unknown, given = options) => signIn(given, {}, { token: { acr, amr: ['pwd'] } })
    for (const acr of ['gold', 'urn:möbius:2']) expect(await withAcr(acr)).toMatchObject({ secondFactor: true })
    for (const acr of ['', 'Gold', 'old', ['gold'], 2, undefined])
      expect(await withAcr(acr)).toMatchObject({ secondFactor: false })
    expect(await withAcr('gold', { secondFactorAcr: '' })).toMatchObject({ secondFactor: false })
  })

  const TOKEN = { email: 'zoe@example.org', email_verified: true, preferred_username: 'zoe' }
  test('groups are read from the userinfo response although the ID token has the e-mail address', async () => {
    const options = { adminGroups: 'ops' }
    expect(await signIn(options, { groups: ['ops'] }, { token: TOKEN })).toMatchObject({ role: 'admin' })
    const token = { ...TOKEN, groups: ['dev'] }
    expect(await signIn(options, { groups: ['ops'] }, { token, userInfo: null })).toMatchObject({ role: 'user' })
  })

  test.each<[string, unknown, Forgery]>([
    ['groups missing', undefined, {}],
    ['groups missing', null, {}],
    ['groups unreadable', 7, {}],
    ['groups unreadable', [7], {}],
    ['groups unreadable', { roles: ['dev'] }, {}],
    ['groups overage', undefined, { token: { ...TOKEN, _claim_names: { groups: 'src1' } } }],
    ['groups overage', undefined, { token: { ...TOKEN, hasgroups: 'true' } }],
    ['groups missing', ['dev'], { token: TOKEN, userInfo: null }],
  ])('role is kept, and refused with allowGroups: %s, %j', async (reason, groups, forgery) => {
    const identity = await signIn({ adminGroups: 'ops' }, { groups }, forgery)
    expect(identity).toMatchObject({ email: 'zoe@example.org' })
    expect(identity).not.toHaveProperty('role')
    expect(warned.at(-1)).toEqual([
      'permissions kept, groups of the provider not readable',
      { provider: 'oidc', reason },
    ])
    await expect(signIn({ allowGroups: 'ops' }, { groups }, forgery)).rejects.toMatchObject(refused)
    expect(warned.at(-1)).toEqual(['sign-in refused', { provider: 'oidc', reason }])
  })

  test('allowGroups and adminGroups decide who may sign in', async () => {
    const options = { allowGroups: 'staff', adminGroups: 'ops' }
    expect(await signIn(options, { groups: ['staff'] })).toMatchObject({ role: 'user' })
    expect(await signIn(options, { groups: ['ops'] })).toMatchObject({ role: 'admin' })
    for (const groups of [[], '', ['guests'], ['Staff']]) {
      await expect(signIn(options, { groups })).rejects.toMatchObject(refused)
    }
    expect(new Set(reasons())).toEqual(new Set(['group']))
    expect(await signIn({ allowGroups: 'staff' }, { groups: ['staff'] })).not.toHaveProperty('role')
  })

  test('creatorGroups and adminGroups decide who may create', async () => {
    const options = { creatorGroups: 'senders', adminGroups: 'ops' }
    const [provider] = await open({ ...optionsOf(running), ...options })
    expect(provider?.decidesCreation).toBe(true)
    expect(await signIn(options, { groups: ['senders'] })).toMatchObject({ role: 'user', canCreate: true })
    expect(await signIn(options, { groups: ['ops'] })).toMatchObject({ role: 'admin', canCreate: true })
    for (const groups of [[], '', ['guests'], ['Senders']]) {
      expect(await signIn(options, { groups })).toMatchObject({ role: 'user', canCreate: false })
    }
    const onlyCreators = await signIn({ creatorGroups: 'senders' }, {}, { token: { ...TOKEN, groups: ['senders'] } })
    expect(onlyCreators).toMatchObject({ canCreate: true })
    expect(onlyCreators).not.toHaveProperty('role')
    expect(await signIn({ adminGroups: 'ops' }, { groups: ['ops'] })).not.toHaveProperty('canCreate')
    expect(warned).toEqual([])
    expect(await signIn(options)).not.toHaveProperty('canCreate')
    expect(reasons()).toEqual(['groups missing'])
  })

  test('groups that policies need come from the userinfo response without any option', async () => {
    const [provider] = await open(optionsOf(running))
    const before = { ...running.claims }
    Object.assign(running.claims, { groups: ['Ops ☃', 'x'] })
    const identities = [true, false].map((groups) => signInWith(provider as AuthProvider, running, { groups }))
    const [needed, unneeded] = await Promise.all(identities)
    running.claims.groups = before.groups
    expect(needed).toMatchObject({ groups: ['Ops ☃', 'x'] })
    expect(unneeded).not.toHaveProperty('groups')
  })

  test('userinfo response of another user is refused', async () => {
    const userInfo = { sub: 'person-2', groups: ['ops'] }
    await expect(signIn({ adminGroups: 'ops' }, {}, { token: TOKEN, userInfo })).rejects.toMatchObject(refused)
  })

  test('a user in 5,000 groups signs in', async () => {
    const groups = Array.from({ length: 5000 }, (_, n) => `department-${n}-☃`)
    const token = { ...TOKEN, groups: [...groups, 'ops'] }
    expect(await signIn({ adminGroups: 'ops' }, {}, { token })).toMatchObject({ role: 'admin' })
  })

  test('the clock of the provider may differ by 50 seconds', async () => {
    for (const skew of [-50, 50]) {
      const token = { ...TOKEN, exp: Math.floor(Date.now() / 1000) + skew }
      expect(await signIn({}, {}, { skew, token })).toMatchObject({ subject: 'person-1' })
    }
  })

  test('a new key of the provider is read at the next sign-in', async () => {
    const rotating = await startProvider([CALLBACK])
    const [provider] = await open(optionsOf(rotating))
    await signInWith(provider as AuthProvider, rotating)
    rotating.forgery.rotated = true
    await expect(signInWith(provider as AuthProvider, rotating)).rejects.toMatchObject(refused)
    expect(await signInWith(provider as AuthProvider, rotating)).toMatchObject({ subject: 'person-1' })
    await rotating.close()
  })

  test.each<[string, Forgery]>([
    ['ID token of another issuer', { token: { iss: 'https://evil.example' } }],
    ['ID token for another audience', { token: { aud: 'somebody-else' } }],
    ['ID token for several audiences', { token: { aud: ['mayfly', 'somebody-else'] } }],
    ['ID token with another nonce', { token: { nonce: 'A'.repeat(43) } }],
    ['ID token without a nonce', { token: { nonce: undefined } }],
    ['expired ID token', { token: { exp: Math.floor(Date.now() / 1000) - 120 } }],
    ['ID token without a subject', { token: { sub: undefined } }],
    ['ID token signed with another key', { signature: true }],
    ['expired code', { lateCode: true }],
    ['unknown code', { back: { code: 'A'.repeat(43) } }],
    ['wrong state', { back: { state: 'A'.repeat(43) } }],
    ['callback of another issuer', { back: { iss: 'https://evil.example' } }],
  ])('V9: %s is refused', async (_, forgery) => {
    Object.assign(running.forgery, forgery)
    try {
      await expect(signIn({})).rejects.toMatchObject(refused)
    } finally {
      for (const name of Object.keys(forgery)) delete running.forgery[name as keyof Forgery]
    }
    expect(await signIn({})).toMatchObject({ subject: 'person-1' })
  })

  test('V9: wrong verifier or nonce is refused', async () => {
    const [provider] = await open(optionsOf(running))
    for (const name of ['verifier', 'nonce']) {
      const start = (await provider?.redirect?.start(CALLBACK)) as never as {
        url: URL
        state: string
        providerState: string
      }
      const providerState = JSON.stringify({ ...JSON.parse(start.providerState), [name]: 'A'.repeat(43) })
      const callback = await running.follow(start.url)
      await expect(
        provider?.redirect?.finish(callback, { state: start.state, providerState }, { groups: false }),
      ).rejects.toMatchObject(refused)
    }
  })
})

test('sign-in fails with auth.unavailable while the provider is down, and recovers', async () => {
  const running = await startProvider([CALLBACK])
  await running.close()
  const [provider] = await open(optionsOf(running))
  const { start, finish } = (provider as Required<AuthProvider>).redirect
  await expect(start(CALLBACK)).rejects.toMatchObject({ code: 'auth.unavailable' })
  const again = await startProvider([CALLBACK], { port: Number(new URL(running.issuer).port) })
  const { url, ...state } = await start(CALLBACK)
  const callback = await again.follow(url)
  await again.close()
  await expect(finish(callback, state, { groups: false })).rejects.toMatchObject({ code: 'auth.unavailable' })
})

test.each(['client_secret_basic', 'client_secret_post'] as const)('a client with %s signs in', async (clientAuth) => {
  const running = await startProvider([CALLBACK], { clientAuth })
  for (const options of [{}, { clientAuth }]) {
    const [provider] = await open({ ...optionsOf(running), ...options })
    expect(await signInWith(provider as AuthProvider, running)).toMatchObject({ subject: 'person-1' })
  }
  await running.close()
})

test('the slash at the end of the issuer may be missing or superfluous', async () => {
  for (const path of ['/application/o/mayfly/', '/application/o/mayfly']) {
    const running = await startProvider([CALLBACK], { path })
    const other = path.endsWith('/') ? running.issuer.slice(0, -1) : `${running.issuer}/`
    for (const issuer of [running.issuer, other]) {
      const [provider] = await open({ ...optionsOf(running), issuer })
      expect(await signInWith(provider as AuthProvider, running)).toMatchObject({ subject: 'person-1' })
    }
    await running.close()
  }
})

test.each([
  [{ issuer: 'http://id.example.org', clientId: 'a' }],
  [{ issuer: 'https://user:pass@id.example.org', clientId: 'a' }],
  [{ issuer: 'https://id.example.org' }],
  [{}],
  [{ issuer: 'https://id.example.org', clientId: 'a', id: 'local' }],
  [{ issuer: 'https://id.example.org', clientId: 'a', emailClaim: 'upn' }],
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
