/** The laws of core/contracts/auth-provider.ts as tests. A way to sign in proves itself by passing them all. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuthProvider } from '../contracts/auth-provider.js'
import { headerLaws, type KnownHeader } from './auth-provider/header.js'
import { type KnownPassword, passwordLaws } from './auth-provider/password.js'
import { type KnownRedirect, redirectLaws } from './auth-provider/redirect.js'

/** A provider, and somebody whom it knows, in each of the ways that it has. */
export interface OpenedAuthProvider {
  provider: AuthProvider
  password?: KnownPassword
  redirect?: KnownRedirect
  header?: KnownHeader
  close(): Promise<void>
}

const WAYS = ['password', 'redirect', 'header'] as const

/** Call it in a test file of your plugin, under vitest. `ways`: those that the provider has; there has to be one. */
export function authProviderContract(ways: (typeof WAYS)[number][], open: () => Promise<OpenedAuthProvider>): void {
  let opened: OpenedAuthProvider
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())
  const current = () => opened

  test('it has a name, says whom it lets in, and has the ways that it is tested for', () => {
    const { id, signUp } = opened.provider
    expect(id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
    expect(id.length).toBeLessThanOrEqual(64)
    expect(typeof signUp).toBe('boolean')
    expect(ways.length).toBeGreaterThan(0)
    expect(WAYS.filter((way) => opened.provider[way])).toEqual(WAYS.filter((way) => ways.includes(way)))
    expect(WAYS.filter((way) => opened[way])).toEqual(WAYS.filter((way) => ways.includes(way)))
  })

  if (ways.includes('password')) describe('password', () => passwordLaws(current))
  if (ways.includes('redirect')) describe('redirect', () => redirectLaws(current))
  if (ways.includes('header')) describe('header', () => headerLaws(current))
}
