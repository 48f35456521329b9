import { expect, test } from 'vitest'
import type { AuthProvider } from '../../contracts/auth-provider.js'
import { expectIdentity, HOSTILE } from './identity.js'

export interface KnownPassword {
  username: string
  password: string
}

export function passwordContract(current: () => { provider: AuthProvider; password?: KnownPassword }): void {
  const ask = async (username: string, password: string) =>
    (await current().provider.password?.(username, password)) ?? null

  test('password returns the same identity for the right password', async () => {
    const { username, password } = current().password as KnownPassword
    const identity = expectIdentity(await ask(username, password))
    expect(await ask(username, password)).toEqual(identity)
  })

  test('password returns null for a wrong password or an unknown username', async () => {
    const { username, password } = current().password as KnownPassword
    for (const wrong of [`${password}x`, password.slice(1), password.toUpperCase(), ...HOSTILE]) {
      expect(await ask(username, wrong)).toBeNull()
    }
    for (const nobody of ['nobody-at-all', ...HOSTILE]) expect(await ask(nobody, password)).toBeNull()
  })

  test('concurrent sign-ins get their own identities', async () => {
    const { username, password } = current().password as KnownPassword
    const results = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(username, n % 2 ? password : 'wrong')))
    expect(results.map((result) => result !== null)).toEqual(results.map((_, n) => n % 2 === 1))
  })
}
