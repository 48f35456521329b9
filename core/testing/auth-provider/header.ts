import { expect, test } from 'vitest'
import type { AuthProvider } from '../../contracts/auth-provider.js'
import { expectIdentity, HOSTILE } from './identity.js'

export interface KnownHeader {
  /** What the proxy sends about somebody. */
  headers: Record<string, string[]>
  /** The proxy's address. */
  peer: string
  /** Names of those headers that decide who it is. */
  deciding: string[]
}

export function headerLaws(current: () => { provider: AuthProvider; header?: KnownHeader }): void {
  const known = () => current().header as KnownHeader
  const ask = async (headers: Record<string, string[]>, peer: string | null) =>
    (await current().provider.header?.(headers, peer)) ?? null
  const refused = { name: 'AppError', code: 'auth.refused' }

  test('the proxy tells who is calling, the same each time', async () => {
    const { headers, peer } = known()
    const identity = expectIdentity(await ask(headers, peer))
    expect(await ask(headers, peer)).toEqual(identity)
  })

  test('without its headers nobody is', async () => {
    expect(await ask({}, known().peer)).toBeNull()
    expect(await ask({ accept: ['*/*'] }, known().peer)).toBeNull()
  })

  test('from anywhere else they count for nothing', async () => {
    for (const peer of ['203.0.113.66', '2001:db8::66', '127.0.0.2', '::2', null]) {
      expect(await ask(known().headers, peer)).toBeNull()
    }
  })

  test('two lines of one, and what is no text, are refused', async () => {
    const { headers, peer, deciding } = known()
    for (const name of deciding) {
      const [line = ''] = headers[name] ?? []
      for (const lines of [[line, line], ['mallory', line], [line, 'mallory'], ['a\u0007b'], ['\u00ff\u00fe']]) {
        await expect(ask({ ...headers, [name]: lines }, peer)).rejects.toMatchObject(refused)
      }
    }
  })

  test('nothing that is sent breaks it', async () => {
    const { headers, peer, deciding } = known()
    for (const name of deciding) {
      for (const text of HOSTILE) {
        const answer = ask({ ...headers, [name]: [text] }, peer).catch((error) => expect(error).toMatchObject(refused))
        await answer
      }
    }
  })
}
