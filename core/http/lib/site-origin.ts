/** The instance's own origin, from its config. A request's headers alone never decide. */
import ipaddr from 'ipaddr.js'

interface Options {
  /** Without a trailing slash. */
  publicUrl: string
  /**
   * `publicUrl` was not configured, so the instance is reached by any address it has. Then the Host of a request counts
   * as own if it cannot be another site: an IP address, or localhost.
   */
  anyAddress?: boolean
}

export interface SiteOrigin {
  /** `origin`: an Origin header. `host`: the Host header of the same request. */
  isOwnOrigin(headers: { origin: string; host: string }): boolean
  isHttps: boolean
}

export function siteOrigin({ publicUrl, anyAddress = false }: Options): SiteOrigin {
  const own = new URL(publicUrl)
  return {
    isOwnOrigin: ({ origin, host }) =>
      origin === own.origin || (anyAddress && isAddress(host) && origin === `http://${host.toLowerCase()}`),
    isHttps: own.protocol === 'https:',
  }
}

/** `127.0.0.1:3000`, `[::1]`, `localhost`: names that foreign DNS cannot point here. */
function isAddress(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
  if (name === 'localhost') return true
  const bare = /^\[([0-9a-f:.]+)\]$/.exec(name)?.[1]
  return bare === undefined ? ipaddr.IPv4.isValidFourPartDecimal(name) : ipaddr.IPv6.isValid(bare)
}
