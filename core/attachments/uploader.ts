/** Who counts as one uploader: a user, or the network that a visitor comes from. */
import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { Caller } from '../caller.js'

/** Bits of an IPv6 address that name a customer's network; the rest is theirs to choose. */
const V6_PREFIX_BITS = 64

/** Hex SHA-256, so that the database names no address in plain words. Everyone without an address is one. */
export function uploaderOf({ userId, address }: Caller): string {
  const who = userId === null ? ['visitor', networkOf(address)] : ['user', userId]
  return createHash('sha256')
    .update(JSON.stringify(['mayfly/v1/uploader', ...who]))
    .digest('hex')
}

/** An IPv4 address, the first 64 bits of an IPv6 one, or '' when it is not known. */
export function networkOf(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return ''
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${V6_PREFIX_BITS}`).toString()
}
