/** IP addresses: network prefixes for counting and for the audit log, and allow-lists. */
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** Prefix lengths that identify one customer. A customer can choose any address of an IPv6 /64, but not the prefix. */
const CUSTOMER_BITS = { ipv4: 32, ipv6: 64 }
/** Prefix lengths of the networks that providers assign to organizations. */
const SITE_BITS = { ipv4: 32, ipv6: 48 }
/** Length of the prefix `::ffff:0:0/96` of IPv4 addresses in IPv6. */
const MAPPED_BITS = 96
/** Prefix lengths for the audit log: useful to an administrator, but shared by many customers. */
const ANONYMOUS_BITS = { ipv4: 24, ipv6: 48 }
/** Addresses whose prefixes are remembered. Each request needs several prefixes of one address. */
const ADDRESSES_MAX = 500

interface Prefix {
  network: string
  bits: number
}

const findCustomer = createPrefixFinder(CUSTOMER_BITS)
const findSite = createPrefixFinder(SITE_BITS)
const findAnonymous = createPrefixFinder(ANONYMOUS_BITS)

/** The key by which callers are counted: an IPv4 address, the /64 prefix of an IPv6 address, or '' when unknown. */
export const rateLimitPrefix = (address: string | null): string => findCustomer(address)?.network ?? ''

/** The /48 prefix of an IPv6 address; null for IPv4 and when unknown. */
export function siteRateLimitPrefix(address: string | null): string | null {
  const prefix = findSite(address)
  return prefix?.bits === SITE_BITS.ipv6 ? prefix.network : null
}

/** Anonymizes an address for the audit log: `203.0.113.0/24`, `2001:db8::/48`; null when unknown. */
export function anonymizeIp(address: string | null): string | null {
  const { network, bits } = findAnonymous(address) ?? {}
  return network === undefined ? null : `${network}/${bits}`
}

/** True for `localhost` and loopback addresses: connections to them do not leave this machine. `host`: as in a URL. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(name) || ipaddr.IPv6.isValid(name)
  return isAddress && ipaddr.process(name).range() === 'loopback'
}

/**
 * True when the address is inside the IP address or CIDR range, or nothing is required. An unknown address is never
 * inside.
 */
export function isAllowedAddress(allowed: string | null, address: string | null): boolean {
  if (allowed === null) return true
  if (address === null || !ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  const [range, bits] = parseAllowed(allowed)
  return ipaddr.subnetMatch(parsed, { allowed: [range, bits] }, 'other') === 'allowed'
}

/** True when every address of `range` is inside `allowed`; null: any. Both are IP addresses or CIDR ranges. */
export function isNarrowerRange(range: string, allowed: string | null): boolean {
  if (allowed === null) return true
  const [[address, bits], [outer, outerBits]] = [parseAllowed(range), parseAllowed(allowed)]
  if (bits < outerBits) return false
  return ipaddr.subnetMatch(address, { allowed: [outer, outerBits] }, 'other') === 'allowed'
}

const parseAllowed = (text: string) => (text.includes('/') ? parseRange(text) : singleAddress(text))

function singleAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/**
 * An IPv4 range in the form of IPv6, such as `::ffff:203.0.113.0/120`, is an IPv4 range, because such addresses are
 * IPv4 too.
 */
function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [address, bits] = ipaddr.parseCIDR(text)
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
  return isMapped ? [address.toIPv4Address(), Math.max(0, bits - MAPPED_BITS)] : [address, bits]
}

/** Returns a function that returns the prefix of an address; null for null and for invalid addresses. */
function createPrefixFinder(bitsOf: typeof CUSTOMER_BITS): (address: string | null) => Prefix | null {
  const known = new LRUCache<string, Prefix>({ max: ADDRESSES_MAX })
  return (address) => {
    if (address === null) return null
    const prefix = known.get(address) ?? parsePrefix(address, bitsOf)
    if (prefix) known.set(address, prefix)
    return prefix
  }
}

function parsePrefix(address: string, bitsOf: typeof CUSTOMER_BITS): Prefix | null {
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  const bits = bitsOf[parsed.kind()]
  const family = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return { network: family.networkAddressFromCIDR(`${parsed.toString()}/${bits}`).toString(), bits }
}
