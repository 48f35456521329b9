/**
 * Meaning of errors of the server and the SDK. Their messages quote requests, so only names and status codes are kept.
 */
import { AppError } from '#core'

/**
 * Error codes for a full bucket or disk, besides status 507. `EntityTooLarge` is one of them, because parts never
 * exceed the size limit.
 */
const DISK_FULL = [
  'EntityTooLarge',
  'InsufficientStorageSpace',
  'QuotaExceeded',
  'XMinioAdminBucketQuotaExceeded',
  'XMinioStorageFull',
]

export interface Failure {
  /** Code of the server or of the connection, or the name of the error. */
  name: string
  /** Status code of the response; null without a response. */
  status: number | null
}

export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'unknown', status: null }
  const { name, code, $metadata } = error as Error & { code?: unknown; $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode ?? null
  const label = status === null && typeof code === 'string' ? code : name
  return { name: /^[A-Za-z]\w{0,63}$/.test(label) ? label : 'unknown', status }
}

/**
 * True when the server says that the object does not exist. A 404 alone is not enough: a proxy sends it without its
 * server, and the server sends it for a missing bucket.
 */
export const isMissing = ({ name, status }: Failure): boolean => name === 'NoSuchKey' && status === 404

/** `file.unavailable`, or `file.no_space` for a put. */
export function toFileError(method: string, failure: Failure): AppError {
  const { name, status } = failure
  const cause = new Error(`${method}: the S3 server failed (${name} ${status ?? 'without a response'})`)
  const isFull = method === 'put' && (status === 507 || (status !== null && DISK_FULL.includes(name)))
  return new AppError(isFull ? 'file.no_space' : 'file.unavailable', {}, { cause })
}
