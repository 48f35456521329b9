/** Entries to a tar stream and back, one at a time, with a checksum over all of them. */
import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, pack } from 'tar-stream'
import { BackupError } from './format.js'

export interface Entry {
  name: string
  size: number
  body: Readable
}

/** An entry of a few bytes. */
export function entryOf(name: string, text: string): Entry {
  const bytes = Buffer.from(text)
  return { name, size: bytes.length, body: Readable.from([bytes]) }
}

/** Hex SHA-256 over entries as `format.ts` says. */
export function archiveSum() {
  const hash = createHash('sha256')
  return {
    /** The same entry; what is read of it counts. */
    over({ name, size, body }: Entry): Entry {
      hash.update(`${name}\n${size}\n`)
      return { name, size, body: hashed(body, hash) }
    },
    /** What it is so far. */
    hex: () => hash.copy().digest('hex'),
  }
}

/** The same bytes; those that are read are added to the hash. */
export function hashed(body: Readable, hash: Hash): Readable {
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      hash.update(chunk)
      yield chunk
    }
  }
  return Readable.from(chunks(), { objectMode: false })
}

/** The archive as it is made. What `entries` throws breaks it off. */
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
 * The entries of an archive. The body of each is read to its end before the next one comes. Throws BackupError for what
 * is no archive or ends too early.
 */
export async function* entriesOf(stream: Readable): AsyncGenerator<Entry> {
  const tar = extract()
  let failure: unknown
  const done = pipeline(stream, tar as unknown as NodeJS.WritableStream).catch((error) => {
    failure = error
  })
  try {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header
      if (type !== 'file') throw new BackupError('foreign', 'there is something in it that is no file')
      yield { name, size, body: Readable.from(entry, { objectMode: false }) }
      entry.resume()
    }
  } catch (cause) {
    if (cause instanceof BackupError) throw cause
    throw damaged(cause)
  } finally {
    stream.destroy()
  }
  await done
  if (failure) throw damaged(failure)
}

/** What the source of the bytes says about itself goes on as it is. */
function damaged(cause: unknown): unknown {
  const isTar = cause instanceof Error && /tar|end of data/i.test(cause.message)
  return isTar ? new BackupError('damaged', 'it is no backup, or breaks off', { cause }) : cause
}
