import { paths } from '../../lib/paths.js'

const PLACEHOLDER_ORIGIN = 'https://here.invalid'
/** What the server takes: see `OwnPath`. */
const MAX_LENGTH = 512

/** Where somebody wanted to go who had to sign in first: `?to=`, when it is a path of the app, else their account. */
export function returnPath(search: string): string {
  const to = new URLSearchParams(search).get('to') ?? ''
  if (!to.startsWith('/') || !URL.canParse(to, PLACEHOLDER_ORIGIN)) return paths.account
  // As browsers read it: they skip control characters, and take what stands after two slashes for another host.
  const { origin, pathname, search: query, hash } = new URL(to, PLACEHOLDER_ORIGIN)
  return origin === PLACEHOLDER_ORIGIN && !pathname.startsWith('//') ? pathname + query + hash : paths.account
}

/** The same for who signs in at another site. What stands after `#` is no server's to know, so it is left behind. */
export function externalReturnPath(search: string): string {
  const [path = ''] = returnPath(search).split('#')
  return path.length > MAX_LENGTH || path.includes('\\') ? paths.account : path
}
