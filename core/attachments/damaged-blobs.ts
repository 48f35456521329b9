/**
 * Blobs that are longer or shorter than their rows say. Without this, clients would retry until they give up after ten
 * minutes.
 */
import { LRUCache } from 'lru-cache'
import { AppError } from '../lib/errors.js'
import { lazy } from '../lib/lazy.js'
import type { Log } from '../lib/log.js'

/** Capacity. */
const BLOBS_MAX = 1000
/** One wrong length may be a failure of the connection to the store. */
const TRIES = 2
/** The operator may restore the blob meanwhile. */
const REMEMBERED_MS = 60_000

export type DamagedBlobs = ReturnType<typeof createDamagedBlobs>

/** Counted in this process. */
export function createDamagedBlobs(log: Log) {
  /** Wrong lengths in a row, by blob key. */
  const getCounts = lazy(() => new LRUCache<string, number>({ max: BLOBS_MAX, ttl: REMEMBERED_MS }))

  return {
    /** Throws AppError `file.damaged`. */
    assertSound(key: string): void {
      if ((getCounts().get(key) ?? 0) >= TRIES) throw new AppError('file.damaged')
    },
    recordWrongLength(key: string): void {
      const count = (getCounts().get(key) ?? 0) + 1
      getCounts().set(key, count)
      if (count === TRIES) log.error('a stored file has a wrong length', { blob: key })
    },
    recordRightLength(key: string): void {
      getCounts().delete(key)
    },
  }
}
