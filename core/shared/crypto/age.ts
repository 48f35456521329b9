/** Encryption and decryption of age files with a 256-bit passphrase. Rejects files that would cost the reader much work. */
import { armor, Decrypter, Encrypter } from 'age-encryption'
import { SCRYPT_LOG_N_MAX } from '../limits.js'

/** Chunk size of age. */
const CHUNK_SIZE = 64 * 1024
/** Maximum length of a header with one scrypt stanza: four lines of known length. */
const HEADER_MAX = 256
/** age file format v1: one scrypt stanza (16-byte salt, work factor), its 32-byte body, the header's MAC. */
const ONE_SCRYPT_STANZA =
  /^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} ([1-9][0-9]?)\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n/

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
export async function encrypt(plaintext: Uint8Array, passphrase: string): Promise<Uint8Array> {
  const sealed = await createEncrypter(passphrase).encrypt(toStream(plaintext))
  return readAll(sealed, sealed.size(plaintext.length))
}

/** The same for a stream. */
export const encryptStream = (
  plaintext: ReadableStream<Uint8Array>,
  passphrase: string,
): Promise<ReadableStream<Uint8Array>> => createEncrypter(passphrase).encrypt(plaintext)

/**
 * Decrypts an age file. Throws DecryptError `hostile` before any work unless there is exactly one scrypt stanza with a work
 * factor of at most `logNMax` (20 would freeze a page for seconds), and `wrong-key` if decryption fails.
 * Raise `logNMax` only for files that the reader created: the `age` program itself uses 18.
 */
export async function decrypt(
  file: Uint8Array,
  passphrase: string,
  logNMax: number = SCRYPT_LOG_N_MAX,
): Promise<Uint8Array> {
  const header = ONE_SCRYPT_STANZA.exec(String.fromCharCode(...file.subarray(0, HEADER_MAX)))
  if (!header) throw new DecryptError('hostile', 'this is not a sealed secret')
  if (Number(header[1]) > logNMax) throw new DecryptError('hostile', 'opening this would cost too much work')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    const plaintext = await decrypter.decrypt(toStream(file))
    return await readAll(plaintext, plaintext.size(file.length))
  } catch (cause) {
    throw new DecryptError('wrong-key', 'the key does not open this secret', { cause })
  }
}

/** ASCII armor (the strict PEM of the age specification). */
export const armorText = (file: Uint8Array): string => armor.encode(file)

/**
 * Decodes ASCII armor of at most `maxBytes` characters.
 * Throws DecryptError `too-large` or `hostile`.
 */
export function unarmorText(text: string, maxBytes: number): Uint8Array {
  if (text.length > maxBytes) throw new DecryptError('too-large', 'this secret is larger than the server allows')
  try {
    return armor.decode(text)
  } catch (cause) {
    throw new DecryptError('hostile', 'this is not a sealed secret', { cause })
  }
}

function createEncrypter(passphrase: string): Encrypter {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(1)
  return encrypter
}

/** age keeps four copies of a Uint8Array in memory, which matters for parts of files. With a stream it does not. */
export function toStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at === bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + CHUNK_SIZE))
      at = Math.min(at + CHUNK_SIZE, bytes.length)
    },
  })
}

/** Reads a stream of exactly `length` bytes. */
export async function readAll(stream: ReadableStream<Uint8Array>, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  const reader = stream.getReader()
  let at = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes.set(next.value, at)
    at += next.value.length
  }
  return bytes
}
