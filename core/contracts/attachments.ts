/** What a storage keeps about files. Their bytes are in a FileStore; here is who may have them, and until when. */

/**
 * A file in sealed parts. Its row is the lease of its blobs: it is there before the first of them and until after the
 * last. It begins as an upload; creating a secret binds it.
 */
export interface Attachment {
  id: string
  /** What the keys of its blobs begin with: 24 characters of [a-z0-9]. Unique. */
  blob: string
  /** Bytes of all sealed parts together. */
  size: number
  /** How many there are. */
  parts: number
  /** Hex SHA-256 of the token that its uploader has. */
  tokenHash: string
  /** Hex; whose upload it is, as far as limits go. */
  uploader: string
  /** null: an upload that no secret has claimed. */
  secretId: string | null
  /** Plaintext, so only of public secrets. */
  name: string | null
  /** Media type; plaintext, so only of public secrets. */
  type: string | null
  /** End of the lease, in epoch ms. From then on it is absent, and its blobs are deleted. */
  expiresAt: number
}

/** How much one uploader may do. */
export interface UploadLimits {
  /** Uploads that are open at once. */
  open: number
  /** Bytes in a window; null: any. */
  bytes: number | null
  /** Length of a window, which begins with its first upload. */
  windowMs: number
}

/** Which limit an upload would break, and when that may have changed (epoch ms). */
export interface Refused {
  limit: 'open' | 'bytes'
  until: number
}

/** A file that a new secret brings along. */
export interface Binding {
  id: string
  /** Hex SHA-256 of the token that the caller shows. */
  tokenHash: string
}

/** Leave to download one file. */
export interface Ticket {
  /** Hex SHA-256 of what the reader has. */
  hash: string
  attachmentId: string
  expiresAt: number
}

/** Times are epoch ms and always passed in. What is past its lease is absent to every method but `expired`. */
export interface AttachmentStore {
  /**
   * Begins an upload, or answers why not and changes nothing. Exact, however many come at once: of one uploader no more
   * than `limits.open` uploads are unbound, and no more than `limits.bytes` were begun in a window.
   */
  reserve(attachment: Attachment, limits: UploadLimits, now: number): Promise<Refused | null>
  find(id: string, now: number): Promise<Attachment | null>
  /**
   * Notes that a blob is stored, and moves the end of an upload to `expiresAt`; what is bound keeps its end. Repeating it
   * is fine. False when the lease is over: then the blob is nobody's.
   */
  partStored(id: string, index: number, expiresAt: number, now: number): Promise<boolean>
  /** Indexes of the parts that are stored, ascending. */
  storedParts(id: string, now: number): Promise<number[]>
  /** Ends an upload now. False when it is absent or bound. */
  cancel(id: string, now: number): Promise<boolean>
  /** Ends every upload of this uploader that no secret has claimed; answers how many. */
  cancelAll(uploader: string, now: number): Promise<number>
  /** The files of a secret, in the order in which it was given them. They stay when the secret is used up. */
  ofSecret(secretId: string, now: number): Promise<Attachment[]>
  /**
   * Opens tickets; one that is there already stays as it is. `leaseEnd`: the secret is used up, so its files end then
   * unless they end before.
   */
  openTickets(secretId: string, tickets: Ticket[], leaseEnd: number | null): Promise<void>
  /** The file that an open ticket is for, unless its own time is over. */
  byTicket(hash: string, now: number): Promise<Attachment | null>
  /**
   * Ends the files whose secret is gone while none of their tickets is open, and forgets tickets that have ended.
   * For what a crash left behind: whoever uses a secret up or burns it ends its files as well.
   */
  settle(now: number): Promise<void>
  /** Up to `limit` whose lease is over, those that ended first coming first. */
  expired(now: number, limit: number): Promise<Attachment[]>
  /** Deletes the rows, once the blobs are gone. */
  forget(ids: string[]): Promise<void>
  /** Those of the given beginnings of keys that have a row. */
  known(blobs: string[]): Promise<string[]>
}
