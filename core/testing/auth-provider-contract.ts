/** Tests of the requirements in core/contracts/auth-provider.ts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuthProvider } from '../contracts/auth-provider.js'
import { headerContract, type KnownHeader } from './auth-provider/header.js'
import { type KnownPassword, passwordContract } from './auth-provider/password.js'
import { type KnownRedirect, redirectContract } from './auth-provider/redirect.js'

/** A provider, and one known user for each of its sign-in methods. */
export interface OpenedAuthProvider {
  provider: AuthProvider
  password?: KnownPassword
  redirect?: KnownRedirect
  header?: KnownHeader
  close(): Promise<void>
}

const WAYS = ['password', 'redirect', 'header'] as const
/** Fields of the known user that the tests of a sign-in method read. */
const KNOWN_USERS = {
  password: { username: expect.any(String), password: expect.any(String) },
  redirect: { follow: expect.any(Function) },
  header: { headers: expect.any(Object), peer: expect.any(String), deciding: expect.any(Array) },
}

/** Call it in a test file of your plugin, under vitest. `ways`: the sign-in methods of the provider, at least one. */
export function authProviderContract(ways: (typeof WAYS)[number][], open: () => Promise<OpenedAuthProvider>): void {
  let opened: OpenedAuthProvider
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())
  const current = () => opened

  test('provider has an id, a sign-up policy and the tested sign-in methods', () => {
    const { id, signUp } = opened.provider
    expect(id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
    expect(id.length).toBeLessThanOrEqual(64)
    expect(typeof signUp).toBe('boolean')
    expect(ways.length).toBeGreaterThan(0)
    expect(WAYS.filter((way) => opened.provider[way])).toEqual(WAYS.filter((way) => ways.includes(way)))
    expect(WAYS.filter((way) => opened[way])).toEqual(WAYS.filter((way) => ways.includes(way)))
    for (const way of ways) expect(opened[way], `known user for "${way}"`).toMatchObject(KNOWN_USERS[way])
  })

  if (ways.includes('password')) describe('password', () => passwordContract(current))
  if (ways.includes('redirect')) describe('redirect', () => redirectContract(current))
  if (ways.includes('header')) describe('header', () => headerContract(current))
}
