import { paths } from '../../lib/paths.js'

const PLACEHOLDER_ORIGIN = 'https://here.invalid'
/** The limit of the server: see `OwnPath`. */
const MAX_LENGTH = 512

/**
 * Where to go after signing in: `?to=` when it is a path of the app, else the account page. `parameter`: the server
 * calls it `next`.
 */
export function returnPath(search: string, parameter: 'to' | 'next' = 'to'): string {
  const to = new URLSearchParams(search).get(parameter) ?? ''
  if (!to.startsWith('/') || !URL.canParse(to, PLACEHOLDER_ORIGIN)) return paths.account
  // Parse it like a browser: it ignores control characters, and two slashes start a host name.
  const { origin, pathname, search: query, hash } = new URL(to, PLACEHOLDER_ORIGIN)
  return origin === PLACEHOLDER_ORIGIN && !pathname.startsWith('//') ? pathname + query + hash : paths.account
}

/** The return path for an external provider: without the fragment, which no server may see. */
export function externalReturnPath(search: string): string {
  const [path = ''] = returnPath(search).split('#')
  return path.length > MAX_LENGTH || path.includes('\\') ? paths.account : path
}
