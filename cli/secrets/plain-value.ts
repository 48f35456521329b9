/** Tells links from plain values. */
import { isRawId, LinkError, parseFragment } from '#shared/link'
import { parseLink } from '#shared/parse-links'
import { unwrapText } from '#shared/unwrap-text'

/** Path of a link, its id, and the next character. */
const PATH = /\/(?:secret|lite|request|collect)\/([\w~-]*)(.?)/gis
/** A part of a path that is at least this long is an id and not a word. */
const ID_MIN = 16

/**
 * Returns true for a link to a secret, and false for a value in which nothing looks like a link. Throws LinkError for
 * everything between: a damaged link, a link of another kind, a key alone, and a link in a longer text. A program would
 * otherwise get the link instead of the secret.
 */
export function isLink(value: string): boolean {
  try {
    if (parseLink(value).isExact) return true
  } catch (error) {
    if (!(error instanceof LinkError) || error.problem !== 'not-a-link') throw error
    if (!looksLikeLink(value)) return false
  }
  throw new LinkError('incomplete', 'this looks like a link that is incomplete, changed, or has text around it')
}

function looksLikeLink(value: string): boolean {
  if (isKey(value) || isRawId(value) || /\/receipt\/?#/i.test(value)) return true
  return unwrapText(value).some(({ characters }) =>
    [...characters.matchAll(PATH)].some(
      ([, id = '', next]) => id.length >= ID_MIN || next === '#' || (next === '' && characters.includes('://')),
    ),
  )
}

/** True for the key of a link, with or without `#`. */
function isKey(value: string): boolean {
  if (/^#1[\w-]{20,}$/.test(value)) return true
  if (!/^1[\w-]{45}$/.test(value)) return false
  try {
    return parseFragment(value).length > 0
  } catch {
    return false
  }
}
