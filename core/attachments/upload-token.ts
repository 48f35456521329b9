/**
 * Upload tokens: 32 bytes as base64url that authorize the parts of one upload. Only a hash is stored. The token of an
 * upload for a secret request contains the id of the request and is hashed in another way, so that no other request and
 * no secret can bind the upload.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { App } from '../app.js'
import type { Attachment } from '../contracts/attachments.js'
import { AppError } from '../lib/errors.js'
import { drawSafeEnds } from '../shared/safe-ends.js'

const TOKEN_BYTES = 32
/** Random part of the token of a request. The rest are the 16 bytes of the id of the request. */
const RANDOM_BYTES = 16

/** Purpose of an upload: `null` for a secret, or the id of the secret request whose quota it uses. */
export type UploadPurpose = string | null

/** Creates a token, and the hash that is stored. */
export function createUploadToken(purpose: UploadPurpose): { token: string; tokenHash: string } {
  const requestId = purpose === null ? Buffer.alloc(0) : Buffer.from(purpose, 'base64url')
  const draw = () => Buffer.concat([randomBytes(TOKEN_BYTES - requestId.length), requestId]).toString('base64url')
  const token = drawSafeEnds(draw, (text) => text)
  return { token, tokenHash: hashToken(token, purpose) }
}

/** The hash under which an upload for `purpose` is stored. Null if the token is of another request. */
export function hashUploadToken(token: string, purpose: UploadPurpose): string | null {
  const requestId = purpose === null ? null : requestOf(token)
  return requestId === purpose ? hashToken(token, purpose) : null
}

/** Loads an open upload of any purpose. Throws AppError `file.not_found`, the same for every reason. */
export async function loadUpload({ storage, now }: App, id: string, token: string): Promise<Attachment> {
  const upload = await storage.attachments.find(id, now())
  const hashes = [hashToken(token, null), hashToken(token, requestOf(token))]
  const isAuthorized = upload && hashes.some((each) => isEqual(upload.tokenHash, each))
  if (!isAuthorized || upload.secretId !== null) throw new AppError('file.not_found')
  return upload
}

/** The id of the request in the token of a request; meaningless for another token. */
const requestOf = (token: string): string =>
  Buffer.from(token, 'base64url').subarray(RANDOM_BYTES).toString('base64url')

function hashToken(token: string, purpose: UploadPurpose): string {
  const label = purpose === null ? 'mayfly/v1/upload' : 'mayfly/v1/upload/request'
  return createHash('sha256').update(`${label}${token}`).digest('hex')
}

const isEqual = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b))
