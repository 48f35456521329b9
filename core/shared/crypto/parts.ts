/** Encryption and decryption of the parts of a file, and digests. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import { DecryptError, decrypt, encrypt, encryptStream } from './age.js'
import { encryptedPartLength } from './encrypted-sizes.js'
import { partPassphrase } from './keys.js'

export { encryptedFileLength, encryptedPartLength, PART_SIZE, partCount, partLength } from './encrypted-sizes.js'

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
