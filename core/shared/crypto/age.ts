/**
 * Encryption and decryption of age files with a 256-bit passphrase. Rejects files that would cost the reader much work.
 */

import { scrypt } from '@noble/hashes/scrypt.js'
import { concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64nopad } from '@scure/base'
import { loadCipher } from '#cipher'
import { decodeArmor, encodeArmor } from '../age-armor.js'
import { SCRYPT_LOG_N_MAX } from '../limits.js'
import { decryptFile, encryptFile, encryptFileStream, type WrapFileKey, ZERO_NONCE } from './age-file.js'
import type { ImportKey } from './portable-cipher.js'

/** Maximum length of a header with one scrypt stanza: four lines of known length. */
const HEADER_MAX = 256
/** age file format v1: one scrypt stanza (16-byte salt, work factor), its 32-byte body, the header's MAC. */
const ONE_SCRYPT_STANZA =
  /^age-encryption\.org\/v1\n-> scrypt ([A-Za-z0-9+/]{22}) ([1-9][0-9]?)\n([A-Za-z0-9+/]{43})\n--- [A-Za-z0-9+/]{43}\n/

/** `hostile`: no Mayfly client writes such a file; rejected before any costly work. `wrong-key`: decryption failed. */
export type DecryptProblem = 'hostile' | 'too-large' | 'wrong-key'

export class DecryptError extends Error {
  override name = 'DecryptError'
  constructor(
    readonly problem: DecryptProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Encrypts with work factor 1, because stretching a passphrase of 256 bits adds nothing. */
export const encrypt = async (plaintext: Uint8Array, passphrase: string): Promise<Uint8Array> =>
  concatBytes(...(await encryptToPieces(plaintext, passphrase)))

/** The same without a copy of all bytes: their concatenation is the file. */
export async function encryptToPieces(plaintext: Uint8Array, passphrase: string): Promise<Uint8Array[]> {
  const importKey = await loadCipher()
  return encryptFile(plaintext, wrapWith(passphrase, importKey), importKey)
}

/** The same for a stream. */
export async function encryptStream(
  plaintext: ReadableStream<Uint8Array>,
  passphrase: string,
): Promise<ReadableStream<Uint8Array>> {
  const importKey = await loadCipher()
  return encryptFileStream(plaintext, wrapWith(passphrase, importKey), importKey)
}

/**
 * Decrypts an age file. Throws DecryptError `hostile` before any work unless there is exactly one scrypt stanza with a
 * work factor of at most `logNMax` (20 would freeze a page for seconds), and `wrong-key` if decryption fails. Raise
 * `logNMax` only for files that the reader created: the `age` program itself uses 18.
 */
export async function decrypt(
  file: Uint8Array,
  passphrase: string,
  logNMax: number = SCRYPT_LOG_N_MAX,
): Promise<Uint8Array> {
  const found = ONE_SCRYPT_STANZA.exec(String.fromCharCode(...file.subarray(0, HEADER_MAX)))
  if (!found) throw new DecryptError('hostile', 'this is not a sealed secret')
  const [header, salt = '', logN = '', body = ''] = found
  if (Number(logN) > logNMax) throw new DecryptError('hostile', 'opening this would cost too much work')
  const importKey = await loadCipher()
  try {
    const wrapper = await importKey(stretch(passphrase, base64nopad.decode(salt), Number(logN)))
    const fileKey = await wrapper.decrypt(ZERO_NONCE, base64nopad.decode(body))
    return await decryptFile({ file, header, fileKey, importKey })
  } catch (cause) {
    throw new DecryptError('wrong-key', 'the key does not open this secret', { cause })
  }
}

/** ASCII armor (the strict PEM of the age specification). */
export const armorText = (file: Uint8Array): string => encodeArmor(file)

/**
 * Decodes ASCII armor of at most `maxBytes` characters.
 * Throws DecryptError `too-large` or `hostile`.
 */
export function unarmorText(text: string, maxBytes: number): Uint8Array {
  if (text.length > maxBytes) throw new DecryptError('too-large', 'this secret is larger than the server allows')
  try {
    return decodeArmor(text)
  } catch (cause) {
    throw new DecryptError('hostile', 'this is not a sealed secret', { cause })
  }
}

const wrapWith =
  (passphrase: string, importKey: ImportKey): WrapFileKey =>
  async (fileKey) => {
    const salt = randomBytes(16)
    const wrapper = await importKey(stretch(passphrase, salt, 1))
    const body = await wrapper.encrypt(ZERO_NONCE, fileKey)
    return { line: `scrypt ${base64nopad.encode(salt)} 1`, body }
  }

function stretch(passphrase: string, salt: Uint8Array, logN: number): Uint8Array {
  const salted = concatBytes(utf8ToBytes('age-encryption.org/v1/scrypt'), salt)
  return scrypt(passphrase, salted, { N: 2 ** logN, r: 8, p: 1, dkLen: 32 })
}
