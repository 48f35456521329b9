/** Splits files into parts: sizes before and after encryption, encryption and decryption of a part. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import { DecryptError, decrypt, encrypt, encryptStream } from './age.js'
import { partPassphrase } from './keys.js'

/** Plaintext bytes of every part but the last. */
export const PART_SIZE = 8 * 2 ** 20
/** age file format v1: header with one scrypt stanza of work factor 1, then the nonce of the payload. */
const HEADER_LENGTH = 149
const NONCE_LENGTH = 16
const CHUNK_SIZE = 64 * 1024
const TAG_LENGTH = 16

/** Number of parts of a file of `size` plaintext bytes. An empty file has one empty part. */
export const partCount = (size: number): number => Math.max(1, Math.ceil(size / PART_SIZE))

/** Plaintext bytes of part `index`. */
export const partLength = (size: number, index: number): number =>
  Math.min(PART_SIZE, Math.max(0, size - index * PART_SIZE))

/** Encrypted size of a part of `length` plaintext bytes. */
export const encryptedPartLength = (length: number): number =>
  HEADER_LENGTH + NONCE_LENGTH + length + TAG_LENGTH * Math.max(1, Math.ceil(length / CHUNK_SIZE))

/** Encrypted size of all parts of a file of `size` plaintext bytes. */
export const encryptedFileLength = (size: number): number =>
  (partCount(size) - 1) * encryptedPartLength(PART_SIZE) + encryptedPartLength(partLength(size, partCount(size) - 1))

/** Generates a file key, from which the passphrase of each part is derived: 32 bytes from the platform's CSPRNG. */
export const newFileKey = (): Uint8Array => randomBytes(32)

/** Encrypts part `index` as a binary age file of its own. Does not modify `bytes`. */
export const encryptPart = (fileKey: Uint8Array, index: number, bytes: Uint8Array): Promise<Uint8Array> =>
  encrypt(bytes, partPassphrase(fileKey, index))

/** The same for a stream, so that the part is never in memory as a whole. */
export const encryptPartStream = (fileKey: Uint8Array, index: number, bytes: ReadableStream<Uint8Array>) =>
  encryptStream(bytes, partPassphrase(fileKey, index))

/**
 * Decrypts part `index` to `length` plaintext bytes. Throws DecryptError `hostile` before any costly work if the size is wrong,
 * and `wrong-key` for another part, a part of another file, or a modified one.
 */
export async function decryptPart(
  fileKey: Uint8Array,
  index: number,
  sealed: Uint8Array,
  length: number,
): Promise<Uint8Array> {
  if (sealed.length !== encryptedPartLength(length))
    throw new DecryptError('hostile', 'a part of this file has a wrong length')
  return decrypt(sealed, partPassphrase(fileKey, index), 1)
}

/** Incremental SHA-256. Asynchronous implementations, such as one in a worker, are allowed. */
export interface Digest {
  update(bytes: Uint8Array): void | Promise<void>
  hex(): string | Promise<string>
}

/** State of a digest in plain fields, so that it can be sent to another worker. */
export type DigestState = Partial<ReturnType<typeof sha256.create>>

/** Creates a digest that continues from `previous`. It cannot be used after `hex`. */
export function newDigest(previous: DigestState = {}): Digest & { state: DigestState } {
  const state = Object.assign(sha256.create(), previous)
  return { state, update: (bytes) => void state.update(bytes), hex: () => bytesToHex(state.digest()) }
}
