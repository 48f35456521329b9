/** E-mail domains of the instance settings. */
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
/** In characters, of a whole list. */
const LENGTH_MAX = 2000

/** True for a lower-case ASCII domain. */
export function isDomain(text: string): boolean {
  const labels = text.split('.')
  // The last label of a domain is never numeric, unlike in an IP address.
  return text.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/\.\d+$/.test(text)
}

/** `Example.org, example.com` -> `['example.org', 'example.com']`. Null for an invalid list. */
export function parseDomainList(text: string): string[] | null {
  if (text.trim() === '') return []
  const domains = text.split(',').map((domain) => domain.trim().toLowerCase())
  return text.length <= LENGTH_MAX && domains.every(isDomain) ? [...new Set(domains)] : null
}
