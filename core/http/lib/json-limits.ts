/** Bounds the structure of a JSON body before it is parsed: a parser creates an object for a few bytes of brackets. */
import { AppError } from '../../lib/errors.js'

/** Levels of arrays and objects. The deepest body of our own routes, a file of a secret, has 3. */
export const DEPTH_MAX = 16
/**
 * Characters of `[]{}:,` outside strings. The largest body of our own routes, a secret with FILES_MAX files, has fewer
 * than 900.
 */
export const STRUCTURE_MAX = 4096
/** Bytes outside strings: brackets, numbers and white space. A parser converts a long number digit by digit. */
export const OUTSIDE_MAX = 128 * 1024
/** Escapes, which a parser decodes one by one: the share of a body that the longest text has, and names and titles. */
const ESCAPES_SHARE = 1 / 4
const ESCAPES_EXTRA = 256 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75
/** Length of an escape such as `\u2603`. A parser stops at a shorter one. */
const UNICODE_ESCAPE = 6
const STRUCTURE = new Set(Buffer.from('[]{}:,'))
const OPENING = new Set(Buffer.from('[{'))
const CLOSING = new Set(Buffer.from(']}'))

/** Kinds of bytes outside strings. */
const [OTHER, SEPARATOR, OPEN, CLOSE] = [0, 1, 2, 3]
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (OPENING.has(byte)) return OPEN
  if (CLOSING.has(byte)) return CLOSE
  return STRUCTURE.has(byte) ? SEPARATOR : OTHER
})

/**
 * Reads the body once. `maxBytes`: the limit of its length. Throws AppError `request.invalid`. Valid JSON is not
 * required: the parser refuses the rest.
 */
export function assertJsonLimits(bytes: Uint8Array, maxBytes: number): void {
  const words = toWords(bytes)
  const escapesMax = maxBytes * ESCAPES_SHARE + ESCAPES_EXTRA
  let [index, depth, structure, outside, escapes] = [0, 0, 0, 0, 0]
  const { length } = bytes
  while (index < length) {
    const byte = bytes[index++] as number
    if (++outside > OUTSIDE_MAX) throw tooLarge(`at most ${OUTSIDE_MAX} bytes outside strings`)
    if (byte === QUOTE) {
      while (index < length) {
        if ((index & 3) === 0) index = skipPlain(words, index >> 2) << 2
        if (bytes[index] === QUOTE) break
        if (bytes[index] === BACKSLASH) {
          if (++escapes > escapesMax) throw tooLarge(`at most ${escapesMax} escapes`)
          index += bytes[index + 1] === LETTER_U ? UNICODE_ESCAPE : 2
        } else index++
      }
      index++
    } else if (KINDS[byte] !== OTHER) {
      if (++structure > STRUCTURE_MAX) throw tooLarge(`at most ${STRUCTURE_MAX} brackets, colons and commas`)
      if (KINDS[byte] === OPEN && ++depth > DEPTH_MAX) throw tooLarge(`at most ${DEPTH_MAX} levels`)
      if (KINDS[byte] === CLOSE) depth--
    }
  }
}

/** Four quotes, four backslashes, and the lowest and the highest bit of each of four bytes. */
const QUOTES = 0x22222222
const BACKSLASHES = 0x5c5c5c5c
const LOW_BITS = 0x01010101
const HIGH_BITS = 0x80808080

/** Four bytes each. A copy, if the bytes do not begin where a word of the memory begins. */
function toWords(bytes: Uint8Array): Int32Array {
  const { buffer, byteOffset, length } = (bytes.byteOffset & 3) === 0 ? bytes : Uint8Array.from(bytes)
  return new Int32Array(buffer, byteOffset, length >> 2)
}

/**
 * Returns the index of the next word with a quote or a backslash. Such a byte is 0 in `word ^ QUOTES`, and only a 0
 * gets its highest bit by the subtraction.
 */
function skipPlain(words: Int32Array, start: number): number {
  let at = start
  for (; at < words.length; at++) {
    const quotes = (words[at] as number) ^ QUOTES
    const backslashes = (words[at] as number) ^ BACKSLASHES
    if ((((quotes - LOW_BITS) & ~quotes) | ((backslashes - LOW_BITS) & ~backslashes)) & HIGH_BITS) break
  }
  return at
}

const tooLarge = (limit: string): AppError =>
  new AppError('request.invalid', { message: `The body must have ${limit}.` })
