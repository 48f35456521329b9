import { expect, test } from 'vitest'
import type { AuthProvider } from '../../contracts/auth-provider.js'
import { expectIdentity, HOSTILE } from './identity.js'

export interface KnownHeader {
  /** Headers of a known user, as the proxy sends them. */
  headers: Record<string, string[]>
  /** Address of the proxy. */
  peer: string
  /** Names of the headers that identify the user. */
  deciding: string[]
}

export function headerContract(current: () => { provider: AuthProvider; header?: KnownHeader }): void {
  const known = () => current().header as KnownHeader
  const ask = async (headers: Record<string, string[]>, peer: string | null) =>
    (await current().provider.header?.(headers, peer)) ?? null
  const refused = { name: 'AppError', code: 'auth.refused' }

  test('header returns the same identity for the same headers', async () => {
    const { headers, peer } = known()
    const identity = expectIdentity(await ask(headers, peer))
    expect(await ask(headers, peer)).toEqual(identity)
  })

  test('header returns null without the headers', async () => {
    expect(await ask({}, known().peer)).toBeNull()
    expect(await ask({ accept: ['*/*'] }, known().peer)).toBeNull()
  })

  test('header returns null for an untrusted peer', async () => {
    for (const peer of ['203.0.113.66', '2001:db8::66', '127.0.0.2', '::2', null]) {
      expect(await ask(known().headers, peer)).toBeNull()
    }
  })

  test('header refuses duplicate and invalid values', async () => {
    const { headers, peer, deciding } = known()
    for (const name of deciding) {
      const [line = ''] = headers[name] ?? []
      for (const lines of [[line, line], ['mallory', line], [line, 'mallory'], ['a\u0007b'], ['\u00ff\u00fe']]) {
        await expect(ask({ ...headers, [name]: lines }, peer)).rejects.toMatchObject(refused)
      }
    }
  })

  test('header never fails unexpectedly for any value', async () => {
    const { headers, peer, deciding } = known()
    for (const name of deciding) {
      for (const text of HOSTILE) {
        const result = ask({ ...headers, [name]: [text] }, peer).catch((error) => expect(error).toMatchObject(refused))
        await result
      }
    }
  })
}
