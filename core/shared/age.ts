/** age files under a passphrase of 256 bits, and the refusal of every age file that could hurt its reader. */
import { armor, Decrypter, Encrypter } from 'age-encryption'
import { SCRYPT_LOG_N_MAX } from './limits.js'

export const ARMOR_BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----'
/** What age encrypts at a time. */
const CHUNK_SIZE = 64 * 1024
/** Longest header of a file with one scrypt stanza: four lines of known length. */
const HEADER_MAX = 256
/** age file format v1: one scrypt stanza (16-byte salt, work factor), its 32-byte body, the header's MAC. */
const ONE_SCRYPT_STANZA =
  /^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} ([1-9][0-9]?)\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n/

/** `hostile`: not what a Mayfly client writes, refused before any costly work. `wrong-key`: it did not open. */
export type SealProblem = 'hostile' | 'too-large' | 'wrong-key'

export class SealError extends Error {
  override name = 'SealError'
  constructor(
    readonly problem: SealProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Encrypts with work factor 1: the passphrase has 256 bits already, so stretching would add nothing. */
export async function encrypt(plaintext: Uint8Array, passphrase: string): Promise<Uint8Array> {
  const sealed = await encrypterOf(passphrase).encrypt(streamOf(plaintext))
  return collected(sealed, sealed.size(plaintext.length))
}

/** The same for what comes bit by bit. */
export const encryptStream = (
  plaintext: ReadableStream<Uint8Array>,
  passphrase: string,
): Promise<ReadableStream<Uint8Array>> => encrypterOf(passphrase).encrypt(plaintext)

/**
 * Opens an age file. Throws SealError: `hostile` before any work unless there is exactly one scrypt stanza of at most
 * `logNMax` (a work factor of 20 would freeze a page for seconds), `wrong-key` when it does not open.
 * Raise `logNMax` only for a file that the reader made: the `age` program itself writes 18.
 */
export async function decrypt(
  file: Uint8Array,
  passphrase: string,
  logNMax: number = SCRYPT_LOG_N_MAX,
): Promise<Uint8Array> {
  const header = ONE_SCRYPT_STANZA.exec(String.fromCharCode(...file.subarray(0, HEADER_MAX)))
  if (!header) throw new SealError('hostile', 'this is not a sealed secret')
  if (Number(header[1]) > logNMax) throw new SealError('hostile', 'opening this would cost too much work')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    const opened = await decrypter.decrypt(streamOf(file))
    return await collected(opened, opened.size(file.length))
  } catch (cause) {
    throw new SealError('wrong-key', 'the key does not open this secret', { cause })
  }
}

/** ASCII armour (the strict PEM of the age specification). */
export const armorText = (file: Uint8Array): string => armor.encode(file)

/**
 * The file inside an armour. `maxBytes` bounds the text, so that nothing endless is ever decoded.
 * Throws SealError `too-large` or `hostile`.
 */
export function unarmorText(text: string, maxBytes: number): Uint8Array {
  if (text.length > maxBytes) throw new SealError('too-large', 'this secret is larger than the server allows')
  try {
    return armor.decode(text)
  } catch (cause) {
    throw new SealError('hostile', 'this is not a sealed secret', { cause })
  }
}

function encrypterOf(passphrase: string): Encrypter {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(1)
  return encrypter
}

/** Bytes go through age as a stream: given whole, it keeps four copies of them, which counts for parts of files. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at === bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + CHUNK_SIZE))
      at = Math.min(at + CHUNK_SIZE, bytes.length)
    },
  })
}

async function collected(stream: ReadableStream<Uint8Array>, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  const reader = stream.getReader()
  let at = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes.set(next.value, at)
    at += next.value.length
  }
  return bytes
}
