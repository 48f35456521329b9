/** Deletes the blobs of ended files and orphaned blobs. Only this code deletes blobs of bound files. */

import { blobIdOf, blobKey } from '../attachments/blob-keys.js'
import type { Attachment, AttachmentStore } from '../contracts/attachments.js'
import type { FileStore, StoredBlob } from '../contracts/file-store.js'
import type { Log } from '../lib/log.js'
import type { EpochMs } from '../shared/epoch-ms.js'

const BATCH = 100
/** Blobs per query for their rows. */
const LOOKUP = 500
/** Younger blobs are skipped: their row may have been created after the listing began. */
const AGE_GUARD_MS = 60 * 60_000

interface Parts {
  store: AttachmentStore
  files: FileStore
  log: Log
  now: () => EpochMs
}

/**
 * Deletes the rows of ended files and returns their number. The last row of a file is deleted only after all its blobs:
 * when the store fails, the row stays and the next run tries again.
 */
export async function deleteExpiredFiles({ store, files, log, now }: Parts): Promise<number> {
  let total = await removeEndedCopies(store, now)
  for (;;) {
    const due = await store.listEnded(now(), BATCH)
    // Copies have the same blobs.
    const ended = [...new Map(due.map((attachment) => [attachment.blob, attachment])).values()]
    const results = await Promise.allSettled(ended.map((attachment) => deleteBlobs(files, attachment)))
    const deleted = ended.filter((_, index) => results[index]?.status === 'fulfilled').map(({ blob }) => blob)
    if (deleted.length > 0) total += await store.remove(deleted)
    if (deleted.length < ended.length) {
      log.warn('files not deleted, will retry', { files: ended.length - deleted.length })
      return total
    }
    if (due.length < BATCH) return total
  }
}

/** Deletes the rows of ended files whose blobs other secrets still have. */
async function removeEndedCopies(store: AttachmentStore, now: () => number): Promise<number> {
  for (let total = 0; ; ) {
    const removed = await store.removeEndedCopies(now(), BATCH)
    total += removed
    if (removed < BATCH) return total
  }
}

/**
 * Reconciles the file store with the rows: ends files of deleted secrets, deletes blobs without a row and leftovers of
 * interrupted uploads. Returns the number of deleted blobs.
 */
export async function reconcileFiles({ store, files, now }: Omit<Parts, 'log'>): Promise<number> {
  await store.endUnused(now())
  await files.deleteUnfinished(now() - AGE_GUARD_MS)
  let total = 0
  for await (const key of orphanKeys({ store, files, now })) {
    await files.delete(key)
    total += 1
  }
  return total
}

/** Returns the number of blobs that `reconcileFiles` would delete. Changes nothing. */
export async function countOrphans(parts: Omit<Parts, 'log'>): Promise<number> {
  let total = 0
  for await (const _ of orphanKeys(parts)) total += 1
  return total
}

/** Keys of blobs without a row. */
async function* orphanKeys({ store, files, now }: Omit<Parts, 'log'>): AsyncGenerator<string> {
  const before = now() - AGE_GUARD_MS
  const findOrphans = async (batch: StoredBlob[]) => {
    const known = new Set(await store.filterStored([...new Set(batch.map(({ key }) => blobIdOf(key)))]))
    return batch.map(({ key }) => key).filter((key) => !known.has(blobIdOf(key)))
  }
  let batch: StoredBlob[] = []
  for await (const blob of files.list()) {
    if (blob.modifiedAt < before) batch.push(blob)
    if (batch.length < LOOKUP) continue
    yield* await findOrphans(batch)
    batch = []
  }
  if (batch.length > 0) yield* await findOrphans(batch)
}

async function deleteBlobs(files: FileStore, { blob, parts }: Attachment): Promise<void> {
  for (let index = 0; index < parts; index++) await files.delete(blobKey(blob, index))
}
