import { WORDS } from './word-list.js'

/**
 * Generates a passphrase that is easy to read aloud: five words and two digits, about 57 bits, from the platform's
 * CSPRNG.
 */
export function passphrase(): string {
  const words = Array.from({ length: 5 }, () => WORDS[randomBelow(WORDS.length)])
  return [...words, String(randomBelow(100)).padStart(2, '0')].join('-')
}

/** A uniform random number below `limit`, by rejection sampling. */
function randomBelow(limit: number): number {
  const fair = 2 ** 32 - (2 ** 32 % limit)
  for (;;) {
    const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
    if (drawn < fair) return drawn % limit
  }
}
