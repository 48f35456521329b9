/**
 * Spools a pipe to a temporary file, because an upload needs a length. The parts are encrypted before they are written.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { sendParts } from '#shared/client/upload'
import { digestOfParts, hashPart } from '#shared/crypto/file-digest'
import { encryptedPartLength, encryptPart, newFileKey, PART_SIZE, partLength } from '#shared/crypto/parts'
import { CliError } from '../lib/cli-error.js'
import { type Io, temporaryFolder } from '../output/io.js'
import { FILE_TYPE, type OpenFile } from './open-file.js'
import { streamFileRange } from './upload-file.js'

const SEALED_PART_BYTES = encryptedPartLength(PART_SIZE)

/**
 * Reads the whole stream. Plaintext stays in memory, one part at a time. Throws `tooLarge` after more than `maxBytes`,
 * and CliError `unexpected` when the temporary file cannot be written.
 */
export async function spoolStream(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, tooLarge, io }: { maxBytes: number; tooLarge: CliError; io: Io },
): Promise<OpenFile> {
  const fileKey = newFileKey()
  const hashes: Uint8Array[] = []
  const file = await openUnlinkedFile(io)
  const size = await forEachPart(chunks, maxBytes, tooLarge, async (index, bytes) => {
    hashes.push(await hashPart(bytes))
    await file.writeFile(await encryptPart(fileKey, index, bytes))
  }).catch(async (error) => {
    await file.close()
    throw error
  })
  const part = async (index: number) => {
    const length = encryptedPartLength(partLength(size, index))
    return { stream: streamFileRange(file, index * SEALED_PART_BYTES, length), length }
  }
  const key = Buffer.from(fileKey).toString('base64url')
  const digest = digestOfParts(hashes)
  return {
    name,
    type: FILE_TYPE,
    size,
    send: async (client, options) => ({ ...(await sendParts(client, { size, part }, options)), size, key, digest }),
    close: () => file.close(),
  }
}

/** Calls `take` for each part and returns the number of bytes. The buffer is reused for the next part. */
async function forEachPart(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: CliError,
  take: (index: number, bytes: Uint8Array) => Promise<void>,
): Promise<number> {
  const part = new Uint8Array(PART_SIZE)
  let size = 0
  for await (let chunk of chunks) {
    if (size + chunk.length > maxBytes) throw tooLarge
    while (chunk.length > 0) {
      const filled = size % PART_SIZE
      const some = chunk.subarray(0, PART_SIZE - filled)
      part.set(some, filled)
      size += some.length
      chunk = chunk.subarray(some.length)
      if (size % PART_SIZE === 0) await take(size / PART_SIZE - 1, part)
    }
  }
  const rest = size % PART_SIZE
  if (rest > 0 || size === 0) await take(Math.floor(size / PART_SIZE), part.subarray(0, rest))
  return size
}

/** Opens an unlinked file: it disappears with the process. */
async function openUnlinkedFile(io: Io): Promise<FileHandle> {
  const path = join(temporaryFolder(io), `mayfly-${randomBytes(8).toString('hex')}`)
  try {
    const file = await open(path, 'wx+', 0o600)
    await unlink(path)
    return file
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CliError(
      'unexpected',
      `cannot write a temporary file for stdin: ${code}`,
      'set TMPDIR to a writable folder with enough space',
    )
  }
}
