/** Copies the blobs of a storage from one file store to another, and compares them. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FileStore } from '../contracts/file-store.js'
import type { PlainRow, RowStore } from '../contracts/rows.js'
import { isAppError } from '../lib/errors.js'
import { readBatches, toBlob } from './stored-rows.js'

export interface BlobCopy {
  /** Number of identical blobs. */
  same: number
  /** Keys of blobs that differ or are missing in the source. */
  lost: string[]
}

/** Copies every blob that has a row, unless the target has it already, and compares all of them. */
export async function copyBlobs(rows: RowStore, from: FileStore, to: FileStore): Promise<BlobCopy> {
  const existing = new Set<string>()
  for await (const { key } of to.list()) existing.add(key)
  const result: BlobCopy = { same: 0, lost: [] }
  for await (const { key, size } of listBlobs(rows)) {
    const isSame = await copyBlob(key, size, from, to, existing.has(key)).catch((error) => {
      if (isAppError(error, 'file.not_found')) return false
      throw error
    })
    if (isSame) result.same += 1
    else result.lost.push(key)
  }
  return result
}

async function copyBlob(key: string, size: number, from: FileStore, to: FileStore, exists: boolean): Promise<boolean> {
  if (!exists) await to.put(key, await from.get(key), size)
  return (await digestStream(await from.get(key))) === (await digestStream(await to.get(key)))
}

/** Yields every stored part of every file. Each part once, although several secrets can have the file. */
async function* listBlobs(rows: RowStore): AsyncGenerator<{ key: string; size: number }> {
  const uploads = new Map<string, PlainRow>()
  const files = new Map<string, PlainRow>()
  for await (const row of readAll(rows, 'attachments')) {
    if (row.secret_id === null) uploads.set(String(row.id), row)
    else files.set(String(row.blob), row)
  }
  for (const row of files.values()) {
    for (let index = 0; index < Number(row.parts); index++) yield toBlob(row, index)
  }
  for await (const { attachment_id, position } of readAll(rows, 'attachment_parts')) {
    const upload = uploads.get(String(attachment_id))
    if (upload && !files.has(String(upload.blob))) yield toBlob(upload, Number(position))
  }
}

const BATCH = 1000

async function* readAll(rows: RowStore, table: string): AsyncGenerator<PlainRow> {
  for await (const batch of readBatches(rows, table, BATCH)) yield* batch
}

async function digestStream(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk)
  return hash.digest('hex')
}
