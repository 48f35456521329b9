/** The client's IP address: the rightmost one in X-Forwarded-For that is not a trusted proxy. */
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { anonymous } from '../../contracts/auth-context.js'
import { isAllowedAddress } from '../../lib/ip.js'
import type { Log } from '../../lib/log.js'
import type { AppMiddleware } from '../lib/state.js'

const HOPS_MAX = 32
const HEADER_MAX = 1024
/** Capacity of the cache of peers. */
const PEERS_MAX = 10_000

/** Sets `caller` to an anonymous caller with the client's address. */
export function clientIp(trustedProxies: string[], log: Log): AppMiddleware {
  let isLogged = false
  return (ctx, next) => {
    const peer = ctx.req.socket.remoteAddress ?? ''
    // `headersDistinct` copies all headers, so only if this one is there.
    const hasForwarded = ctx.req.headers['x-forwarded-for'] !== undefined
    const forwarded = hasForwarded ? (ctx.req.headersDistinct['x-forwarded-for']?.join(',') ?? '') : ''
    const address = forwarded === '' ? normalizePeer(peer) : resolveClientIp(peer, forwarded, trustedProxies)
    // A forged header, or a proxy missing in `trustedProxies`: then all its clients share one address.
    if (!isLogged && forwarded !== '' && address !== null && address === normalizePeer(peer)) {
      log.warn('X-Forwarded-For comes from an address that is not among trustedProxies', { address })
      isLogged = true
    }
    ctx.state.caller = anonymous(address)
    return next()
  }
}

/**
 * `peer`: remote address of the socket. `forwarded`: all X-Forwarded-For lines joined by commas, used only if the peer is
 * trusted. Returns null if the address is unknown; `allowedIp` rejects such a caller.
 */
export function resolveClientIp(peer: string | undefined, forwarded: string, trustedProxies: string[]): string | null {
  const isTrusted = (address: string) => trustedProxies.some((range) => isAllowedAddress(range, address))
  const nearest = normalizeIp(peer ?? '')
  if (nearest === null || !isTrusted(nearest) || forwarded === '') return nearest
  const hops = forwarded.split(',')
  if (forwarded.length > HEADER_MAX || hops.length > HOPS_MAX) return null
  let address: string | null = nearest
  for (const hop of hops.reverse()) {
    address = normalizeIp(removePort(hop.trim()))
    if (address === null || !isTrusted(address)) return address
  }
  return address
}

const peers = new LRUCache<string, { address: string | null }>({ max: PEERS_MAX })

/** `normalizeIp` of the remote address of a socket, cached. */
export function normalizePeer(peer: string): string | null {
  const known = peers.get(peer)
  if (known) return known.address
  const address = normalizeIp(peer)
  peers.set(peer, { address })
  return address
}

/** Dotted form for IPv4, also when mapped to IPv6; IPv6 without a zone. Null if `text` is not an IP address. */
export function normalizeIp(text: string): string | null {
  const bare = text.replace(/%.*$/, '')
  // ipaddr.js also reads 127.1 and 0x7f000001, which no proxy writes.
  const isStrict = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare)
  return isStrict ? ipaddr.process(bare).toString() : null
}

/** Handles `1.2.3.4:5` and `[::1]:5`. */
function removePort(hop: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop
}
