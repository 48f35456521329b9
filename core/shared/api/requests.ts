/** Schemas of secret requests and their submissions. */
import { z } from 'zod'
import { ARMOR_BEGIN } from '../age-armor.js'
import { FILES_MAX, REQUEST_NOTE_MAX, SUBMISSIONS_MAX, TTL_MIN } from '../limits.js'
import { isRecipient } from '../recipient.js'
import { isRequestId } from '../request-link.js'
import { content, count, FileId, id, ipRange, isArmor, notifyWarning, proof, shortText, time } from './common.js'
import { limitedList } from './limited-list.js'

export const RequestId = z.string().refine(isRequestId).describe('22 characters')

const armored = z.string().refine(isArmor, 'must be an age file with ASCII armor')

export const CreateRequest = z.strictObject({
  recipient: z
    .string()
    .refine(isRecipient, 'must be an age1pq recipient (ML-KEM-768 + X25519)')
    .describe('age recipient for which submissions are encrypted'),
  submit: proof.describe('submit proof, which the request link contains'),
  collect: proof.describe('collect proof, which the collect link contains'),
  note: armored
    .max(REQUEST_NOTE_MAX)
    .optional()
    .describe('encrypted title and instructions: an age file with ASCII armor'),
  ttl: z.int().min(TTL_MIN).describe('seconds'),
  maxSubmissions: z.int().min(1).max(SUBMISSIONS_MAX).default(1),
  maxBytes: z.int().min(1).optional().describe('maximum size of a submission, in encrypted bytes of text and files'),
  allowFiles: z.boolean().default(true),
  allowedIp: ipRange.optional().describe('address or range that may submit'),
  notify: z
    .boolean()
    .default(false)
    .describe('notify the owner about submissions. Needs an account and a subscriber for its events'),
})

export type CreateRequest = z.input<typeof CreateRequest>

export const CreatedRequest = z.object({
  id,
  url: shortText.describe('the request link without the fragment, which the client adds'),
  expiresAt: time,
  notifyWarning: notifyWarning.optional(),
})

export type CreatedRequest = z.infer<typeof CreatedRequest>

export const OpenRequest = z.strictObject({ submit: proof })

export type OpenRequest = z.input<typeof OpenRequest>

const note = content('application/age').nullable().describe('encrypted title and instructions; null: none')

export const OpenedRequest = z.object({
  recipient: shortText,
  note,
  expiresAt: time,
  submissionsLeft: count,
  maxBytes: count.nullable().describe('null: only the limits of the server apply'),
  maxFileBytes: count.describe('maximum size of a file of the requester, in plaintext bytes'),
  allowFiles: z.boolean(),
})

export type OpenedRequest = z.infer<typeof OpenedRequest>

export const CreateSubmission = z.strictObject({
  submit: proof,
  text: armored
    .describe('age file for the recipient of the request')
    .meta({ examples: [`${ARMOR_BEGIN}\n...\n-----END AGE ENCRYPTED FILE-----\n`] }),
  ttl: z.int().min(TTL_MIN).optional().describe('seconds; at most, and by default, until the request expires'),
  files: limitedList(z.strictObject({ id: FileId, token: proof }), { max: FILES_MAX })
    .optional()
    .describe('uploaded before with POST /files and `Authorization: Request {id}.{submit}`'),
})

export type CreateSubmission = z.input<typeof CreateSubmission>

export const CreatedSubmission = z.object({ id, expiresAt: time })

export type CreatedSubmission = z.infer<typeof CreatedSubmission>

export const CollectRequest = z.strictObject({ collect: proof })

export type CollectRequest = z.input<typeof CollectRequest>

export const CollectedRequest = z.object({
  note,
  expiresAt: time,
  submissions: z
    .array(
      z.object({
        id: id.describe('open it with POST /secret/{id} and the collect proof as `access`'),
        createdAt: time,
        expiresAt: time,
        size: count.describe('encrypted bytes of text and files'),
        files: count.describe('number of files'),
        viewed: z.boolean().describe('opened, burned or expired'),
      }),
    )
    .describe('oldest first'),
})

export type CollectedRequest = z.infer<typeof CollectedRequest>

/** Empty for the owner, who does not need a proof. */
export const CloseRequest = z.strictObject({ collect: proof.optional() })

export type CloseRequest = z.input<typeof CloseRequest>

export const OwnRequest = z.object({
  id,
  createdAt: time,
  expiresAt: time,
  submissions: count.describe('received so far'),
  unopened: count.describe('submissions that were not opened, were not burned and have not expired'),
  maxSubmissions: count,
  allowFiles: z.boolean(),
})

export type OwnRequest = z.infer<typeof OwnRequest>

export const OwnRequests = z.array(OwnRequest)
