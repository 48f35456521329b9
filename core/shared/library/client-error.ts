/** The error class of the library, and the conversion of other errors to it. */

import { InvalidResponseError } from '../check-json.js'
import { ApiError, BadResponseError, isOutcomeUnknown, NetworkError } from '../client/client.js'
import { DecryptError, type DecryptProblem } from '../crypto/age.js'
import type { RequestTampering } from '../crypto/submission.js'
import { LinkError, type LinkProblem } from '../link.js'

/** Codes of errors that the library detects itself. Codes of the server are in the OpenAPI document. */
export type LibraryErrorCode =
  | 'input.invalid'
  | 'file.changed'
  | 'network.failed'
  | 'response.invalid'
  | 'link.not_a_link'
  | 'link.incomplete'
  | 'link.newer_version'
  | 'link.several'
  | 'link.key_missing'
  | 'link.wrong_kind'
  | 'content.wrong_key'
  | 'content.invalid'
  | 'content.too_large'
  | 'request.recipient_changed'
  | 'submission.other_request'
  | 'submission.forged'

/** Details of an error besides its code and message. */
interface Details {
  statusCode?: number | undefined
  field?: string | undefined
  attemptsLeft?: number | undefined
  retryAfter?: number | undefined
  requestId?: string | undefined
  isOutcomeUnknown?: boolean
  cause?: unknown
}

/** An error of the library or of the server. Decide by `code`. */
export class MayflyError extends Error {
  override name = 'MayflyError'
  /** Stable: a LibraryErrorCode or a code of the server. `http.STATUS`: a response of a proxy. */
  readonly code: string
  /** Status of the response; null: no response. */
  readonly statusCode: number | null
  /**
   * Path of the invalid field of the input or the response, such as `ttl`; null: the error does not concern a field.
   */
  readonly field: string | null
  /** Password attempts left; null: not known. */
  readonly attemptsLeft: number | null
  /** Seconds after which a retry makes sense; null: not known. */
  readonly retryAfter: number | null
  /** Names the request in the log of the server; null: not known. */
  readonly requestId: string | null
  /** The server may have processed the request. */
  readonly isOutcomeUnknown: boolean

  constructor(code: string, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.statusCode = details.statusCode ?? null
    this.field = details.field || null
    this.attemptsLeft = details.attemptsLeft ?? null
    this.retryAfter = details.retryAfter ?? null
    this.requestId = details.requestId ?? null
    this.isOutcomeUnknown = details.isOutcomeUnknown ?? false
  }
}

const LINK_CODES: Record<LinkProblem, LibraryErrorCode> = {
  'not-a-link': 'link.not_a_link',
  incomplete: 'link.incomplete',
  'newer-version': 'link.newer_version',
  several: 'link.several',
}

const DECRYPT_CODES: Record<DecryptProblem, LibraryErrorCode> = {
  'wrong-key': 'content.wrong_key',
  hostile: 'content.invalid',
  'too-large': 'content.too_large',
}

const TAMPERING_CODES: Record<RequestTampering, LibraryErrorCode> = {
  recipient: 'request.recipient_changed',
  request: 'submission.other_request',
  forged: 'submission.forged',
}

/** Creates the error of an invalid argument. `field`: its name. */
export const inputError = (field: string, message: string): MayflyError =>
  new MayflyError('input.invalid', `${field}: ${message}`, { field })

/** Runs work and converts its errors. The reason of an aborted signal is thrown unchanged. */
export async function withClientErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toClientError(error)
  }
}

/** Returns the error to throw. Unknown errors stay as they are. */
export function toClientError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const details = { cause: error, isOutcomeUnknown: isOutcomeUnknown(error) }
  const { message } = error
  if (error instanceof ApiError) return new MayflyError(error.code, message, { ...error.body, ...details })
  if (error instanceof InvalidResponseError)
    return new MayflyError('response.invalid', message, { ...details, field: error.field })
  if (error instanceof BadResponseError) return new MayflyError('response.invalid', message, details)
  if (error instanceof NetworkError) return new MayflyError('network.failed', message, details)
  if (error instanceof LinkError) return new MayflyError(LINK_CODES[error.problem], message, details)
  if (error instanceof DecryptError) return new MayflyError(DECRYPT_CODES[error.problem], message, details)
  // By its name: the class is part of the code for requests, which is loaded when it is used.
  if (error.name === 'RequestTamperedError') {
    const { problem } = error as Error & { problem: RequestTampering }
    return new MayflyError(TAMPERING_CODES[problem], message, details)
  }
  return error
}
