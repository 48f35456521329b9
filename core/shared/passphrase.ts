import { WORDS } from './words.js'

/** Five words and two digits, about 57 bits: easy to say on the phone. From the platform's CSPRNG. */
export function passphrase(): string {
  const words = Array.from({ length: 5 }, () => WORDS[randomBelow(WORDS.length)])
  return [...words, String(randomBelow(100)).padStart(2, '0')].join('-')
}

/** Every number below `limit` is equally likely: what would favour the small ones is drawn again. */
function randomBelow(limit: number): number {
  const fair = 2 ** 32 - (2 ** 32 % limit)
  for (;;) {
    const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
    if (drawn < fair) return drawn % limit
  }
}
