/**
 * The address that new links begin with. It never comes from the server: a proxy that changes a response would get the
 * keys in the links.
 */
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import { toSingleLine } from '../output/sanitize.js'
import { readClientConfig } from './client-config.js'
import type { ServerFlags } from './server-client.js'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Returns the addresses that the user trusts for links, the first one preferred: `public_url` of the client's config or
 * MAYFLY_PUBLIC_URL, and the server. Throws CliError `usage`.
 */
export function listLinkAddresses(server: string, flags: ServerFlags, io: Io): string[] {
  const address = readClientConfig(flags, io).public_url ?? io.env.MAYFLY_PUBLIC_URL
  return [...(address && URL.canParse(address) ? [address] : []), server]
}

/**
 * Returns the base of a link without a slash at its end: the trusted address with the origin of `url`, which the server
 * returned. A server without a public URL returns one of localhost. Throws CliError `check_failed` for any other
 * origin.
 */
export function chooseLinkBase(url: string, addresses: string[]): string {
  const { origin, hostname } = URL.canParse(url) ? new URL(url) : { origin: 'an invalid URL', hostname: '' }
  const trusted = addresses.find((address) => new URL(address).origin === origin)
  const base = trusted ?? (LOOPBACK.test(hostname) ? addresses[0] : undefined)
  if (base === undefined) {
    const hint = `if this is its public address: \`mayfly config set public_url=${toSingleLine(origin)}\``
    throw new CliError('check_failed', `the server returned a link to another address: ${toSingleLine(origin)}`, hint)
  }
  const { origin: start, pathname } = new URL(base)
  return start + pathname.replace(/\/$/, '')
}
