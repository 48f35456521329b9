/** Writes entries to a tar stream and reads them back, one at a time, with a checksum over all entries. */
import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, pack } from 'tar-stream'
import { isAppError } from '../lib/errors.js'
import { BackupError } from './backup-format.js'
import { assertEntrySize } from './entry-limits.js'

export interface Entry {
  name: string
  size: number
  body: Readable
}

/** An entry with a short text. */
export function entryOf(name: string, text: string): Entry {
  const bytes = Buffer.from(text)
  return { name, size: bytes.length, body: Readable.from([bytes]) }
}

/** SHA-256 over entries, as specified in `backup-format.ts`. */
export function archiveSum() {
  const hash = createHash('sha256')
  return {
    /** Returns the entry with a body that updates the checksum while it is read. */
    addEntry({ name, size, body }: Entry): Entry {
      hash.update(`${name}\n${size}\n`)
      return { name, size, body: hashed(body, hash) }
    },
    /** The checksum so far, hex. */
    hex: () => hash.copy().digest('hex'),
  }
}

/** Returns a stream of the same bytes that updates the hash while it is read. */
export function hashed(body: Readable, hash: Hash): Readable {
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      hash.update(chunk)
      yield chunk
    }
  }
  return Readable.from(chunks(), { objectMode: false })
}

/** Returns the tar stream. An error of `entries` destroys it. */
export function archive(entries: AsyncIterable<Entry>): Readable {
  const tar = pack()
  const write = async () => {
    for await (const { name, size, body } of entries) {
      await pipeline(body, tar.entry({ name, size, mode: 0o600, mtime: new Date(0) }))
    }
    tar.finalize()
  }
  write().catch((error) => tar.destroy(error))
  return Readable.from(tar, { objectMode: false })
}

/**
 * Yields the entries of an archive. Unread bytes of a body are skipped before the next entry. Throws BackupError for an
 * invalid or truncated archive, and for an entry that is larger than any entry from `backupEntries` with this
 * `maxTextBytes`.
 */
export async function* entriesOf(stream: Readable, maxTextBytes: number): AsyncGenerator<Entry> {
  const tar = extract()
  let failure: unknown
  const done = pipeline(stream, tar as unknown as NodeJS.WritableStream).catch((error) => {
    failure = error
  })
  try {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header
      if (type !== 'file') throw new BackupError('foreign', 'the archive is not a backup of Mayfly')
      assertEntrySize({ name, size }, maxTextBytes)
      yield { name, size, body: Readable.from(convertErrors(entry), { objectMode: false }) }
      entry.resume()
    }
  } catch (cause) {
    if (cause instanceof BackupError) throw cause
    throw toBackupError(cause)
  } finally {
    stream.destroy()
  }
  await done
  if (failure) throw toBackupError(failure)
}

/** A body ends with an error when it is truncated. */
async function* convertErrors(body: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    yield* body
  } catch (cause) {
    throw toBackupError(cause)
  }
}

/** Errors of the file system are returned unchanged. All others mean that the archive is damaged. */
function toBackupError(cause: unknown): unknown {
  const isSystemError = cause instanceof Error && 'syscall' in cause
  if (isSystemError || isAppError(cause) || cause instanceof BackupError) return cause
  return new BackupError('damaged', 'the backup is damaged or incomplete', { cause })
}
