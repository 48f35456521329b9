import { LinkError, parseLink } from '#shared/link'

/** The key in what was pasted: the key itself, or a whole link that has it. Throws LinkError. */
export function parsePastedKey(pasted: string): string {
  const text = pasted.trim()
  if (!/^\W*https?:/i.test(text)) return text
  const { fragment } = parseLink(text)
  if (fragment === null) throw new LinkError('incomplete')
  return fragment
}
