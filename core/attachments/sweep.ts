/** The only code that deletes blobs: those whose lease is over, and those that never had one. */
import type { Attachment, AttachmentStore } from '../contracts/attachments.js'
import type { FileStore, StoredBlob } from '../contracts/file-store.js'
import type { Log } from '../log.js'
import { blobKey, blobOf } from './blob-key.js'

const BATCH = 100
/** How many blobs are asked about at once. */
const LOOKUP = 500
/** A younger blob may belong to a lease that was not yet there when the list began. */
const AGE_GUARD_MS = 60 * 60_000

interface Parts {
  store: AttachmentStore
  files: FileStore
  log: Log
  /** Epoch ms. */
  now: () => number
}

/**
 * Deletes the files whose lease is over; answers how many. A row goes when all its blobs are certainly gone: whatever the
 * store fails with, the row stays and the next sweep tries again.
 */
export async function sweepFiles({ store, files, log, now }: Parts): Promise<number> {
  let total = 0
  for (;;) {
    const due = await store.expired(now(), BATCH)
    const results = await Promise.allSettled(due.map((attachment) => deleteBlobs(files, attachment)))
    const gone = due.filter((_, index) => results[index]?.status === 'fulfilled').map(({ id }) => id)
    if (gone.length > 0) await store.forget(gone)
    total += gone.length
    if (gone.length < due.length) {
      log.warn('files could not be deleted and will be tried again', { files: due.length - gone.length })
      return total
    }
    if (due.length < BATCH) return total
  }
}

/**
 * Compares the store with the rows: ends the files of secrets that are gone, deletes blobs without a row and what broken
 * uploads have left. Answers how many blobs that were.
 */
export async function reconcileFiles({ store, files, now }: Omit<Parts, 'log'>): Promise<number> {
  await store.settle(now())
  const before = now() - AGE_GUARD_MS
  await files.tidy(before)
  let total = 0
  let old: StoredBlob[] = []
  const deleteOrphans = async () => {
    const known = new Set(await store.known([...new Set(old.map(({ key }) => blobOf(key)))]))
    const orphans = old.filter(({ key }) => !known.has(blobOf(key)))
    for (const { key } of orphans) await files.delete(key)
    total += orphans.length
    old = []
  }
  for await (const blob of files.list()) {
    if (blob.modifiedAt < before) old.push(blob)
    if (old.length === LOOKUP) await deleteOrphans()
  }
  if (old.length > 0) await deleteOrphans()
  return total
}

async function deleteBlobs(files: FileStore, { blob, parts }: Attachment): Promise<void> {
  for (let index = 0; index < parts; index++) await files.delete(blobKey(blob, index))
}
