/** Text for terminals: what others wrote must not move the cursor, change the title or forge a line. */
import { isUtf8 } from 'node:buffer'

/** Control characters, line separators, and the characters that turn the reading direction. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** What a text may hold on a terminal: line ends and tabs, but a carriage return only before a line feed. */
const CONTROL = /\r(?!\n)|(?![\t\n\r])\p{Cc}/u

/** One line that is safe to print. */
export const toSingleLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replace(UNSAFE, '')

/** True when these bytes may go to a terminal as they are. */
export function isPrintable(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !CONTROL.test(Buffer.from(bytes).toString())
}

/** The same bytes with everything but printable text as `\xNN`; nothing is lost, `printf '%b'` gives it back. */
export function escapeBytes(bytes: Uint8Array): string {
  const isText = isUtf8(bytes)
  return Buffer.from(bytes)
    .toString(isText ? 'utf8' : 'latin1')
    .replace(/\\|\r(?!\n)|(?![\t\n\r])\p{Cc}|[\x80-\xff]/gu, (found) => {
      if (found === '\\') return '\\\\'
      if (isText && !/\p{Cc}/u.test(found)) return found
      return [...Buffer.from(found, isText ? 'utf8' : 'latin1')].map((byte) => `\\x${toHex(byte)}`).join('')
    })
}

/** `1 view`, `3 views`. */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** One of our sentences, or a server's, as the command line says it: lower case, no full stop. */
export function toMessage(sentence: string): string {
  const text = toSingleLine(sentence).replace(/\.$/, '')
  return /^[A-Z][a-z]* /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}

const toHex = (byte: number) => byte.toString(16).padStart(2, '0')
