import { expect, test } from 'vitest'
import type { AuthProvider } from '#core'
import { authProviderContract } from '#core/testing'
import proxyAuth from './index.js'

const FROM = { from: '10.0.0.1, 2001:db8:1::/64' }
const HEADERS = {
  'remote-user': ['zoe'],
  'remote-email': ['zoe@example.org'],
  'remote-groups': ['dev,ops'],
}

function open(options: Record<string, unknown>, warned: string[] = []): AuthProvider {
  const log = { debug() {}, info() {}, warn: (msg: string) => void warned.push(msg), error() {} }
  const hooks = proxyAuth.setup(proxyAuth.options.parse(options), { log, dataDir: '', publicUrl: '', clock: Date })
  return (hooks as { auth(accounts: never, context: never): AuthProvider[] }).auth(
    {} as never,
    {} as never,
  )[0] as AuthProvider
}

authProviderContract(['header'], async () => ({
  provider: open({ ...FROM, adminGroups: 'ops' }),
  header: { headers: HEADERS, peer: '10.0.0.1', deciding: Object.keys(HEADERS) },
  close: async () => {},
}))

test('headers from an untrusted address are ignored and logged once', async () => {
  const warned: string[] = []
  const { header } = open(FROM, warned)
  for (let n = 0; n < 5; n++) expect(await header?.(HEADERS, '10.0.0.2')).toBeNull()
  expect(warned).toHaveLength(1)
})

test('a range of nearly every address is refused, and any allows every address', async () => {
  for (const from of ['0.0.0.0/0', '::/0', '0.0.0.0/1', '10.0.0.1,::/3']) {
    expect(proxyAuth.options.safeParse({ from }).success, from).toBe(false)
  }
  for (const from of ['10.0.0.0/8', 'fc00::/7']) expect(proxyAuth.options.safeParse({ from }).success, from).toBe(true)
  const { header } = open({ from: 'any' })
  for (const peer of ['203.0.113.7', '2001:db8::1']) {
    expect(await header?.(HEADERS, peer)).toMatchObject({ subject: 'zoe' })
  }
})

test('adminGroups decide the role', async () => {
  const role = async (options: object, groups: string) =>
    (await open({ ...FROM, ...options }).header?.({ ...HEADERS, 'remote-groups': [groups] }, '2001:db8:1::7'))?.role
  expect(await role({}, 'ops')).toBeUndefined()
  expect(await role({ adminGroups: 'ops' }, 'dev, ops')).toBe('admin')
  expect(await role({ adminGroups: 'ops' }, 'devops')).toBe('user')
})

test('a missing groups header keeps the role and is logged once, an empty header is an empty list', async () => {
  const warned: string[] = []
  const { header } = open({ ...FROM, adminGroups: 'ops' }, warned)
  const { 'remote-groups': _, ...withoutGroups } = HEADERS
  for (let n = 0; n < 3; n++) expect(await header?.(withoutGroups, '10.0.0.1')).not.toHaveProperty('role')
  expect(warned).toHaveLength(1)
  expect(await header?.({ ...HEADERS, 'remote-groups': [''] }, '10.0.0.1')).toMatchObject({ role: 'user' })
})

test('creatorGroups and adminGroups decide who may create', async () => {
  const options = { ...FROM, creatorGroups: 'senders', adminGroups: 'ops' }
  const read = (groups?: string[]) => open(options).header?.({ ...HEADERS, 'remote-groups': groups }, '10.0.0.1')
  expect(open(options).decidesCreation).toBe(true)
  expect(await read(['dev, senders'])).toMatchObject({ role: 'user', canCreate: true })
  expect(await read(['ops'])).toMatchObject({ role: 'admin', canCreate: true })
  for (const groups of ['', 'dev', 'Senders']) expect(await read([groups])).toMatchObject({ canCreate: false })
  expect(await read(undefined)).not.toHaveProperty('canCreate')
  expect(open(FROM).decidesCreation).toBe(false)
  expect(await open(FROM).header?.(HEADERS, '10.0.0.1')).not.toHaveProperty('canCreate')
})

test.each(['/oauth2/sign_out?rd=%2F', 'https://auth.example.org/logout', '/'])(
  'signOutUrl %s is accepted',
  (signOutUrl) => {
    expect(open({ ...FROM, signOutUrl }).signOutUrl).toBe(signOutUrl)
  },
)

test('signOutUrl is absent by default', () => {
  expect(open(FROM)).not.toHaveProperty('signOutUrl')
})

test.each(['//evil.example', '/\\evil.example', 'javascript:alert(1)', 'evil.example', 'https://', '/a b', 'data:,'])(
  'signOutUrl %s is invalid',
  (signOutUrl) => {
    expect(proxyAuth.options.safeParse({ ...FROM, signOutUrl }).success).toBe(false)
  },
)

test.each([{}, { from: '' }, { from: [] }, { from: 'proxy.example' }, { from: '10.0.0.1/40' }])(
  'options %j are invalid',
  (options) => {
    expect(proxyAuth.options.safeParse(options).success).toBe(false)
  },
)
