/** True for IPv4 and IPv6 addresses and for CIDR ranges. */
export function isIpRange(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const prefix = Number(bits ?? 0)
  return (isIpv4(address) && prefix <= 32) || (isIpv6(address) && prefix <= 128)
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
