/** The true address of a caller: the rightmost one in X-Forwarded-For that is not a trusted proxy of ours. */
import ipaddr from 'ipaddr.js'
import type { Context, Next } from 'koa'
import { visitor } from '../caller.js'
import type { Log } from '../log.js'
import { isAllowedAddress } from '../network.js'

const HOPS_MAX = 32
const HEADER_MAX = 1024

/** Koa middleware: everyone is a visitor from some address. */
export function identify(trustedProxies: string[], log: Log) {
  let isTold = false
  return async (ctx: Context, next: Next): Promise<void> => {
    const { remoteAddress: peer } = ctx.req.socket
    const forwarded = ctx.req.headersDistinct['x-forwarded-for']?.join(',') ?? ''
    const address = clientAddress(peer, forwarded, trustedProxies)
    // Somebody who lies, or a proxy that was forgotten: then all who come through it are one.
    if (!isTold && forwarded !== '' && address !== null && address === normalize(peer ?? '')) {
      log.warn('X-Forwarded-For comes from an address that is not among trustedProxies', { address })
      isTold = true
    }
    ctx.state.caller = visitor(address)
    await next()
  }
}

/**
 * `peer`: the socket's address. `forwarded`: all X-Forwarded-For lines joined by commas; believed only when the peer
 * is trusted. Null when the address cannot be known, which `allowedIp` refuses.
 */
export function clientAddress(peer: string | undefined, forwarded: string, trustedProxies: string[]): string | null {
  const trusted = (address: string) => trustedProxies.some((range) => isAllowedAddress(range, address))
  const nearest = normalize(peer ?? '')
  if (nearest === null || !trusted(nearest) || forwarded === '') return nearest
  const hops = forwarded.split(',')
  if (forwarded.length > HEADER_MAX || hops.length > HOPS_MAX) return null
  let address: string | null = nearest
  for (const hop of hops.reverse()) {
    address = normalize(withoutPort(hop.trim()))
    if (address === null || !trusted(address)) return address
  }
  return address
}

/** IPv4 in its dotted form, also when it came mapped into IPv6; no zone. Null when it is no address. */
export function normalize(text: string): string | null {
  const bare = text.replace(/%.*$/, '')
  // ipaddr.js also reads 127.1 and 0x7f000001; a proxy never writes those.
  const isStrict = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare)
  return isStrict ? ipaddr.process(bare).toString() : null
}

/** `1.2.3.4:5` and `[::1]:5` carry a port. */
function withoutPort(hop: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop
}
