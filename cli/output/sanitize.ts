/** Makes foreign text safe for a terminal: it must not move the cursor, set the title or forge a line. */
import { isUtf8 } from 'node:buffer'

/** Control characters, line separators and bidirectional controls. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** Control characters except tab, LF and CR before LF, and characters that change the order of the text around them. */
const CONTROL = /\r(?!\n)|(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u
/** Everything of UNSAFE except line breaks and tabs. */
const UNSAFE_IN_LINES = /\r(?!\n)|(?![\t\n\r])\p{Cc}|[\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Returns one line that is safe to print. Takes linear time: other people choose the text and its length. */
export const toSingleLine = (text: string): string =>
  text.replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space)).replace(UNSAFE, '')

/** Removes what could control a terminal or forge a line from a result of several lines. */
export const toSafeLines = (text: string): string => text.replace(UNSAFE_IN_LINES, '')

/** Formats a document as one line of JSON. Unsafe characters are escaped: the content of a secret must stay exact. */
export function toSafeJson(document: unknown): string {
  const toEscape = (found: string) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `${JSON.stringify(document).replace(UNSAFE_IN_LINES, toEscape)}\n`
}

/** True when the bytes can be printed to a terminal unchanged. */
export function isPrintable(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !CONTROL.test(Buffer.from(bytes).toString())
}

/** Escapes everything except printable text as `\xNN`. `printf '%b'` restores the bytes. */
export function escapeBytes(bytes: Uint8Array): string {
  const isText = isUtf8(bytes)
  return Buffer.from(bytes)
    .toString(isText ? 'utf8' : 'latin1')
    .replace(/\\|\r(?!\n)|(?![\t\n\r])\p{Cc}|[\x80-\xff\u202a-\u202e\u2066-\u2069]/gu, (found) => {
      if (found === '\\') return '\\\\'
      if (isText && !CONTROL.test(found)) return found
      return [...Buffer.from(found, isText ? 'utf8' : 'latin1')].map((byte) => `\\x${toHex(byte)}`).join('')
    })
}

/** `1 view`, `3 views`. */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Converts a sentence to CLI style: lower case, no full stop. */
export function toMessage(sentence: string): string {
  const text = toSingleLine(sentence).replace(/\.$/, '')
  return /^[A-Z][a-z]* /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}

const toHex = (byte: number) => byte.toString(16).padStart(2, '0')
