import { expect, test } from 'vitest'
import type { AuthProvider, RedirectState } from '../../contracts/auth-provider.js'
import { expectIdentity } from './identity.js'

export interface KnownRedirect {
  /** Goes where `start` leads, as the browser of somebody known does, and answers the address of the callback. */
  follow(url: URL): Promise<URL>
}

const CALLBACK = 'https://secrets.example.org/api/v1/authentication/id/callback'

export function redirectLaws(current: () => { provider: AuthProvider; redirect?: KnownRedirect }): void {
  const way = () => current().provider.redirect as NonNullable<AuthProvider['redirect']>
  const start = () => way().start(CALLBACK)
  const goThere = async () => {
    const { url, ...kept } = await start()
    return { callback: await (current().redirect as KnownRedirect).follow(url), kept }
  }
  const isRefused = async (callback: URL, kept: RedirectState) =>
    expect(way().finish(callback, kept)).rejects.toMatchObject({ name: 'AppError', code: 'auth.refused' })
  const changed = (url: URL, name: string, value: string | null) => {
    const copy = new URL(url)
    if (value === null) copy.searchParams.delete(name)
    else copy.searchParams.set(name, value)
    return copy
  }

  test('it has something to call itself on a button', () => {
    expect(way().label.trim()).not.toBe('')
  })

  test('every start is a question of its own, and what is kept is not in it', async () => {
    const starts = await Promise.all(Array.from({ length: 5 }, start))
    expect(new Set(starts.map(({ state }) => state)).size).toBe(5)
    expect(new Set(starts.map(({ kept }) => kept)).size).toBe(5)
    for (const { url, state, kept } of starts) {
      expect(url.protocol).toMatch(/^https?:$/)
      expect(url.searchParams.get('state')).toBe(state)
      expect(Buffer.from(state, 'base64url').length).toBeGreaterThanOrEqual(16)
      expect(decodeURIComponent(url.href)).not.toContain(kept)
    }
  })

  test('who comes back is known, and the same the next time', async () => {
    const first = await goThere()
    const identity = expectIdentity(await way().finish(first.callback, first.kept))
    const second = await goThere()
    expect(await way().finish(second.callback, second.kept)).toEqual(identity)
  })

  test('another state, another question, and no answer are refused', async () => {
    const { callback, kept } = await goThere()
    const other = await start()
    await isRefused(changed(callback, 'state', other.state), kept)
    await isRefused(changed(callback, 'state', null), kept)
    await isRefused(callback, { ...kept, state: other.state })
    await isRefused(callback, { state: other.state, kept: other.kept })
    await isRefused(callback, { ...kept, kept: other.kept })
    await isRefused(new URL(CALLBACK), kept)
    await isRefused(new URL(`${CALLBACK}?state=${kept.state}`), kept)
    await isRefused(new URL(`${CALLBACK}?state=${kept.state}&code=made-up`), kept)
    await isRefused(new URL(`${CALLBACK}?state=${kept.state}&error=access_denied`), kept)
  })

  test('an answer counts once', async () => {
    const { callback, kept } = await goThere()
    await way().finish(callback, kept)
    await isRefused(callback, kept)
  })
}
