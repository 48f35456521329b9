/**
 * Plaintext format of a sealed secret: one line of JSON, a newline, then the text unchanged.
 * `age -d secret.age | tail -n +2` prints the text.
 */
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { EpochMs } from '../epoch-ms.js'
import { FILE_NAME_MAX, FILES_MAX, TITLE_MAX } from '../limits.js'
import { DecryptError } from './age.js'

const VERSION = 1
const NEWLINE = 0x0a
const BUCKET = 256
const BUCKETS_UNTIL = 4096
/** 16 and 32 bytes as base64url. The last character allows only one encoding per value. */
const FILE_ID = /^[A-Za-z0-9_-]{21}[AQgw]$/
const FILE_KEY = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
const SHA256 = /^[0-9a-f]{64}$/

/** Description of an attached file by its sender. Never visible to the server. */
export interface EnvelopeFile {
  id: string
  /**
   * Chosen by the sender. Use `safeFileName` before showing or saving it. At most LONG_NAME_MAX characters after
   * decoding.
   */
  name: string
  /** Media type. At most FILE_NAME_MAX characters after decoding. */
  type: string
  /** Plaintext bytes. */
  size: number
  /** 32 bytes, base64url. */
  key: string
  /** Of the plaintext, hex. */
  digest: string
}

/**
 * Options that the sender chose, repeated inside the ciphertext so that a reader notices if the server changed them.
 */
export interface EnvelopeHeader {
  /** At most TITLE_MAX characters after decoding. */
  title: string
  created: EpochMs
  /** Seconds. */
  ttl: number
  /** null: unlimited. */
  maxViews: number | null
  preventBurn: boolean
  hasPassword: boolean
  files: EnvelopeFile[]
}

/** Encodes header and text as one padded plaintext. */
export function packEnvelope(header: EnvelopeHeader, text: Uint8Array): Uint8Array {
  const line = (pad: string) => utf8ToBytes(`${JSON.stringify({ v: VERSION, ...header, pad })}\n`)
  const bare = line('').length + text.length
  return concatBytes(line('0'.repeat(paddedLength(bare) - bare)), text)
}

/**
 * Decodes a plaintext. Cuts a title, file name or media type that is too long: version 1 of the format does not limit
 * them, and the view is used up. Throws DecryptError `hostile` if it is not an envelope of a known version.
 */
export function unpackEnvelope(plaintext: Uint8Array): { header: EnvelopeHeader; text: Uint8Array } {
  const end = plaintext.indexOf(NEWLINE)
  return { header: parseHeader(plaintext.subarray(0, Math.max(end, 0))), text: plaintext.slice(end + 1) }
}

/** Encodes a text as UTF-8. Throws RangeError on lone surrogates, which TextEncoder would silently replace. */
export function encodeText(text: string): Uint8Array {
  // Equivalent to `isWellFormed`, which browsers of 2022 lack.
  if (/\p{Surrogate}/u.test(text)) throw new RangeError('the text contains an invalid character (a lone surrogate)')
  return utf8ToBytes(text)
}

/** Decodes UTF-8. Null if the bytes are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * Up to 4 KiB a multiple of 256 bytes, then the Padmé length (Nikitin et al. 2019: few distinct sizes, at most 12 %
 * longer).
 */
export function paddedLength(length: number): number {
  if (length <= BUCKETS_UNTIL) return Math.ceil(length / BUCKET) * BUCKET
  const exponent = Math.floor(Math.log2(length))
  const step = 2 ** (exponent - (Math.floor(Math.log2(exponent)) + 1))
  return Math.ceil(length / step) * step
}

function parseHeader(line: Uint8Array): EnvelopeHeader {
  try {
    const { v, pad, ...header } = JSON.parse(decodeText(line) ?? '')
    if (v !== VERSION) throw new Error(`unknown version ${v}`)
    if (!isHeader(header)) throw new Error('fields are missing or of a wrong type')
    return cutTexts(header)
  } catch (cause) {
    throw new DecryptError('hostile', 'this version cannot read the content of this secret', { cause })
  }
}

function isHeader(header: Record<string, unknown>): header is Record<string, unknown> & EnvelopeHeader {
  const { title, created, ttl, maxViews, preventBurn, hasPassword, files } = header
  return (
    typeof title === 'string' &&
    Number.isSafeInteger(created) &&
    Number.isSafeInteger(ttl) &&
    (maxViews === null || Number.isSafeInteger(maxViews)) &&
    typeof preventBurn === 'boolean' &&
    typeof hasPassword === 'boolean' &&
    Array.isArray(files) &&
    files.length <= FILES_MAX &&
    files.every(isFile) &&
    new Set(files.map(({ id }) => id)).size === files.length
  )
}

function isFile(file: unknown): file is EnvelopeFile {
  if (typeof file !== 'object' || file === null) return false
  const { id, name, type, size, key, digest } = file as Record<string, unknown>
  return (
    matches(FILE_ID, id) &&
    typeof name === 'string' &&
    typeof type === 'string' &&
    Number.isSafeInteger(size) &&
    (size as number) >= 0 &&
    matches(FILE_KEY, key) &&
    matches(SHA256, digest)
  )
}

/** Longer than any file name, so that `safeFileName` can shorten a name and keep its extension. */
const LONG_NAME_MAX = 1024

/** Returns the header with bounded texts, so that a sender cannot overload the page of the reader. */
function cutTexts(header: EnvelopeHeader): EnvelopeHeader {
  const files = header.files.map((file) => {
    return { ...file, name: cut(file.name, LONG_NAME_MAX), type: cut(file.type, FILE_NAME_MAX) }
  })
  return { ...header, title: cut(header.title, TITLE_MAX), files }
}

/** Cuts between code points. */
const cut = (text: string, max: number) =>
  text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, '')

const matches = (pattern: RegExp, value: unknown) => typeof value === 'string' && pattern.test(value)
