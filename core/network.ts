/** Networks that addresses are in. Anyone has many IPv6 addresses, so that one alone says nothing. */
import ipaddr from 'ipaddr.js'

/** Bits that name a customer: of IPv4 all, of IPv6 those that the customer cannot choose. */
const CUSTOMER = { ipv4: 32, ipv6: 64 }
/** Bits that name a neighbourhood, which tells an administrator enough and is nobody's own. */
const NEIGHBOURHOOD = { ipv4: 24, ipv6: 48 }

/** Who counts as one, where callers are counted: an IPv4 address, the first 64 bits of an IPv6 one, or '' when it is not known. */
export const networkOf = (address: string | null): string => firstOf(address, CUSTOMER)?.network ?? ''

/** What is noted of an address: `203.0.113.0/24`, `2001:db8::/48`; null when it is not known. */
export function neighbourhoodOf(address: string | null): string | null {
  const { network, bits } = firstOf(address, NEIGHBOURHOOD) ?? {}
  return network === undefined ? null : `${network}/${bits}`
}

function firstOf(address: string | null, lengths: typeof CUSTOMER): { network: string; bits: number } | null {
  if (address === null || !ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  const bits = lengths[parsed.kind()]
  const family = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return { network: family.networkAddressFromCIDR(`${parsed.toString()}/${bits}`).toString(), bits }
}
