/**
 * Ranges of trusted proxies. A proxy can claim any client address and any user, so trusting all addresses must be
 * explicit.
 */

/** Stands for every address in a list of proxies. */
const ANY = 'any'

export const WIDE_RANGE_MESSAGE =
  'must not contain nearly every address: any client could pose as the proxy. List the addresses of the proxy, or write any'

/** Prefix lengths of the largest private networks, 10.0.0.0/8 and fc00::/7. */
const MIN_BITS = { ipv4: 8, ipv6: 7 }

/** True for a CIDR range that is larger than any private network, such as 0.0.0.0/0. */
export function isWideRange(range: string): boolean {
  const [address = '', bits] = range.split('/')
  return bits !== undefined && Number(bits) < (address.includes(':') ? MIN_BITS.ipv6 : MIN_BITS.ipv4)
}

export const isAnyAddress = (item: string): boolean => item === ANY

/** Replaces `any` by the ranges of all addresses. */
export const expandAnyAddress = (ranges: string[]): string[] =>
  ranges.flatMap((range) => (isAnyAddress(range) ? ['0.0.0.0/0', '::/0'] : [range]))
