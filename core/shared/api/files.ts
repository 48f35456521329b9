/** Schemas of uploads and downloads. */
import { z } from 'zod'
import { COPIES_MAX } from '../limits.js'
import { count, id, proof, SecretId } from './common.js'

export const CreateFile = z.strictObject({
  size: z.int().min(1).describe('bytes of all encrypted parts'),
  parts: z.int().min(1).describe('number of parts; all except the last have exactly `maxPartSize` bytes'),
  copies: z
    .int()
    .min(1)
    .max(COPIES_MAX)
    .optional()
    .describe('number of secrets that can have the file, each with its own link; default 1'),
})

export type CreateFile = z.input<typeof CreateFile>

export const CreatedFile = z.object({
  id,
  token: proof.describe('upload token for `Authorization: Upload {token}`'),
  maxPartSize: count.describe('bytes'),
})

export type CreatedFile = z.infer<typeof CreatedFile>

/** The header `Authorization: Upload {token}`. */
export const UploadAuthorization = z
  .string()
  .regex(/^Upload [A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'must be `Upload` and the token of the file')

/** The header `Authorization: Request {id}.{submit proof}`; other schemes identify the caller. */
export const RequestAuthorization = z
  .string()
  .regex(
    /^(?!request )|^Request [A-Za-z0-9_-]{21}[AQgw]\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/i,
    'must be `Request` and id and submit proof of the request',
  )

export const PartIndex = z
  .string()
  .regex(/^(0|[1-9]\d{0,5})$/)
  .transform(Number)

export const FileParts = z.object({ parts: z.array(count).describe('indexes of the stored parts') })

export type FileParts = z.infer<typeof FileParts>

export const Download = z.strictObject({
  key: proof.describe('download ticket of the file, from the view'),
  secretId: SecretId,
  part: z
    .int()
    .min(0)
    .optional()
    .describe('index of one part; absent: all parts, each preceded by its length as 32-bit big-endian'),
})

export type Download = z.input<typeof Download>
