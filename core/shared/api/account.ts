/** Schemas of sign-in and of the caller's own account: sessions, external identities and API tokens. */
import { z } from 'zod'
import { TOKEN_NAME_MAX, TOKEN_SECRETS_MAX } from '../account-limits.js'
import { EMAIL_MAX, USERNAME_MAX, USERNAME_MIN } from '../limits.js'
import { accountPassword, count, generated, ipRange, lifetime, role, shortText, time, title, views } from './common.js'
import { limitedList } from './limited-list.js'

/** The pattern is checked before lower-casing, which would turn a Kelvin sign into a k. */
export const Username = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9._-]{${USERNAME_MIN},${USERNAME_MAX}}$`),
    `must be ${USERNAME_MIN} to ${USERNAME_MAX} of a-z, 0-9, ".", "_" and "-"`,
  )
  .transform((name) => name.toLowerCase())

/** Printable ASCII with one `@` and a domain of letters, digits and hyphens. Lower-cased. */
export const Email = z
  .string()
  .max(EMAIL_MAX, { abort: true })
  .regex(
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/,
    'must be an e-mail address',
  )
  .transform((email) => email.toLowerCase())

export const Scope = z
  .enum(['secrets:create', 'secrets:read', 'account', 'admin', 'admin:read', 'admin:users', 'admin:settings'])
  .describe('`admin` includes the other ones that begin with it')

export const SignUp = z.strictObject({ email: Email, username: Username, password: accountPassword })

export type SignUp = z.input<typeof SignUp>

/** Any username: an invalid one gets the same error as an unknown one. */
export const SignIn = z.strictObject({ username: z.string().max(255), password: accountPassword })

export type SignIn = z.input<typeof SignIn>

/** `code`: the one-time code that the server prints as long as there is no administrator. */
export const SetUp = SignUp.extend({ code: z.string().max(64) })

export type SetUp = z.input<typeof SetUp>

export const ProviderId = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)

/**
 * A path of this origin. Browsers parse a path that starts with `//` or `/\\` as a host, and ignore control characters.
 */
export const OwnPath = z
  .string()
  .max(512, { abort: true })
  .regex(/^\/(?![/\\])[\x21-\x7e]*$/, 'must be a path of this site')
  .refine((path) => !/[\\#]/.test(path), 'must be a path of this site')

export const StartSignIn = z.strictObject({ next: OwnPath.default('/').describe('path to open after the sign-in') })

export const RequestReset = z.strictObject({ email: Email })

export type RequestReset = z.output<typeof RequestReset>

export const ResetToken = z.strictObject({ token: z.string().max(64).describe('from the link in the e-mail') })

const kept = limitedList(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id from the list'), { max: 100 })

/** Access that a lock-out does not end. */
export const Keep = z
  .strictObject({
    tokens: kept.optional(),
    identities: kept.optional(),
    webhooks: kept.optional(),
    factors: kept.optional(),
  })
  .describe('ids of what stays; everything else ends')

export type Keep = z.output<typeof Keep>

export const ResetPassword = ResetToken.extend({ newPassword: accountPassword, keep: Keep.default({}) })

export type ResetPassword = z.input<typeof ResetPassword>

export const VerifyEmail = z.strictObject({ token: z.string().max(64).describe('from the link in the e-mail') })

export type VerifyEmail = z.output<typeof VerifyEmail>

export const VerifiedEmail = z.object({ email: shortText })

export type VerifiedEmail = z.infer<typeof VerifiedEmail>

export const SignedIn = z.object({ username: shortText })

export type SignedIn = z.infer<typeof SignedIn>

export const SignedOut = z.object({ signout: z.literal('ok') })

export const Account = z.object({
  username: shortText,
  email: shortText,
  role,
  generated,
  hasPassword: z.boolean().describe('false: the user signs in with an external provider'),
  createdAt: time,
  emailVerified: time.nullable().describe('when the user proved to read the messages of this address; null: not yet'),
  notifications: z.boolean().describe('whether the account gets the notifications that it asks for'),
  signInAlerts: z.boolean().describe('whether the account gets a message about each sign-in on a new device'),
  defaults: z
    .object({ ttl: count.nullable().describe('seconds'), views: count.nullable() })
    .describe('default of the forms of the user; null: the default of the policy'),
})

export type Account = z.infer<typeof Account>

export const AccountResponse = z.object({ user: Account })

export const SetNotifications = z.strictObject({
  enabled: z.boolean().optional().describe('notifications about secrets and requests'),
  signInAlerts: z.boolean().optional().describe('messages about sign-ins on new devices'),
})

export type SetNotifications = z.input<typeof SetNotifications>

/** The same limits as in policies. */
export const SetDefaults = z
  .strictObject({ ttl: lifetime.nullable(), views: views.nullable() })
  .partial()
  .describe('null removes a default, an absent field stays unchanged')

export type SetDefaults = z.output<typeof SetDefaults>

export const UploadUsage = z.object({
  usedBytes: count.describe('bytes sent since the first upload of the last 24 hours'),
  limitBytes: count.nullable().describe('maximum in 24 hours; null: no limit'),
  endsAt: time.nullable().describe('when usedBytes becomes 0; null: it is 0'),
})

export type UploadUsage = z.infer<typeof UploadUsage>

export const UpdateAccount = z
  .strictObject({
    currentPassword: accountPassword.optional().describe('required if the account has a password'),
    newPassword: accountPassword.optional(),
    confirmNewPassword: accountPassword.optional().describe('required with a new password'),
    email: Email.optional(),
    generated: generated.optional(),
  })
  .superRefine(({ newPassword, confirmNewPassword }, ctx) => {
    // Two fields of one request, not a stored credential: the comparison need not take constant time.
    if (Object.is(newPassword, confirmNewPassword)) return
    ctx.addIssue({ code: 'custom', path: ['confirmNewPassword'], message: 'must be the same as newPassword' })
  })

export type UpdateAccount = z.input<typeof UpdateAccount>

export const DeleteAccount = z.strictObject({
  password: accountPassword.optional().describe('required if the account has a password'),
})

export type DeleteAccount = z.input<typeof DeleteAccount>

export const DeletedAccount = z.object({ user: z.object({ username: shortText, action: z.literal('deleted') }) })

/** Id of a session or a token. */
const handle = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id from the list')

export const Session = z.object({
  id: shortText,
  client: shortText.describe('program and system, such as `Firefox on Windows`'),
  createdAt: time,
  seenAt: time,
  expiresAt: time,
  current: z.boolean().describe('the session of this request'),
})

export type Session = z.infer<typeof Session>

export const Sessions = z.array(Session)

export const EndSession = z.strictObject({
  id: handle.optional().describe('absent: all except the current session'),
})

/** Access that a lock-out ends. */
export const Access = z.object({
  sessions: z.array(z.object({ id: shortText, client: shortText, createdAt: time, seenAt: time })),
  tokens: z.array(z.object({ id: shortText, name: shortText, createdAt: time, usedAt: time.nullable() })),
  identities: z.array(
    z.object({
      id: shortText,
      provider: shortText,
      label: shortText.describe('label on the sign-in page; may be empty'),
      createdAt: time.nullable().describe('when it was connected; null: unknown'),
    }),
  ),
  webhooks: z.array(z.object({ id: shortText, name: shortText, host: shortText, createdAt: time })),
  factors: z.array(
    z.object({
      id: shortText.describe('of a passkey; `authenticator` or `recovery-codes`'),
      kind: z.enum(['passkey', 'authenticator', 'recovery-codes']),
      name: shortText.describe('of a passkey; otherwise empty'),
      createdAt: time.nullable().describe('null: recovery codes'),
      usedAt: time.nullable(),
    }),
  ),
})

export type Access = z.infer<typeof Access>

export const ResetAccess = Access.extend({
  username: shortText,
  passwordMin: count.describe('minimum length of the new password, in characters'),
})

export type ResetAccess = z.infer<typeof ResetAccess>

export const LockOut = z.strictObject({
  currentPassword: accountPassword.optional().describe('required if the account has a password'),
  newPassword: accountPassword.optional().describe('required if the account has a password'),
  keep: Keep.default({}),
})

export type LockOut = z.output<typeof LockOut>

/** External identities that are connected to an account. */
export const Identities = z.array(
  z.object({
    provider: shortText.describe('id of the provider'),
    label: shortText.describe('label on the sign-in page; may be empty'),
  }),
)

export type Identities = z.infer<typeof Identities>

/** URL at an external provider that the browser opens next. */
export const ProviderPage = z.object({
  url: z
    .string()
    .max(8192)
    .regex(/^https?:\/\//),
})

export const DisconnectIdentity = z.strictObject({ provider: ProviderId })

export const CreateToken = z.strictObject({
  name: title.max(TOKEN_NAME_MAX),
  expiresAt: time.optional().describe('epoch ms; default: in one year'),
  scopes: limitedList(Scope, { min: 1, max: 7 }).optional().describe('default: all scopes of the account'),
  maxSecrets: z
    .int()
    .min(1)
    .max(TOKEN_SECRETS_MAX)
    .optional()
    .describe('maximum number of secrets created with the token'),
  maxBytes: z.int().min(1).optional().describe('maximum total bytes of these secrets, as stored'),
  allowedIp: ipRange.optional(),
})

export type CreateToken = z.input<typeof CreateToken>

export const Token = z.object({
  id: shortText,
  name: shortText,
  scopes: z.array(Scope),
  createdAt: time,
  usedAt: time.nullable().describe('to the minute; null: never used'),
  expiresAt: time,
  secretsLeft: count.nullable(),
  bytesLeft: count.nullable(),
  allowedIp: shortText.nullable(),
})

export type Token = z.infer<typeof Token>

export const Tokens = z.array(Token)

export const CreatedToken = Token.extend({ token: shortText.describe('only in this response') })

export type CreatedToken = z.infer<typeof CreatedToken>

export const DeleteToken = z.strictObject({ id: handle })
