/** Files of the age format, version 1, with one stanza: header with a MAC, nonce, payload. */
import { concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64nopad } from '@scure/base'
import { hkdf, hmac, sha256 } from '../portable-hashes.js'
import { decryptPayload, encryptingStream, encryptPayload } from './payload.js'
import type { Cipher, ImportKey } from './portable-cipher.js'

const FILE_KEY_SIZE = 16
const NONCE_SIZE = 16

/** The nonce of keys that encrypt once. */
export const ZERO_NONCE = new Uint8Array(12)

/** The first line of a stanza without its arrow, and its body. */
export interface Stanza {
  line: string
  body: Uint8Array
}

/** Encrypts the 16 bytes of the file key. */
export type WrapFileKey = (fileKey: Uint8Array) => Promise<Stanza>

/** Encrypts. Returns the header and nonce, and the chunks of the payload. */
export async function encryptFile(
  plaintext: Uint8Array,
  wrapFileKey: WrapFileKey,
  importKey: ImportKey,
): Promise<Uint8Array[]> {
  const { start, cipher } = await startFile(wrapFileKey, importKey)
  return [start, ...(await encryptPayload(cipher, plaintext))]
}

/** The same for a stream. */
export async function encryptFileStream(
  plaintext: ReadableStream<Uint8Array>,
  wrapFileKey: WrapFileKey,
  importKey: ImportKey,
): Promise<ReadableStream<Uint8Array>> {
  const { start, cipher } = await startFile(wrapFileKey, importKey)
  const prepend = new TransformStream<Uint8Array, Uint8Array>({ start: (controller) => controller.enqueue(start) })
  return plaintext.pipeThrough(encryptingStream(cipher)).pipeThrough(prepend)
}

async function startFile(wrapFileKey: WrapFileKey, importKey: ImportKey) {
  const fileKey = randomBytes(FILE_KEY_SIZE)
  const nonce = randomBytes(NONCE_SIZE)
  const { line, body } = await wrapFileKey(fileKey)
  const text = `age-encryption.org/v1\n-> ${line}\n${base64nopad.encode(body)}\n---`
  const header = utf8ToBytes(`${text} ${base64nopad.encode(computeMac(fileKey, text))}\n`)
  return { start: concatBytes(header, nonce), cipher: await importPayloadKey(fileKey, nonce, importKey) }
}

/**
 * Decrypts a file. `header`: its beginning with the final newline, in the form of one stanza. Rejects if the file is
 * not authentic.
 */
export async function decryptFile({ file, header, fileKey, importKey }: EncryptedFile): Promise<Uint8Array> {
  const end = header.lastIndexOf(' ')
  const mac = base64nopad.decode(header.slice(end + 1, -1))
  if (!isEqual(mac, computeMac(fileKey, header.slice(0, end)))) throw new Error('the header is not authentic')
  const payload = header.length + NONCE_SIZE
  const cipher = await importPayloadKey(fileKey, file.subarray(header.length, payload), importKey)
  return decryptPayload(cipher, file.subarray(payload))
}

interface EncryptedFile {
  file: Uint8Array
  header: string
  fileKey: Uint8Array
  importKey: ImportKey
}

/** A file that ends inside its nonce lacks a payload, so it does not decrypt. */
async function importPayloadKey(fileKey: Uint8Array, nonce: Uint8Array, importKey: ImportKey): Promise<Cipher> {
  return importKey(hkdf(sha256, fileKey, nonce, utf8ToBytes('payload'), 32))
}

const computeMac = (fileKey: Uint8Array, text: string): Uint8Array =>
  hmac(sha256, hkdf(sha256, fileKey, undefined, utf8ToBytes('header'), 32), utf8ToBytes(text))

/** In constant time. */
const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.reduce((difference, byte, at) => difference | (byte ^ (other[at] ?? 0)), 0) === 0
