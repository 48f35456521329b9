/** Schemas of the instance: public settings and statistics. */
import { z } from 'zod'
import { STATS_LIVE_MAX } from '../account-limits.js'
import { InstanceSettings } from './admin.js'

const SignInProvider = z.object({
  id: z.string(),
  label: z.string().describe('what the button says; empty where there is none'),
  kind: z
    .enum(['password', 'redirect', 'header'])
    .describe(
      'redirect: go to /authentication/{id}/start; header: a reverse proxy says who is calling, ask /authentication/verify',
    ),
  signOutUrl: z.string().optional().describe('header: where a browser signs out of the proxy, if that is known'),
})

export const PublicSettings = z.object({
  ...InstanceSettings.omit({ restrict_organization_email: true }).shape,
  limits: z.object({
    maxTextBytes: z.int().describe('of the text before it is sealed'),
    ttlMin: z.int().describe('seconds'),
    ttlMax: z.int().describe('seconds, for this caller'),
    maxViews: z.int(),
    maxFileBytes: z.int().describe('of a file before it is sealed'),
    maxFiles: z.int().describe('of one secret'),
    passwordMin: z.int().describe("characters of an account's password; an administrator's has at least 12"),
    passwordMax: z.int(),
  }),
  signUp: z.boolean().describe('whether people can make an account for themselves'),
  organizationEmail: z.boolean().describe('whether its e-mail address must be in certain domains, which are not told'),
  setUp: z.boolean().describe('there is no administrator yet: the code that the server printed makes one'),
  providers: z.array(SignInProvider).describe('ways to sign in, in the order in which to offer them'),
  uploads: z.boolean().describe('whether this caller may upload files'),
  address: z.string().nullable().describe('the address this call came from, as allowedIp sees it'),
  version: z.string(),
})

export type PublicSettings = z.infer<typeof PublicSettings>

const count = z.int().nullable().describe('null: 1 to 4, so that no single act stands out')

const counts = {
  created: count,
  opened: count.describe('opened for the first time'),
  viewed: count,
  'used-up': count.describe('ended by their last view'),
  burned: count.describe('ended by hand'),
  expired: count.describe('ended by their time'),
  files: count,
  'with-password': count,
  'with-files': count,
  'with-address': count.describe('limited to network addresses'),
  public: count,
}

/** Counts per day in UTC. */
export const Stats = z.object({
  days: z
    .array(z.object({ day: z.string().describe('such as 2026-11-21, in UTC'), ...counts }))
    .describe('the last 30, the oldest first'),
  total: z.object(counts).describe('of these days'),
  live: count.describe(`secrets that are there right now, counted up to ${STATS_LIVE_MAX}`),
  medianWait: z
    .int()
    .nullable()
    .describe('half of those that were opened in these days were so within as many seconds, rounded up; null: too few'),
})

export type Stats = z.infer<typeof Stats>
