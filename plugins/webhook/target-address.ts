/** Which addresses may receive events: a webhook must not reach services of the internal network. */
import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { isAllowedAddress } from '#core'

/** Public in form, but a service of the host: Azure gives each machine its configuration there. */
const HOST_SERVICES = ['168.63.129.16']

/** Refused because of its address. */
export class AddressError extends Error {
  override name = 'AddressError'
}

/** True for a public address, and for an address inside one of the ranges of `allow`. */
export function isTargetAddress(address: string, allow: string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  if (allow.some((range) => isAllowedAddress(range, address))) return true
  // IPv6 addresses that contain an IPv4 address, other than the mapped ones, are not `unicast`.
  const parsed = ipaddr.process(address)
  if (HOST_SERVICES.includes(parsed.toString())) return false
  if (isOwnAddress(parsed) || isIsatap(parsed)) return false
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || isAllowedAddress('2000::/3', address))
}

/**
 * Public, but of this host, whose services trust it. Read each time, because addresses change while the server runs.
 */
const isOwnAddress = (parsed: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some(({ address }) => ipaddr.process(address.split('%')[0] ?? '').toString() === parsed.toString())

/** RFC 5214: the last 64 bits are `0:5efe:a.b.c.d` or `200:5efe:a.b.c.d`, and routers deliver to that IPv4 address. */
const isIsatap = (parsed: ipaddr.IPv4 | ipaddr.IPv6): boolean => {
  if (!('parts' in parsed)) return false
  const [, , , , first = -1, second] = parsed.parts
  return [0, 0x200].includes(first) && second === 0x5efe
}

type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * A `lookup` for requests that fails with AddressError if any address of the host is refused. The request connects to
 * the addresses that were checked, so a host that resolves differently a moment later gains nothing.
 */
export function createTargetLookup(allow: string[], resolve: Resolve = systemLookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses = []) => {
      const [first] = addresses
      if (error) return done(error, '', 0)
      if (!first || !addresses.every(({ address }) => isTargetAddress(address, allow)))
        return done(new AddressError(), '', 0)
      return options.all ? done(null, addresses) : done(null, first.address, first.family)
    })
  }
}
