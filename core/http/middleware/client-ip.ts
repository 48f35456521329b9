/** The client's IP address: the rightmost address in X-Forwarded-For that is not a trusted proxy. */
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

interface Options {
  trustedProxies: string[]
  /** Paths of health probes, which also come from a proxy itself. */
  probes: ReadonlySet<string>
  log: Log
}

/** Sets `caller` to an anonymous caller with the client's address. */
export function clientIp({ trustedProxies, probes, log }: Options): AppMiddleware {
  const warnOnce = createWarnOnce(log)
  return (ctx, next) => {
    const peer = ctx.req.socket.remoteAddress ?? ''
    // `headersDistinct` copies all headers, so it is used only if this header is present.
    const hasForwarded = ctx.req.headers['x-forwarded-for'] !== undefined
    const forwarded = hasForwarded ? (ctx.req.headersDistinct['x-forwarded-for']?.join(',') ?? '') : ''
    const isDirect = trustedProxies.length === 0
    const address = isDirect ? normalizePeer(peer) : resolveClientIp(peer, forwarded, trustedProxies)
    // A forged header, or a proxy missing in `trustedProxies`: then all its clients share one address.
    if (forwarded !== '' && address !== null && address === normalizePeer(peer))
      warnOnce('X-Forwarded-For comes from an address that is not among trustedProxies', address)
    if (forwarded === '' && address === null && !probes.has(ctx.path))
      warnOnce('a trusted proxy sent no X-Forwarded-For, the address of its client is unknown', normalizePeer(peer))
    ctx.state.caller = anonymous(address)
    return next()
  }
}

/** Logs each message once. */
function createWarnOnce(log: Log): (message: string, address: string | null) => void {
  const logged = new Set<string>()
  return (message, address) => {
    if (logged.has(message)) return
    logged.add(message)
    log.warn(message, { address })
  }
}

/**
 * `peer`: remote address of the socket. `forwarded`: all X-Forwarded-For lines joined by commas, used only if the peer
 * is trusted. Returns null if the address is unknown, also if a trusted peer sends no X-Forwarded-For; `allowedIp`
 * rejects such a caller.
 */
export function resolveClientIp(peer: string | undefined, forwarded: string, trustedProxies: string[]): string | null {
  const isTrusted = (address: string) => trustedProxies.some((range) => isAllowedAddress(range, address))
  const nearest = normalizePeer(peer ?? '')
  if (nearest === null || !isTrusted(nearest)) return nearest
  const { hops, isCut } = lastHops(forwarded)
  let address: string | null = null
  for (const hop of hops.reverse()) {
    address = normalizeIp(removePort(hop.trim()))
    if (address === null || !isTrusted(address)) return address
  }
  return isCut ? null : address
}

/** The hops that the nearest proxies appended. A client can send a header of any length in front of them. */
function lastHops(forwarded: string): { hops: string[]; isCut: boolean } {
  const hops = forwarded.slice(-HEADER_MAX).split(',')
  // The first one may be incomplete.
  if (forwarded.length > HEADER_MAX) hops.shift()
  return { hops: hops.slice(-HOPS_MAX), isCut: forwarded.length > HEADER_MAX || hops.length > HOPS_MAX }
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
