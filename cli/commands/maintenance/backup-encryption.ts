/** Encrypts and decrypts backup streams with age, for recipients or a passphrase. */
import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import { readNamedFile } from '../../files/named-file.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'

/** Start of every age file. */
const AGE_HEADER = 'age-encryption.org/v1\n'

const DAMAGED = 'the backup is damaged or incomplete'
const DAMAGED_HINT = 'check that the backup was copied completely'

export interface EncryptFlags {
  recipient?: string[]
  passphraseFile?: string
}

export interface DecryptFlags {
  identityFile?: string
  passphraseFile?: string
}

/** Returns null for an unencrypted backup. Throws CliError `usage` for an invalid recipient. */
export async function createEncrypter(
  { recipient = [], passphraseFile }: EncryptFlags,
  io: Io,
): Promise<Encrypter | null> {
  if (recipient.length === 0 && passphraseFile === undefined) return null
  if (recipient.length > 0 && passphraseFile !== undefined) {
    throw new CliError('usage', '--recipient and --passphrase-file exclude each other')
  }
  const encrypter = new Encrypter()
  if (passphraseFile !== undefined)
    encrypter.setPassphrase(await readFirstLine('--passphrase-file', passphraseFile, io))
  for (const each of recipient) {
    try {
      encrypter.addRecipient(each)
    } catch {
      throw new CliError(
        'usage',
        '--recipient must be an age recipient',
        'create an identity with age-keygen and pass its age1... recipient',
      )
    }
  }
  return encrypter
}

export async function encryptStream(plain: Readable, encrypter: Encrypter | null): Promise<Readable> {
  if (!encrypter) return plain
  return toNodeReadable(await encrypter.encrypt(Readable.toWeb(plain) as ReadableStream<Uint8Array>))
}

export interface Decrypted {
  stream: Readable
  /** Whether only someone with the passphrase can have made it. Anyone can encrypt for a recipient. */
  isAuthenticated: boolean
}

/**
 * Decrypts an age stream; returns other streams unchanged. Throws CliError: `usage` without a key, `wrong_password` for
 * a wrong one.
 */
export async function decryptStream(source: Readable, flags: DecryptFlags, io: Io): Promise<Decrypted> {
  const { isEncrypted, stream } = await detectAge(source)
  if (!isEncrypted) return { stream, isAuthenticated: false }
  const decrypter = new Decrypter()
  const { identityFile, passphraseFile } = flags
  if (passphraseFile !== undefined)
    decrypter.addPassphrase(await readFirstLine('--passphrase-file', passphraseFile, io))
  if (identityFile !== undefined) await addIdentities(decrypter, identityFile, io)
  if (passphraseFile === undefined && identityFile === undefined) {
    throw new CliError('usage', 'the backup is encrypted', 'use --identity-file or --passphrase-file')
  }
  try {
    const plain = toNodeReadable(await decrypter.decrypt(Readable.toWeb(stream) as ReadableStream<Uint8Array>))
    return { stream: plain, isAuthenticated: passphraseFile !== undefined && identityFile === undefined }
  } catch (error) {
    // The header of a truncated age file.
    if (!/no identity matched/.test((error as Error).message)) throw new CliError('check_failed', DAMAGED, DAMAGED_HINT)
    throw new CliError('wrong_password', 'wrong key for this backup')
  }
}

async function addIdentities(decrypter: Decrypter, path: string, io: Io): Promise<void> {
  const keys = (await readNamedFile('--identity-file', path, io))
    .toString()
    .split(/\r?\n/)
    .filter((line) => /^AGE-SECRET-KEY-/i.test(line))
  if (keys.length === 0) throw new CliError('usage', '--identity-file contains no age identity')
  for (const key of keys) decrypter.addIdentity(key.trim())
}

async function readFirstLine(flag: string, path: string, io: Io): Promise<string> {
  const [line = ''] = (await readNamedFile(flag, path, io)).toString().split(/\r?\n/)
  if (line === '') throw new CliError('usage', `${flag}: the file is empty`)
  return line
}

/** Returns the stream and whether it is an age file. */
async function detectAge(source: Readable): Promise<{ isEncrypted: boolean; stream: Readable }> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let head = Buffer.alloc(0)
  let isOver = false
  while (head.length < AGE_HEADER.length && !isOver) {
    const { value, done } = await chunks.next()
    if (done) isOver = true
    else head = Buffer.concat([head, value])
  }
  const all = async function* () {
    yield head
    while (!isOver) {
      const { value, done } = await chunks.next()
      if (done) return
      yield value
    }
  }
  const isEncrypted = head.subarray(0, AGE_HEADER.length).toString() === AGE_HEADER
  return { isEncrypted, stream: Readable.from(all(), { objectMode: false }) }
}

const toNodeReadable = (stream: ReadableStream<Uint8Array>): Readable => Readable.fromWeb(stream as NodeStream)
