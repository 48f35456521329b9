/** Schemas that several parts of the API share. */
import { z } from 'zod'
import { ARMOR_BEGIN } from '../age-armor.js'
import { MAX_VIEWS, PASSWORD_MAX, TAKE_MAX, TITLE_MAX, TTL_MIN } from '../limits.js'
import { isSecretId } from '../link.js'
import { IP_RANGES } from '../option-schemas.js'

/** More than any name, label or address of a response. In UTF-16 code units. */
const SHORT_TEXT_MAX = 2000

/** Browsers of 2022 lack the method, which is six times as fast. */
export const isWellFormed = (text: string) => text.isWellFormed?.() ?? !/\p{Surrogate}/u.test(text)

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

/** The largest time of a Date. */
const TIME_MAX = 8.64e15

export const time = z.int().min(0).max(TIME_MAX).describe('epoch ms')

/** A number of things or bytes in a response. */
export const count = z.int().min(0)

/** Id of a file, request or submission in a response. */
export const id = z.string().regex(/^[A-Za-z0-9_-]{22}$/)

/** Id of a secret in a response: `{lookup}~{key}` of a raw secret. */
export const secretId = z.string().regex(/^[A-Za-z0-9_-]{22}(~[A-Za-z0-9_-]{43})?$/)

/** A name, label or other short text in a response. */
export const shortText = z.string().max(SHORT_TEXT_MAX)

/** A text in a response whose line ends and control characters have a meaning. `type`: its media type. */
export const content = (type: 'text/plain' | 'application/age') => z.string().meta({ contentMediaType: type })

export const title = z
  .string()
  .min(1)
  .max(TITLE_MAX, { abort: true })
  .refine(isWellFormed, 'must be well-formed Unicode')
  .refine(isOneLine, 'must be one line without control characters')

/** Of an IPv6 address with a zone and a prefix length. */
const IP_RANGE_MAX = 64
const NOT_IP_RANGE = 'must be an IP address or a CIDR range'

/** An IP address or a CIDR range. The length is checked first: zod splits a range at each `/`. */
export const ipRange = z
  .string()
  .max(IP_RANGE_MAX, { abort: true, error: NOT_IP_RANGE })
  .pipe(z.union(IP_RANGES, NOT_IP_RANGE))

export const SecretId = z.string().refine(isSecretId).describe('22 characters; `{lookup}~{key}` for raw secrets')

export const FileId = z.string().regex(/^[A-Za-z0-9_-]{21}[AQgw]$/, 'must be the id of a file (22 characters)')

/** 10 years in seconds, more than any configured maximum. */
const TTL_MAX = 315_360_000

/** A lifetime in seconds. The policy of the caller may allow less. */
export const lifetime = z.int().min(TTL_MIN).max(TTL_MAX)

/** A number of views. The policy of the caller may allow less. */
export const views = z.int().min(1).max(MAX_VIEWS)

/** The minimum length depends on the config and the role, so the server checks it later. */
export const accountPassword = z
  .string()
  .min(1)
  .max(PASSWORD_MAX, { abort: true })
  .refine(isWellFormed, 'must be well-formed Unicode')

export const generated = z.boolean().describe('the password was set by an administrator and should be changed')

export const role = z.enum(['user', 'admin'])

/** The account of the caller. Not in account.ts, whose schemas the pages of visitors do not need. */
export const Verified = z.object({ username: shortText, role, generated: z.boolean() })

export type Verified = z.infer<typeof Verified>

/** In the response to a request with `notify`. */
export const notifyWarning = z
  .enum(['address_not_verified', 'notifications_off'])
  .describe('why the account does not get e-mail at the moment, although the request asked for it')

export type NotifyWarning = z.infer<typeof notifyWarning>

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

/** Of policies and presets. */
export const documentVersion = count.describe('grows with each change; 0: there was none')
export const readVersion = count
  .optional()
  .describe('version of the response that the change is made from: settings.changed if there is a newer one')

export const kind = z.enum(['sealed', 'raw', 'public'])

export const viewsLeft = count.nullable().describe('views left; null: unlimited')
