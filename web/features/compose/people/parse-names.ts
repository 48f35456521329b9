import { COPIES_MAX } from '#shared/limits'

/** Longest name, in characters. */
const NAME_MAX = 100

/**
 * The names in the lines of a text, or 1 to n for the number n. Empty without names. Null: too many names, or one is
 * too long.
 */
export function parseNames(text: string): string[] | null {
  const lines = text.split('\n').map((line) => line.replace(/\p{Cc}/gu, ' ').trim())
  const names = lines.filter((line) => line !== '')
  const [only = ''] = names
  const count = names.length === 1 && /^\d{1,6}$/.test(only) ? Number(only) : null
  if ((count ?? names.length) > COPIES_MAX || names.some((name) => name.length > NAME_MAX)) return null
  return count === null ? names : Array.from({ length: count }, (_, index) => String(index + 1))
}
