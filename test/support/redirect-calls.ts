/** Sign-in by redirect with `fakeAuth`, as a browser does it. */
import type { Identity } from '#core/contracts/auth-provider'
import { anOutsider } from './fake-auth.js'
import { OWN_PAGE, type Site } from './for-each-storage.js'

export const BASE = '/authentication/company'

/** Returns `name=value` of a cookie that the response sets, or an empty string. */
export function cookieIn(headers: Record<string, unknown>, name: string): string {
  const set = [headers['set-cookie'] ?? []].flat() as string[]
  return set.find((each) => each.startsWith(`${name}=`))?.split(';')[0] ?? ''
}

/** Starts to connect the provider to the account of `session`, which was proven within ten minutes. */
export async function startConnecting(site: Pick<Site, 'call'>, session: Record<string, string>) {
  const { body, headers } = await site.call('POST', `${BASE}/connect`, { ...OWN_PAGE, ...session }).expect(200)
  const state = new URL(body.url).searchParams.get('state') ?? ''
  return { state, Cookie: cookieIn(headers, '__Host-redirect') }
}

export function redirectCalls(site: Site) {
  const start = async (query = '', headers: Record<string, string> = {}) => {
    const response = await site.call('GET', `${BASE}/start${query}`, headers).expect(303)
    const url = new URL(response.headers.location as string)
    return { url, state: url.searchParams.get('state') ?? '', Cookie: cookieIn(response.headers, '__Host-redirect') }
  }
  const back = (state: string, Cookie: string, identity: Identity = anOutsider(), path = BASE) => {
    const query = new URLSearchParams({ state, code: JSON.stringify(identity) })
    return site.call('GET', `${path}/callback?${query}`, { Cookie, 'Sec-Fetch-Site': 'cross-site' }).expect(303)
  }
  const sessionOf = async (response: { headers: Record<string, string> }) => {
    const Cookie = cookieIn(response.headers, '__Host-session')
    if (Cookie === '') return null
    const { body } = await site.call('GET', '/authentication/verify', { Cookie, ...OWN_PAGE })
    return body.username ?? null
  }

  return { start, back, sessionOf }
}
