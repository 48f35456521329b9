/** Schemas of policies: allowed options of audiences for their secrets, requests and files. */
import { z } from 'zod'
import {
  COLUMN_NAMES,
  FIXED_AUDIENCES,
  GROUP_NAME_MAX,
  GROUP_PREFIX,
  LIFETIMES_MAX,
  type PolicyColumn,
} from '../policies.js'
import { Username } from './account.js'
import { count, documentVersion, isOneLine, isWellFormed, lifetime, readVersion, shortText, views } from './common.js'
import { limitedList } from './limited-list.js'

const Lifetime = z
  .strictObject({ min: lifetime, max: lifetime })
  .refine(({ min, max }) => min <= max, 'must have a min that is not above max')
  .describe('seconds, both inclusive')

const lifetimes = limitedList(Lifetime, { min: 1, max: LIFETIMES_MAX })

const columns = {
  lifetimes: lifetimes.describe('allowed lifetimes of secrets and requests'),
  defaultTtl: lifetime.describe('lifetime that forms start with, in seconds'),
  maxViews: views.describe('1: one-time only. With any value, views cannot be unlimited'),
  defaultViews: views.describe('views that forms start with'),
  password: z.enum(['offered', 'required']).describe('required: the client attests a password by sending its proof'),
  requireAddress: z.boolean().describe('secrets and requests must be limited to an address or range'),
  files: z.boolean().describe('whether secrets may have files'),
  maxFileBytes: z.int().min(1).describe('of one file, before encryption'),
  mayCreate: z.boolean().describe('whether secrets may be created'),
  mayRequest: z.boolean().describe('whether requests may be created'),
} satisfies Record<PolicyColumn, z.ZodType>

export const Policy = z
  .strictObject(columns)
  .partial()
  .describe('for absent fields, another row or the configuration decides')

const audience = z
  .string()
  .min(1)
  .max(GROUP_PREFIX.length + GROUP_NAME_MAX, { abort: true })
  .refine(
    (name) =>
      FIXED_AUDIENCES.some((each) => each === name) ||
      (name.startsWith(GROUP_PREFIX) && name.length > GROUP_PREFIX.length),
    'must be visitors, users, administrators or group:NAME',
  )
  .refine((name) => isWellFormed(name) && isOneLine(name), 'must be one line without control characters')

/** Stored rows were checked when they were changed. */
const lifetimesOf = z.array(z.object({ min: count, max: count }))

const rows = z.record(shortText, z.object({ ...columns, lifetimes: lifetimesOf }).partial())

/** The stored rows. */
export const StoredPolicies = rows

/** The rows of the instance by audience. */
export const PolicyTable = z.object({
  policies: rows,
  version: documentVersion,
})

export type PolicyTable = z.infer<typeof PolicyTable>

export const UpdatePolicies = z.strictObject({
  policies: z
    .record(audience, Policy.nullable())
    .describe('rows by audience: visitors, users, administrators or group:NAME; null removes a row'),
  version: readVersion,
})

export type UpdatePolicies = z.infer<typeof UpdatePolicies>

export const ExplainPolicy = z.strictObject({
  username: Username.optional().describe('absent: a visitor'),
})

/** Each effective value, and each group of the user, with its origin. */
export const ExplainedPolicy = z.object({
  groups: z.array(
    z.object({
      name: shortText,
      provider: shortText.nullable().describe('sign-in provider of the group; null: an administrator set it'),
    }),
  ),
  values: z.array(
    z.object({
      column: z.enum(COLUMN_NAMES),
      value: shortText.describe(
        'as `mayfly settings policy set` reads it, such as 1h..7d; unlimited: no maximum of views',
      ),
      from: z.array(shortText).describe('audiences of the rows that set it; empty: the configuration or the default'),
    }),
  ),
})

export type ExplainedPolicy = z.infer<typeof ExplainedPolicy>

/** The policy of the caller, in `GET /settings`. Its maximum values are in `limits`. */
export const OwnPolicy = z.object({
  lifetimes: lifetimesOf.describe('allowed lifetimes in seconds'),
  ttl: count.describe('lifetime that forms start with, in seconds: the default of the caller, or of the policy'),
  views: count.describe('views that forms start with: the default of the caller, or of the policy'),
  unlimitedViews: z.boolean().describe('whether preventBurn and public secrets without maxViews are allowed'),
  files: z.boolean().describe('false: no files, also for requests'),
  passwordRequired: z.boolean(),
  addressRequired: z.boolean(),
})
