/** Username suggestions for users who did not choose one. */
import { randomInt } from 'node:crypto'
import { USERNAME_MAX, USERNAME_MIN } from '../shared/limits.js'

const FALLBACK = 'user'
/** Suffixes that are tried first. */
const NUMBERS = [2, 3, 4, 5, 6, 7, 8, 9]
/** Lengths of the random suffixes that are tried after that. */
const RANDOM_DIGITS = [4, 4, 4, 8, 8, 8]
/** Characters of a suggestion that are read: trimming a longer one could take seconds. */
const SUGGESTION_MAX = 255

/** Yields valid names to try until one is free: the first usable suggestion, then this suggestion with digits. */
export function* suggestUsernames(suggestions: string[]): Generator<string> {
  const name = suggestions.map(toUsername).find((each) => each !== '') ?? FALLBACK
  const base = name.length < USERNAME_MIN ? `${FALLBACK}-${name}` : name
  yield base.slice(0, USERNAME_MAX)
  for (const number of NUMBERS) yield appendDigits(base, String(number))
  for (const length of RANDOM_DIGITS) yield appendDigits(base, String(randomInt(10 ** length)).padStart(length, '0'))
}

const appendDigits = (base: string, digits: string): string => base.slice(0, USERNAME_MAX - digits.length) + digits

/** `Zoë Müller` -> `zoe-muller`; of an e-mail address the part before the `@`. Empty when no character is usable. */
function toUsername(suggestion: string): string {
  const [name = ''] = suggestion.slice(0, SUGGESTION_MAX).split('@')
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return trimSeparators(trimSeparators(ascii.replace(/[^a-z0-9._-]+/g, '-')).slice(0, USERNAME_MAX))
}

const trimSeparators = (name: string): string => name.replace(/^[-._]+|[-._]+$/g, '')
