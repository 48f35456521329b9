/** What the server's and the SDK's failures mean. Their messages quote requests, so only names and numbers go further. */
import { AppError } from '#core'

/** How servers say that a bucket or a disk is full, beside the status 507. No part is ever too large in itself. */
const FULL = [
  ...['EntityTooLarge', 'InsufficientStorageSpace', 'QuotaExceeded'],
  ...['XMinioAdminBucketQuotaExceeded', 'XMinioStorageFull'],
]

export interface Failure {
  /** The server's code, or that of the connection, or the name of the error. */
  name: string
  /** Of the answer; null when there was none. */
  status: number | null
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'unknown', status: null }
  const { name, code, $metadata } = error as Error & { code?: unknown; $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode ?? null
  const words = status === null && typeof code === 'string' ? code : name
  return { name: /^[A-Za-z]\w{0,63}$/.test(words) ? words : 'unknown', status }
}

/**
 * The server itself says that there is no such object. A bare 404 says it not: a proxy in between answers so when it
 * has lost its server, and a missing bucket is a mistake in the settings.
 */
export const isMissing = ({ name, status }: Failure): boolean => name === 'NoSuchKey' && status === 404

/** `file.unavailable`, or of a put `file.no_space`. */
export function translated(call: string, failure: Failure): AppError {
  const { name, status } = failure
  const cause = new Error(`${call}: the server of the files failed (${name} ${status ?? 'without an answer'})`)
  const isFull = call === 'put' && (status === 507 || (status !== null && FULL.includes(name)))
  return new AppError(isFull ? 'file.no_space' : 'file.unavailable', {}, { cause })
}
