/** Schemas of the secrets of a user. In a separate file, because the first page does not need them. */
import { z } from 'zod'
import { count, kind, Page, secretId, shortText, time, viewsLeft } from './common.js'

export const OwnSecret = z.object({
  id: secretId,
  kind,
  title: shortText.nullable(),
  createdAt: time,
  expiresAt: time,
  maxViews: viewsLeft,
  passwordRequired: z.boolean(),
  files: count.describe('number of files'),
  isPublic: z.boolean(),
  preventBurn: z.boolean(),
  views: count.describe('views so far'),
  allowedIp: shortText.nullable().describe('null: any address'),
  receipt: z
    .object({
      viewedAt: time.nullable().describe('last view; null: never'),
      wrongPasswords: count,
      refusedAddresses: count.describe('attempts with the complete link from an address that is not allowed'),
    })
    .nullable()
    .describe('null: the secret was created without a receipt'),
  recipientViews: z
    .array(count)
    .describe('views of each named recipient, in the order of the request; empty: there are none'),
})

export type OwnSecret = z.infer<typeof OwnSecret>

export const OwnSecrets = z.array(OwnSecret)

const endedState = z.enum(['used-up', 'burned', 'expired']).describe('used-up: opened for the last time')

export const ListEndedSecrets = Page.extend({
  state: endedState.optional(),
  until: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a time in epoch ms')
    .transform(Number)
    .optional()
    .describe('epoch ms, inclusive: with the same value, later ends do not move the pages'),
})

export type ListEndedSecrets = z.output<typeof ListEndedSecrets>

export const ExportEndedSecrets = z.strictObject({
  format: z.enum(['csv', 'ndjson']).default('csv'),
  state: endedState.optional(),
})

export type ExportEndedSecrets = z.output<typeof ExportEndedSecrets>

export const EndedSecret = z.object({
  id: secretId,
  kind,
  state: endedState,
  createdAt: time,
  endedAt: time,
  views: count,
  maxViews: count.nullable().describe('the limit; null: unlimited'),
  passwordRequired: z.boolean(),
  files: count.describe('number of files'),
})

export type EndedSecret = z.infer<typeof EndedSecret>

export const EndedSecrets = z.array(EndedSecret)
