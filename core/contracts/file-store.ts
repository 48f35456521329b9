/** What a file store plugin provides. The laws are in the comments; the suite in core/testing checks each one. */
import type { Readable } from 'node:stream'

/** One stored piece of ciphertext, as `list` finds it. */
export interface StoredBlob {
  key: string
  /** Epoch ms, by the clock of the store. */
  modifiedAt: number
}

/**
 * Keeps blobs under keys that core makes: 32 characters of [a-z0-9], so that a key is never a path. With any other key
 * every call throws and touches nothing. Whoever holds the store sees ciphertext under random names.
 */
export interface FileStore {
  /** Where it keeps things, for people: a folder, or endpoint and bucket; never with credentials. */
  location?: string
  /**
   * Stores exactly `size` bytes. What was under the key stays until all of the new is durable; then the new is there, whole.
   * Of several at once for one key, one wins whole. A body that fails rejects with its own error, one that is longer or
   * shorter than `size` with AppError `request.invalid`; neither changes anything. A store that is full throws AppError
   * `file.no_space`. Whatever else goes wrong is transient: it throws AppError `file.unavailable`, and then the old or
   * the new is there. `body` is never destroyed: an answer may still have to leave by the connection that it comes from.
   */
  put(key: string, body: Readable, size: number): Promise<void>
  /**
   * The bytes. Throws AppError `file.not_found` only when there is certainly no such blob; anything else is transient:
   * AppError `file.unavailable`. The stream ends only after the whole blob, and fails when something breaks it off; a
   * `put` or `delete` meanwhile does not change what it gives. It reads no further ahead than a few buffers, and
   * destroying it gives back all that it holds.
   */
  get(key: string): Promise<Readable>
  /** Every blob, in any order; what comes or goes meanwhile may be missing or stale. What core did not put is not in it. */
  list(): AsyncIterable<StoredBlob>
  /** Removes the blob; one that is not there is removed already. */
  delete(key: string): Promise<void>
  /** Removes what interrupted `put`s have left behind, as far as nothing was written to it since `before` (epoch ms). */
  tidy(before: number): Promise<void>
  /** Throws when the store does not answer. */
  ping(): Promise<void>
}
