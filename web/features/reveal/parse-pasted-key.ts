import { LinkError, parseLink } from '#shared/link'

/** Accepts a key or a whole link with a key. Throws LinkError. */
export function parsePastedKey(pasted: string): string {
  const text = pasted.trim()
  if (!/^\W*https?:/i.test(text)) return text
  const { fragment } = parseLink(text)
  if (fragment === null) throw new LinkError('incomplete')
  return fragment
}
