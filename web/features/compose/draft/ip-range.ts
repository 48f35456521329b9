/** True for IPv4 and IPv6 addresses and for CIDR ranges. */
export function isIpRange(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const prefix = Number(bits ?? 0)
  return (isIpv4(address) && prefix <= 32) || (isIpv6(address) && prefix <= 128)
}

/** True when the range, which `isIpRange` accepts, contains the address. */
export function includesAddress(range: string, address: string): boolean {
  const [base = '', prefix] = range.split('/')
  const [wanted, actual] = [toBits(base), toBits(address)]
  const length = Number(prefix ?? wanted.length)
  return wanted.length === actual.length && wanted.slice(0, length) === actual.slice(0, length)
}

/** Binary digits: 32 of an IPv4 address, 128 of an IPv6 address. */
function toBits(address: string): string {
  const join = (numbers: number[], size: number) => numbers.map((each) => each.toString(2).padStart(size, '0')).join('')
  if (!address.includes(':')) return join(address.split('.').map(Number), 8)
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const parse = (text = '') => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [parse(head), parse(tail)]
  return join([...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after], 16)
}

function isIpv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

/** Uses the URL parser: it accepts only IPv6 addresses in brackets. */
function isIpv6(text: string): boolean {
  if (!/^[\da-f:.]+$/i.test(text) || !text.includes(':')) return false
  try {
    return new URL(`http://[${text}]/`).hostname !== ''
  } catch {
    return false
  }
}
