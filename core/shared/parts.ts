/** A file in parts: how it is cut, how large each part becomes when it is sealed, and how a part is sealed and opened. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import { decrypt, encrypt, encryptStream, SealError } from './age.js'
import { partPassphrase } from './keys.js'

/** Plaintext bytes of every part but the last. */
export const PART_SIZE = 8 * 2 ** 20
/** age file format v1: header with one scrypt stanza of work factor 1, then the payload's nonce. */
const HEADER_LENGTH = 149
const NONCE_LENGTH = 16
const CHUNK_SIZE = 64 * 1024
const TAG_LENGTH = 16

/** How many parts a file of `size` plaintext bytes has. An empty file has one, empty. */
export const partCount = (size: number): number => Math.max(1, Math.ceil(size / PART_SIZE))

/** Plaintext bytes of part `index`. */
export const partLength = (size: number, index: number): number =>
  Math.min(PART_SIZE, Math.max(0, size - index * PART_SIZE))

/** Bytes of a sealed part of `length` plaintext bytes. */
export const sealedPartLength = (length: number): number =>
  HEADER_LENGTH + NONCE_LENGTH + length + TAG_LENGTH * Math.max(1, Math.ceil(length / CHUNK_SIZE))

/** Bytes of all sealed parts of a file of `size` plaintext bytes. */
export const sealedFileLength = (size: number): number =>
  (partCount(size) - 1) * sealedPartLength(PART_SIZE) + sealedPartLength(partLength(size, partCount(size) - 1))

/** 32 bytes from the platform's CSPRNG, of which every part's passphrase is made. */
export const newFileKey = (): Uint8Array => randomBytes(32)

/** Part `index` as an age file of its own, binary; `bytes` are not changed. */
export const sealPart = (fileKey: Uint8Array, index: number, bytes: Uint8Array): Promise<Uint8Array> =>
  encrypt(bytes, partPassphrase(fileKey, index))

/** The same for a part that is read bit by bit, so that it is never held as a whole. */
export const sealPartStream = (fileKey: Uint8Array, index: number, bytes: ReadableStream<Uint8Array>) =>
  encryptStream(bytes, partPassphrase(fileKey, index))

/**
 * The `length` plaintext bytes of part `index`. Throws SealError: `hostile` before any costly work when it cannot be that
 * part, `wrong-key` for another part, another file's part, or one that was changed.
 */
export async function openPart(
  fileKey: Uint8Array,
  index: number,
  sealed: Uint8Array,
  length: number,
): Promise<Uint8Array> {
  if (sealed.length !== sealedPartLength(length))
    throw new SealError('hostile', 'a part of this file has a wrong length')
  return decrypt(sealed, partPassphrase(fileKey, index), 1)
}

/** SHA-256 of what comes bit by bit. Platforms bring faster ones than ours; a worker may answer later. */
export interface Digest {
  update(bytes: Uint8Array): void | Promise<void>
  hex(): string | Promise<string>
}

/** All that a digest knows, in plain fields, so that it survives the way to another worker. */
export type DigestState = Partial<ReturnType<typeof sha256.create>>

/** `before`: the state of the digest that this one goes on with. After `hex` it is over. */
export function newDigest(before: DigestState = {}): Digest & { state: DigestState } {
  const state = Object.assign(sha256.create(), before)
  return { state, update: (bytes) => void state.update(bytes), hex: () => bytesToHex(state.digest()) }
}
