import { KEYLESS, LinkError } from './link.js'
import { parseLink } from './parse-links.js'

/** Returns the fragment of a pasted key, or of a link with the key and any text around it. Throws LinkError. */
export function parsePastedKey(pasted: string): string {
  const text = pasted.trim()
  // Keys do not contain `/`.
  if (!/\/|%2f|&#/i.test(text)) return text
  const { fragment } = parseLink(text)
  if (fragment === null || fragment === KEYLESS) throw new LinkError('incomplete')
  return fragment
}
