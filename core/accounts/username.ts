/** A username for somebody who did not choose one. */
import { randomInt } from 'node:crypto'
import { USERNAME_MAX, USERNAME_MIN } from '../shared/limits.js'

const FALLBACK = 'user'
/** Numbers that are tried in turn, and how many digits those have that are drawn then. */
const NUMBERS = [2, 3, 4, 5, 6, 7, 8, 9]
const DRAWN = [4, 4, 4, 8, 8, 8]

/** Valid names to try until one is free: the first suggestion that holds letters or digits, then the same with digits. */
export function* usernames(suggestions: string[]): Generator<string> {
  const name = suggestions.map(plain).find((each) => each !== '') ?? FALLBACK
  const base = name.length < USERNAME_MIN ? `${FALLBACK}-${name}` : name
  yield base.slice(0, USERNAME_MAX)
  for (const number of NUMBERS) yield withDigits(base, String(number))
  for (const digits of DRAWN) yield withDigits(base, String(randomInt(10 ** digits)).padStart(digits, '0'))
}

const withDigits = (base: string, digits: string): string => base.slice(0, USERNAME_MAX - digits.length) + digits

/** `Zoë Müller` -> `zoe-muller`; of an address the part before the `@`. Empty when nothing of it can be in a username. */
function plain(suggestion: string): string {
  const [name = ''] = suggestion.split('@')
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return trimmed(trimmed(ascii.replace(/[^a-z0-9_-]+/g, '-')).slice(0, USERNAME_MAX))
}

const trimmed = (name: string): string => name.replace(/^[-_]+|[-_]+$/g, '')
