/** Schemas of the instance: public settings and statistics. */
import { z } from 'zod'
import { STATS_LIVE_MAX } from '../account-limits.js'
import { PROCESS_ROLES } from '../process-role.js'
import { PublicInstanceSettings } from './admin.js'
import { count, shortText } from './common.js'
import { OwnPolicy } from './policies.js'
import { OfferedPreset } from './presets.js'

const SignInProvider = z.object({
  id: shortText,
  label: shortText.describe('label of the button; may be empty'),
  kind: z
    .enum(['password', 'redirect', 'header'])
    .describe(
      'redirect: open /authentication/{id}/start; header: a reverse proxy authenticates, call /authentication/verify',
    ),
  signOutUrl: shortText.optional().describe('header: URL for signing out of the proxy'),
})

export const PublicSettings = z.object({
  ...PublicInstanceSettings.shape,
  limits: z.object({
    maxTextBytes: count.describe('maximum length of a text in plaintext bytes'),
    ttlMin: count.describe('seconds'),
    ttlMax: count.describe('seconds, for this caller'),
    ttlMaxUser: count.describe('seconds, for signed-in users'),
    maxViews: count,
    maxFileBytes: count.describe('maximum size of a file in plaintext bytes'),
    maxFiles: count.describe('maximum number of files of a secret'),
    passwordMin: count.describe("minimum length of an account's password; 12 for administrators"),
    passwordMax: count,
    readGraceSeconds: count.describe(
      'time in which a claim gets the same view again until it is acknowledged, in seconds; 0: never',
    ),
    downloadGraceSeconds: count.describe('time to download the files of a secret after a view, in seconds'),
  }),
  signUp: z.boolean().describe('whether users can register'),
  organizationEmail: z.boolean().describe('whether registration requires an e-mail address of certain domains'),
  setUp: z.boolean().describe('whether the first administrator must still be created with the setup code'),
  providers: z.array(SignInProvider).describe('sign-in providers, in display order'),
  canCreate: z.boolean().describe('whether the caller may create secrets'),
  emailUnverified: z
    .boolean()
    .describe('whether the caller must verify the e-mail address before doing what only users may do'),
  deniedByGroups: z
    .boolean()
    .describe('whether the groups of the caller at the sign-in provider do not allow to create secrets and requests'),
  policy: OwnPolicy,
  presets: z.array(OfferedPreset).describe('options that an administrator named and the policy of the caller allows'),
  uploads: z.boolean().describe('whether the caller may upload files'),
  requests: z.boolean().describe('whether the caller may create secret requests'),
  passwordReset: z.boolean().describe('whether the server sends links that set a new password'),
  notifications: z.boolean().describe('whether the server can notify users about their secrets'),
  canNotify: z.boolean().describe('whether the caller can be notified about a secret, by the server or a webhook'),
  webhooks: z.boolean().describe('whether users can add webhooks'),
  emailVerification: z.boolean().describe('whether the server verifies e-mail addresses'),
  address: shortText.nullable().describe('IP address of the caller, as checked against allowedIp'),
  role: z.enum(PROCESS_ROLES).describe('open: this server only opens secrets, answers requests and collects by link'),
  version: shortText,
})

export type PublicSettings = z.infer<typeof PublicSettings>

const hiddenCount = count.nullable().describe('a multiple of 5, with noise that hides single events; null: about 0')

const counts = {
  created: hiddenCount,
  opened: hiddenCount.describe('viewed for the first time'),
  viewed: hiddenCount,
  'used-up': hiddenCount.describe('ended with their last view'),
  burned: hiddenCount.describe('ended by a burn'),
  expired: hiddenCount.describe('ended by expiry'),
  files: hiddenCount,
  'with-password': hiddenCount,
  'with-files': hiddenCount,
  'with-address': hiddenCount.describe('limited to an IP address or range'),
  public: hiddenCount,
}

/** Counts per day in UTC. */
export const Stats = z.object({
  days: z
    .array(z.object({ day: shortText.describe('such as 2026-11-21, in UTC'), ...counts }))
    .describe('the last 30 days, oldest first'),
  total: z.object(counts).describe('totals of these days'),
  live: hiddenCount.describe(`live secrets, counted up to ${STATS_LIVE_MAX}`),
  medianWait: z
    .int()
    .nullable()
    .describe('median time from creation to the first view, in seconds, rounded up; null: too few views'),
})

export type Stats = z.infer<typeof Stats>
