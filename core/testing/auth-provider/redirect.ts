import { expect, test } from 'vitest'
import type { AuthProvider, RedirectState } from '../../contracts/auth-provider.js'
import { expectIdentity } from './identity.js'

export interface KnownRedirect {
  /** Follows the URL of `start` as the browser of a known user. Returns the callback URL. */
  follow(url: URL): Promise<URL>
}

const CALLBACK = 'https://secrets.example.org/api/v1/authentication/id/callback'

/** Without policies that name groups. */
const NO_NEEDS = { groups: false }

export function redirectContract(current: () => { provider: AuthProvider; redirect?: KnownRedirect }): void {
  const way = () => current().provider.redirect as NonNullable<AuthProvider['redirect']>
  const start = () => way().start(CALLBACK)
  const goThere = async () => {
    const { url, ...redirectState } = await start()
    return { callback: await (current().redirect as KnownRedirect).follow(url), redirectState }
  }
  const isRefused = async (callback: URL, redirectState: RedirectState) =>
    expect(way().finish(callback, redirectState, NO_NEEDS)).rejects.toMatchObject({
      name: 'AppError',
      code: 'auth.refused',
    })
  const changed = (url: URL, name: string, value: string | null) => {
    const copy = new URL(url)
    if (value === null) copy.searchParams.delete(name)
    else copy.searchParams.set(name, value)
    return copy
  }

  test('redirect has a label', () => {
    expect(way().label.trim()).not.toBe('')
  })

  test('start returns a new state each time, and the URL does not contain the provider state', async () => {
    const starts = await Promise.all(Array.from({ length: 5 }, start))
    expect(new Set(starts.map(({ state }) => state)).size).toBe(5)
    expect(new Set(starts.map(({ providerState }) => providerState)).size).toBe(5)
    for (const { url, state, providerState } of starts) {
      expect(url.protocol).toMatch(/^https?:$/)
      expect(url.searchParams.get('state')).toBe(state)
      expect(Buffer.from(state, 'base64url').length).toBeGreaterThanOrEqual(16)
      expect(decodeURIComponent(url.href)).not.toContain(providerState)
    }
  })

  test('finish returns the same identity at each sign-in', async () => {
    const first = await goThere()
    const identity = expectIdentity(await way().finish(first.callback, first.redirectState, NO_NEEDS))
    const second = await goThere()
    expect(await way().finish(second.callback, second.redirectState, NO_NEEDS)).toEqual(identity)
  })

  test('finish refuses another state, the callback of another start and a missing code', async () => {
    const { callback, redirectState } = await goThere()
    const other = await start()
    await isRefused(changed(callback, 'state', other.state), redirectState)
    await isRefused(changed(callback, 'state', null), redirectState)
    await isRefused(callback, { ...redirectState, state: other.state })
    await isRefused(callback, { state: other.state, providerState: other.providerState })
    await isRefused(callback, { ...redirectState, providerState: other.providerState })
    await isRefused(new URL(CALLBACK), redirectState)
    await isRefused(new URL(`${CALLBACK}?state=${redirectState.state}`), redirectState)
    await isRefused(new URL(`${CALLBACK}?state=${redirectState.state}&code=made-up`), redirectState)
    await isRefused(new URL(`${CALLBACK}?state=${redirectState.state}&error=access_denied`), redirectState)
  })

  test('finish accepts a callback once', async () => {
    const { callback, redirectState } = await goThere()
    await way().finish(callback, redirectState, NO_NEEDS)
    await isRefused(callback, redirectState)
  })
}
