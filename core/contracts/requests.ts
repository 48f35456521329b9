import type { EpochMs } from '../shared/epoch-ms.js'

/** Secret requests: links under which others submit secrets. */
export interface SecretRequest {
  id: string
  /** Id of a user of this storage; null: created anonymously. */
  ownerId: string | null
  /** age recipient, 1,959 ASCII characters. */
  recipient: string
  /** Encrypted title and instructions: an age file with ASCII armor of up to 8 KiB. null: none. */
  note: string | null
  /** Hex SHA-256 of the submit proof, which the request link contains. */
  submitHash: string
  /** Hex SHA-256 of the collect proof, which the collect link contains. */
  collectHash: string
  maxSubmissions: number
  /** Submissions so far. */
  submissions: number
  /** Maximum size of a submission in encrypted bytes; null: only the limits of the instance apply. */
  maxBytes: number | null
  allowFiles: boolean
  /** IP address or CIDR range that may submit; null: any. */
  allowedIp: string | null
  /** The owner asked for notifications about submissions: durable events of the request say so. */
  notify: boolean
  createdAt: EpochMs
  expiresAt: number
}

/** A request in the list of its owner. */
export interface ListedRequest extends SecretRequest {
  /** Number of submissions that were not viewed, were not burned and have not expired. */
  unopened: number
}

/** A submission is a secret. The request keeps this data about it, also when the secret is gone. */
export interface Submission {
  /** Id of the secret. */
  id: string
  createdAt: number
  expiresAt: number
  /** Encrypted bytes of text and files. */
  size: number
  /** Number of files. */
  files: number
  /** The secret was viewed or burned, or has expired. */
  viewed: boolean
}
