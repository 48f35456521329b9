/** The e-mail domains that an administrator types: whether the server takes them, and what was probably meant. */

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const LENGTH_MAX = 2000

/** True for nothing, and for domains joined by commas. */
export function isDomainList(text: string): boolean {
  if (text.trim() === '') return true
  return text.length <= LENGTH_MAX && text.split(',').every((part) => isDomain(part.trim().toLowerCase()))
}

/** `@example.org; info@example.com` -> `example.org, example.com`. Null when there is no way to tell. */
export function suggestDomains(text: string): string | null {
  const parts = text
    .toLowerCase()
    .split(/[\s,;،、，]+/)
    .map((part) =>
      part
        .replace(/^.*@/, '')
        .replace(/^https?:\/\//, '')
        .replace(/[./]+$/, ''),
    )
    .filter((part) => part !== '')
  return parts.length > 0 && parts.every(isDomain) ? [...new Set(parts)].join(', ') : null
}

function isDomain(text: string): boolean {
  const labels = text.split('.')
  // The last label of a domain is no number, or it would be an address.
  return text.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/\.\d+$/.test(text)
}
