/** Rows of uploads, files and download tickets in a storage. The bytes are in a FileStore. */
import type { EpochMs } from '../shared/epoch-ms.js'

/**
 * A file of encrypted parts. Its row is a lease of its blobs: it exists before the first blob is written, and the blobs
 * are deleted before the last row with them is. It starts as an upload; creating a secret attaches it to the secret.
 * Of an upload for several secrets, each of them gets a copy of the row with the same blobs.
 */
export interface Attachment {
  /** Unique. */
  id: string
  /** Id for clients: of the upload. Its copies have the same id. */
  fileId: string
  /** Prefix of the keys of its blobs: 24 characters of [a-z0-9]. The same for all copies, and for no other file. */
  blob: string
  /** Bytes of all encrypted parts. */
  size: number
  /** Number of parts. */
  parts: number
  /** Hex SHA-256 of the upload token. */
  tokenHash: string
  /** Hex id of the uploader, for the upload limits. */
  uploader: string
  /** Id of the API token whose quota of bytes an upload reserves; null: none. */
  reservedFor: string | null
  /** Maximum number of secrets that can have it. With 1, the upload itself is attached instead of a copy. */
  copies: number
  /** Number of copies of an upload so far. 0 in a copy. */
  copiesMade: number
  /** null: an upload that is not attached to a secret. */
  secretId: string | null
  /** Plaintext, so set for public secrets only. */
  name: string | null
  /** Media type. Plaintext, so set for public secrets only. */
  type: string | null
  /** End of the lease. After it the row counts as absent, and its blobs are deleted. */
  expiresAt: EpochMs
}

/** Limits of one uploader. */
export interface UploadLimits {
  /** Maximum number of open uploads. */
  open: number
  /** Maximum bytes in a window; null: unlimited. */
  bytes: number | null
  /** Length of a window, which starts with its first upload. */
  windowMs: number
  /** Maximum `sumBytes` of all uploaders; null: unlimited. */
  storedBytes: number | null
  /** Maximum bytes of the open uploads with the same `reservedFor`, including this one. Absent: unlimited. */
  tokenBytes?: number
}

/** The limit that rejects an upload. `until`: when to try again. */
export type UploadRefusal = { limit: 'open' | 'bytes'; until: EpochMs } | { limit: 'stored' } | { limit: 'token' }

/** An upload to attach to a new secret. */
export interface Binding {
  id: string
  /** Hex SHA-256 of the upload token that the caller sent. */
  tokenHash: string
}

/** Permission to download one file. */
export interface Ticket {
  /** Hex SHA-256 of the reader's ticket. */
  hash: string
  attachmentId: string
  expiresAt: number
}

/**
 * Times are epoch ms and always passed in. Rows after the end of their lease are absent for every method except
 * `listEnded`, `removeEndedCopies` and `remove`.
 */
export interface AttachmentStore {
  /**
   * Starts an upload and returns null, or returns the limit that rejects it and changes nothing. Exact under
   * concurrency: an uploader never has more than `limits.open` open uploads, nor starts more than `limits.bytes` in a
   * window, and `sumBytes` never exceeds `limits.storedBytes`, nor do the open uploads of an API token exceed
   * `limits.tokenBytes`, where an upload with copies does not count: it was charged with the first one.
   */
  reserve(attachment: Attachment, limits: UploadLimits, now: number): Promise<UploadRefusal | null>
  find(id: string, now: number): Promise<Attachment | null>
  /**
   * Records that a part is stored, and extends an upload to `expiresAt`; an attached file keeps its end. Idempotent.
   * False if the lease has ended: then the blob is orphaned.
   */
  recordPart(input: { id: string; index: number; expiresAt: number; now: number }): Promise<boolean>
  /** Indexes of the stored parts, ascending. */
  listParts(id: string, now: number): Promise<number[]>
  /** Ends an upload now. False if it is absent or attached. Its copies stay. */
  cancel(id: string, now: number): Promise<boolean>
  /** Ends all uploads of this uploader that are not attached, and returns their number. */
  cancelAll(uploader: string, now: number): Promise<number>
  /** The files of a secret, in the order of `create`. They remain when the secret is used up. */
  listBySecret(secretId: string, now: number): Promise<Attachment[]>
  /**
   * Stores tickets; an existing one stays unchanged. `leaseEnd`: the secret is used up, so its files end at this time
   * unless they end earlier.
   */
  createTickets(secretId: string, tickets: Ticket[], leaseEnd: number | null): Promise<void>
  /** The file of a valid ticket. Null if the ticket or the file has expired. */
  findByTicket(hash: string, now: number): Promise<Attachment | null>
  /**
   * Ends files that have no valid ticket and whose secret or its text no longer exists, and deletes expired tickets.
   * Cleans up after a crash; normally the last view or a burn ends the files. Also corrects `sumBytes` after rows were
   * written raw.
   */
  endUnused(now: number): Promise<void>
  /**
   * Deletes up to `limit` rows whose lease has ended while the lease of another row with the same blobs has not.
   * Returns their number.
   */
  removeEndedCopies(now: number, limit: number): Promise<number>
  /** Up to `limit` rows with blobs whose leases have all ended, oldest end first. */
  listEnded(now: number, limit: number): Promise<Attachment[]>
  /**
   * Bytes of all files: uploads count with their whole size from their start, and ended files until their last row is
   * deleted. Copies count once. Takes the same time for any number of rows.
   */
  sumBytes(): Promise<number>
  /** Deletes all rows with these key prefixes, and returns their number. Called after the blobs are deleted. */
  remove(blobs: string[]): Promise<number>
  /** Returns the given key prefixes that have a row. */
  filterStored(blobs: string[]): Promise<string[]>
}
