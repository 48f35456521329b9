/** Validates and corrects the list of e-mail domains that an admin types. */

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const LENGTH_MAX = 2000

/** True for an empty text and for domains separated by commas. */
export function isDomainList(text: string): boolean {
  if (text.trim() === '') return true
  return text.length <= LENGTH_MAX && text.split(',').every((part) => isDomain(part.trim().toLowerCase()))
}

/** `@example.org; info@example.com` -> `example.org, example.com`. Null when the domains cannot be guessed. */
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
  // A numeric last label would be an IP address.
  return text.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/\.\d+$/.test(text)
}
