/** Contract of a file store plugin. The comments are requirements; the suite in core/testing checks each one. */
import type { Readable } from 'node:stream'
import type { EpochMs } from '../shared/epoch-ms.js'

/** A stored blob, as listed by `list`. */
export interface StoredBlob {
  key: string
  /** By the store's clock. */
  modifiedAt: EpochMs
}

/**
 * Stores blobs by keys that core generates: 32 characters of [a-z0-9], so a key is never a path. With any other key
 * every method throws and changes nothing. The store contains only ciphertext under random names.
 */
export interface FileStore {
  /** The connection leaves this machine without encryption, so that the operator is warned. */
  isUnencrypted?: boolean
  /** Readable location: a folder, or endpoint and bucket. Never with credentials. */
  location?: string
  /**
   * Stores exactly `size` bytes. Atomic: the old blob stays until the new one is completely durable. Of concurrent puts
   * for one key, one wins. Rejects with the error of `body` if that fails, and with AppError `request.invalid` if it is
   * longer or shorter than `size`; both change nothing. A full store throws AppError `file.no_space`. Any other error
   * is transient and throws AppError `file.unavailable`; then the old or the new blob is there. Must not destroy
   * `body`, because the response uses the same connection.
   */
  put(key: string, body: Readable, size: number): Promise<void>
  /**
   * Streams a blob. Throws AppError `file.not_found` only if the blob certainly does not exist; any other error is
   * transient and throws AppError `file.unavailable`. The stream ends only after the whole blob and fails if it is
   * interrupted. A concurrent `put` or `delete` does not change its content. It buffers only little ahead, and releases
   * all resources when destroyed.
   */
  get(key: string): Promise<Readable>
  /** All blobs, in any order. Concurrent changes may be missing. Files that core did not put are not listed. */
  list(): AsyncIterable<StoredBlob>
  /** Deletes the blob. Succeeds if it does not exist. */
  delete(key: string): Promise<void>
  /** Deletes remains of interrupted `put`s that were not written to since `before`. */
  deleteUnfinished(before: EpochMs): Promise<void>
  /** Throws if the store does not respond. */
  ping(): Promise<void>
}
