/** Which origins and hosts are this instance's own. Decided by its config, never by what a request says of itself alone. */
import ipaddr from 'ipaddr.js'

export interface OwnPlaces {
  /** Without a trailing slash. */
  publicUrl: string
  /**
   * `publicUrl` was not configured: the instance is reached under whatever address it has. Then a request's own Host is
   * believed when no other site can be behind it: an IP address, or localhost.
   */
  anyAddress?: boolean
}

/** What `isOwnOrigin` compares: the Origin of a request, and the Host that it was sent to. */
export interface Claimed {
  origin: string
  host: string
}

export function ownPlaces({ publicUrl, anyAddress = false }: OwnPlaces) {
  const own = new URL(publicUrl)

  /** `host`: a Host header, with its port. */
  const isOwnHost = (host: string): boolean => host.toLowerCase() === own.host || (anyAddress && isAddress(host))

  /** `origin`: an Origin header; `null` and nonsense are nobody's. */
  const isOwnOrigin = ({ origin, host }: Claimed): boolean =>
    origin === own.origin || (anyAddress && isAddress(host) && origin === `http://${host.toLowerCase()}`)

  return { isOwnHost, isOwnOrigin, isHttps: own.protocol === 'https:' }
}

export type Places = ReturnType<typeof ownPlaces>

/** `127.0.0.1:3000`, `[::1]`, `localhost`: no name that a stranger's DNS could lead here. */
function isAddress(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
  if (name === 'localhost') return true
  const bare = /^\[([0-9a-f:.]+)\]$/.exec(name)?.[1]
  return bare === undefined ? ipaddr.IPv4.isValidFourPartDecimal(name) : ipaddr.IPv6.isValid(bare)
}
