/** Schemas of the instance: public settings and statistics. */
import { z } from 'zod'
import { STATS_LIVE_MAX } from '../account-limits.js'
import { PublicInstanceSettings } from './admin.js'

const SignInProvider = z.object({
  id: z.string(),
  label: z.string().describe('label of the button; may be empty'),
  kind: z
    .enum(['password', 'redirect', 'header'])
    .describe(
      'redirect: open /authentication/{id}/start; header: a reverse proxy authenticates, call /authentication/verify',
    ),
  signOutUrl: z.string().optional().describe('header: URL for signing out of the proxy'),
})

export const PublicSettings = z.object({
  ...PublicInstanceSettings.shape,
  limits: z.object({
    maxTextBytes: z.int().describe('maximum length of a text in plaintext bytes'),
    ttlMin: z.int().describe('seconds'),
    ttlMax: z.int().describe('seconds, for this caller'),
    ttlMaxUser: z.int().describe('seconds, for signed-in users'),
    maxViews: z.int(),
    maxFileBytes: z.int().describe('maximum size of a file in plaintext bytes'),
    maxFiles: z.int().describe('maximum number of files of a secret'),
    passwordMin: z.int().describe("minimum length of an account's password; 12 for administrators"),
    passwordMax: z.int(),
  }),
  signUp: z.boolean().describe('whether users can register'),
  organizationEmail: z.boolean().describe('whether registration requires an e-mail address of certain domains'),
  setUp: z.boolean().describe('whether the first administrator must still be created with the setup code'),
  providers: z.array(SignInProvider).describe('sign-in providers, in display order'),
  canCreate: z.boolean().describe('whether the caller may create secrets'),
  emailUnverified: z
    .boolean()
    .describe('whether the caller must verify the e-mail address before doing what only users may do'),
  uploads: z.boolean().describe('whether the caller may upload files'),
  requests: z.boolean().describe('whether the caller may create secret requests'),
  passwordReset: z.boolean().describe('whether the server sends links that set a new password'),
  notifications: z.boolean().describe('whether the server can notify users about their secrets'),
  canNotify: z.boolean().describe('whether the caller can be notified about a secret, by the server or a webhook'),
  webhooks: z.boolean().describe('whether users can add webhooks'),
  emailVerification: z.boolean().describe('whether the server verifies e-mail addresses'),
  address: z.string().nullable().describe('IP address of the caller, as checked against allowedIp'),
  version: z.string(),
})

export type PublicSettings = z.infer<typeof PublicSettings>

const count = z.int().nullable().describe('null: 1 to 4, hidden for privacy')

const counts = {
  created: count,
  opened: count.describe('viewed for the first time'),
  viewed: count,
  'used-up': count.describe('ended with their last view'),
  burned: count.describe('ended by a burn'),
  expired: count.describe('ended by expiry'),
  files: count,
  'with-password': count,
  'with-files': count,
  'with-address': count.describe('limited to an IP address or range'),
  public: count,
}

/** Counts per day in UTC. */
export const Stats = z.object({
  days: z
    .array(z.object({ day: z.string().describe('such as 2026-11-21, in UTC'), ...counts }))
    .describe('the last 30 days, oldest first'),
  total: z.object(counts).describe('totals of these days'),
  live: count.describe(`live secrets, counted up to ${STATS_LIVE_MAX}`),
  medianWait: z
    .int()
    .nullable()
    .describe('median time from creation to the first view, in seconds, rounded up; null: too few views'),
})

export type Stats = z.infer<typeof Stats>
