/** Schemas of secrets. */
import { z } from 'zod'
import { FILE_NAME_MAX, FILES_MAX, MAX_VIEWS, PASSWORD_MAX, RECIPIENTS_MAX, TTL_MIN } from '../limits.js'
import { Email } from './account.js'
import {
  claim,
  content,
  count,
  FileId,
  id,
  ipRange,
  isArmor,
  isWellFormed,
  kind,
  notifyWarning,
  proof,
  secretId,
  shortText,
  time,
  title,
  viewsLeft,
} from './common.js'
import { limitedList } from './limited-list.js'

const password = z
  .string()
  .min(1)
  .max(PASSWORD_MAX, { abort: true })
  .refine(isWellFormed, 'must be well-formed Unicode')

/** 1 to 255 visible ASCII characters. */
export const IdempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')

/** In place of `z.base64()`, which decodes the text and takes several times as long. */
const base64 = z
  .string()
  .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'must be base64')
  .refine((text) => text.length % 4 === 0, 'must be base64')
  .meta({ contentEncoding: 'base64' })

/** A file that was uploaded in parts before. `token`: from the response to `POST /files`. */
const UploadedFile = z.strictObject({ id: FileId, token: proof })

/** A small file of a raw or public secret. */
const InlineFile = z.strictObject({
  name: title.max(FILE_NAME_MAX),
  type: title.max(FILE_NAME_MAX).default('application/octet-stream').describe('media type'),
  content: base64.describe('base64'),
})

export const CreateSecret = z
  .strictObject({
    text: z.string().min(1).refine(isWellFormed, 'must be well-formed Unicode'),
    ttl: z.int().min(TTL_MIN).describe('seconds'),
    maxViews: z.int().min(1).max(MAX_VIEWS).optional(),
    preventBurn: z
      .boolean()
      .optional()
      .describe('the secret ends only when it expires; views are counted but not limited'),
    allowedIp: ipRange.optional(),
    recipients: limitedList(Email, { min: 1, max: RECIPIENTS_MAX })
      .optional()
      .describe(
        'named recipients: e-mail addresses whose readers may view the secret, each with a code that is mailed to it; one view each unless `maxViews` is set',
      ),
    notify: z.boolean().optional().describe('notify the account about the secret, in the language of Accept-Language'),
    receipt: z.boolean().optional().describe('return a receipt link, which shows views and end of the secret'),
    isPublic: z.boolean().optional(),
    title: title.optional().describe('raw and public only; the title of a sealed secret is in the ciphertext'),
    password: password.optional().describe('sealed: the password proof; raw and public: the password'),
    access: proof.optional().describe('access proof; present: the secret is sealed'),
    files: limitedList(z.union([UploadedFile, InlineFile]), { max: FILES_MAX })
      .optional()
      .describe('sealed: uploaded before with POST /files; raw and public: inline, in total as large as a text'),
  })
  .superRefine((body, ctx) => {
    const addIssue = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message })
    const isSealed = body.access !== undefined
    const { recipients = [] } = body
    if (new Set(recipients).size < recipients.length) addIssue('recipients', 'must not contain an address twice')
    if (body.isPublic && body.recipients) addIssue('recipients', 'must not be set for a public secret')
    for (const [index, file] of (body.files ?? []).entries()) {
      const isInline = 'content' in file
      const expected = isSealed ? 'uploaded with POST /files' : 'given inline with name and content'
      if (isInline === isSealed) addIssue(`files.${index}`, `must be ${expected}`)
    }
    if (!isSealed) {
      if (body.isPublic && body.text.includes('\0'))
        addIssue('text', 'must not contain NUL characters in a public secret')
      return
    }
    if (body.isPublic) addIssue('isPublic', 'must not be set for a sealed secret')
    if (body.title !== undefined) addIssue('title', 'must be inside the ciphertext of a sealed secret')
    if (!isArmor(body.text)) addIssue('text', 'must be an age file with ASCII armor if `access` is set')
    if (body.password !== undefined && !proof.safeParse(body.password).success) {
      addIssue('password', 'must be the password proof (43 base64url characters) of a sealed secret')
    }
  })

export type CreateSecret = z.input<typeof CreateSecret>

export const CreatedSecret = z.object({
  id: secretId,
  url: shortText.describe('of a sealed secret without the key, which the client adds as the fragment'),
  burnToken: proof,
  expiresAt: time,
  maxViews: viewsLeft,
  kind,
  receipt: shortText.optional().describe('receipt link, if the request asked for one'),
  notifyWarning: notifyWarning.optional(),
  zeroKnowledge: z.literal(false).optional().describe('raw only: the server received the plaintext'),
})

export type CreatedSecret = z.infer<typeof CreatedSecret>

export const SecretExists = z.object({
  id: secretId,
  maxViews: viewsLeft,
  passwordRequired: z.boolean(),
  codeRequired: z.boolean().describe('the secret has named recipients: see POST /secret/{id}/code'),
  expiresAt: time,
  files: count.describe('number of files'),
  kind,
})

export type SecretExists = z.infer<typeof SecretExists>

export const ViewSecret = z.strictObject({
  access: proof.optional(),
  password: password.optional(),
  code: z
    .string()
    .regex(/^\d{8}$/, 'must be 8 digits')
    .optional()
    .describe('of a secret with named recipients: from the e-mail; not needed to repeat a request with the same claim'),
  claim,
})

export type ViewSecret = z.input<typeof ViewSecret>

export const RequestCode = z.strictObject({ access: proof.optional(), email: Email })

export type RequestCode = z.output<typeof RequestCode>

export const ViewedSecret = z.object({
  id: secretId,
  kind,
  text: content('text/plain'),
  title: shortText.nullable().describe('null: none, or in the ciphertext'),
  files: z.array(
    z.object({
      id,
      size: count.describe('total bytes to download'),
      parts: count,
      key: proof.describe('download ticket for POST /download'),
      name: shortText.optional().describe('raw and public only; of a sealed secret in the ciphertext'),
      type: shortText.optional().describe('raw and public only'),
    }),
  ),
  maxViews: viewsLeft,
  preventBurn: z.boolean(),
  isPublic: z.boolean(),
  expiresAt: time,
})

export type ViewedSecret = z.infer<typeof ViewedSecret>

export const AckSecret = z.strictObject({
  access: proof.optional(),
  claim,
  damaged: z.literal(true).optional().describe('the reader refused the content: its check failed'),
})

export type AckSecret = z.input<typeof AckSecret>

export const BurnSecret = z
  .strictObject({ burnToken: proof.optional(), access: proof.optional() })
  .describe('one of them is required, except for the full id of a raw secret')

export type BurnSecret = z.input<typeof BurnSecret>

export const BurnedSecret = z.object({ burned: z.literal(true) })

export type BurnedSecret = z.infer<typeof BurnedSecret>

export const LowerLimits = z
  .strictObject({
    burnToken: proof.optional().describe('required unless the caller is signed in as the creator'),
    maxViews: z.int().min(1).max(MAX_VIEWS).optional().describe('at most the current limit'),
    ttl: z.int().min(TTL_MIN).optional().describe('seconds from now; at most the remaining time'),
    allowedIp: ipRange.optional().describe('inside the current range'),
  })
  .refine((body) => [body.maxViews, body.ttl, body.allowedIp].some((limit) => limit !== undefined), {
    message: 'at least one of maxViews, ttl and allowedIp is required',
    path: ['maxViews'],
  })
  .meta({ examples: [{ maxViews: 1 }] })

export type LowerLimits = z.input<typeof LowerLimits>

export const LoweredLimits = z.object({
  id: secretId,
  maxViews: viewsLeft,
  expiresAt: time,
  allowedIp: shortText.nullable().describe('null: any address'),
})

export type LoweredLimits = z.infer<typeof LoweredLimits>

export const PublicSecret = z.object({
  id: secretId,
  title: shortText.nullable(),
  username: shortText.nullable(),
  createdAt: time,
  expiresAt: time,
})

export type PublicSecret = z.infer<typeof PublicSecret>

export const PublicSecrets = z.array(PublicSecret)
