/** Schemas that several parts of the API share. */
import { z } from 'zod'
import { ARMOR_BEGIN } from '../age-armor.js'
import { PASSWORD_MAX, TAKE_MAX, TITLE_MAX } from '../limits.js'
import { isSecretId } from '../link.js'

export const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text)

export const isOneLine = (text: string) => !/\p{Cc}/u.test(text)

/** A cheap check, so that plain text is not stored as encrypted by mistake. Only a reader can verify more. */
export const isArmor = (text: string) => text.startsWith(ARMOR_BEGIN) && /^[\n\r -~]+$/.test(text)

/** 32 bytes as base64url. */
export const PROOF_PATTERN = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** An access proof, token or key. */
export const proof = z
  .string()
  .regex(PROOF_PATTERN, 'must be 32 bytes as base64url (43 characters)')
  .describe('32 bytes as base64url')

export const claim = z
  .string()
  .regex(/^[A-Za-z0-9_-]{21}[AQgw]$/, 'must be 16 bytes as base64url (22 characters)')
  .describe('16 random bytes as base64url, the same for every retry')

export const time = z.int().describe('epoch ms')

export const title = z
  .string()
  .min(1)
  .max(TITLE_MAX)
  .refine(isWellFormed, 'must be well-formed Unicode')
  .refine(isOneLine, 'must be one line without control characters')

/** An IP address or a CIDR range. */
export const ipRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be an IP address or a CIDR range')

export const SecretId = z.string().refine(isSecretId).describe('22 characters; `{lookup}~{key}` for raw secrets')

export const FileId = z.string().regex(/^[A-Za-z0-9_-]{21}[AQgw]$/, 'must be the id of a file (22 characters)')

/** The minimum length depends on the config and the role, so the server checks it later. */
export const accountPassword = z.string().min(1).max(PASSWORD_MAX).refine(isWellFormed, 'must be well-formed Unicode')

export const generated = z.boolean().describe('the password was set by an administrator and should be changed')

export const role = z.enum(['user', 'admin'])

/** A whole number in a query string. */
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)

/** `skip` and `take` of a list. */
export const Page = z.strictObject({
  skip: wholeNumber.default(0),
  take: wholeNumber.refine((take) => take >= 1 && take <= TAKE_MAX, `must be 1 to ${TAKE_MAX}`).default(TAKE_MAX),
})

export type Page = z.output<typeof Page>

export const ApiError = z.object({
  statusCode: z.int(),
  error: z.string(),
  code: z.string().describe('stable; for programs'),
  message: z.string(),
  field: z.string().optional(),
  attemptsLeft: z.int().optional(),
  retryAfter: z.int().optional().describe('seconds'),
  requestId: z.string().optional().describe('of status 500 and above; the id in the server log'),
})

export type ApiError = z.infer<typeof ApiError>
