/** The blobs of a storage copied from one file store to another, and compared. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { blobKey } from '../attachments/blob-key.js'
import { storedPartLength } from '../attachments/part-layout.js'
import type { FileStore } from '../contracts/file-store.js'
import type { PlainRow, RowStore } from '../contracts/rows.js'
import { isAppError } from '../errors.js'

export interface BlobCopy {
  /** Blobs that are the same on both sides. */
  same: number
  /** Keys of blobs that differ, or that the source has lost. */
  lost: string[]
}

/** Copies every blob that a row of `rows` speaks of, but for those that are there already, and compares them all. */
export async function copyBlobs(
  rows: RowStore,
  from: FileStore,
  to: FileStore,
  onBlob?: (blobs: number) => void,
): Promise<BlobCopy> {
  const there = new Set<string>()
  for await (const { key } of to.list()) there.add(key)
  const result: BlobCopy = { same: 0, lost: [] }
  for await (const { key, size } of blobsOf(rows)) {
    const isSame = await copyBlob(key, size, from, to, there.has(key)).catch((error) => {
      if (isAppError(error, 'file.not_found')) return false
      throw error
    })
    if (isSame) result.same += 1
    else result.lost.push(key)
    onBlob?.(result.same)
  }
  return result
}

async function copyBlob(key: string, size: number, from: FileStore, to: FileStore, isThere: boolean): Promise<boolean> {
  if (!isThere) await to.put(key, await from.get(key), size)
  return (await digestOf(await from.get(key))) === (await digestOf(await to.get(key)))
}

/** Every stored part of every file. */
async function* blobsOf(rows: RowStore): AsyncGenerator<{ key: string; size: number }> {
  const attachments = new Map<string, PlainRow>()
  for await (const row of all(rows, 'attachments')) attachments.set(String(row.id), row)
  for await (const { attachment_id, position } of all(rows, 'attachment_parts')) {
    const { blob, size, parts } = attachments.get(String(attachment_id)) ?? {}
    const length = storedPartLength({ size: Number(size), parts: Number(parts) }, Number(position))
    if (length !== null) yield { key: blobKey(String(blob), Number(position)), size: length }
  }
}

const BATCH = 1000

async function* all(rows: RowStore, table: string): AsyncGenerator<PlainRow> {
  let some = await rows.read(table, null, BATCH)
  while (some.length > 0) {
    yield* some
    some = await rows.read(table, some.at(-1) as PlainRow, BATCH)
  }
}

async function digestOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk)
  return hash.digest('hex')
}
