/** Encryption and decryption of the parts of a file. */
import { randomBytes } from '@noble/hashes/utils.js'
import { DecryptError, decrypt, encrypt, encryptStream } from './age.js'
import { encryptedPartLength } from './encrypted-sizes.js'
import { partPassphrase } from './keys.js'

export { encryptedFileLength, encryptedPartLength, PART_SIZE, partCount, partLength } from './encrypted-sizes.js'

/** Generates a file key, from which the passphrase of each part is derived: 32 bytes from the platform's CSPRNG. */
export const newFileKey = (): Uint8Array => randomBytes(32)

/** Encrypts part `index` as a separate binary age file. Does not modify `bytes`. */
export const encryptPart = (fileKey: Uint8Array, index: number, bytes: Uint8Array): Promise<Uint8Array> =>
  encrypt(bytes, partPassphrase(fileKey, index))

/** The same for a stream, so that the part is never in memory as a whole. */
export const encryptPartStream = (fileKey: Uint8Array, index: number, bytes: ReadableStream<Uint8Array>) =>
  encryptStream(bytes, partPassphrase(fileKey, index))

/**
 * Decrypts part `index` to `length` plaintext bytes. Throws DecryptError `hostile` before any costly work if the size
 * is wrong, and `wrong-key` for another part, a part of another file, or a modified one.
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
