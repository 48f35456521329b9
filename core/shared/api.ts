/** Every request and answer of the HTTP API, once: the server validates with it, OpenAPI is made from it, clients take its types. */
import { z } from 'zod'
import { STATS_LIVE_MAX, TOKEN_NAME_MAX, TOKEN_SECRETS_MAX } from './account-limits.js'
import { ARMOR_BEGIN } from './age.js'
import {
  EMAIL_MAX,
  FILE_NAME_MAX,
  FILES_MAX,
  MAX_VIEWS,
  PASSWORD_MAX,
  TAKE_MAX,
  TITLE_MAX,
  TTL_MIN,
  USERNAME_MAX,
  USERNAME_MIN,
} from './limits.js'
import { isSecretId } from './link.js'

const wellFormed = (text: string) => !/\p{Surrogate}/u.test(text)
const oneLine = (text: string) => !/\p{Cc}/u.test(text)

const proof = z
  .string()
  .regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'must be 32 bytes as base64url (43 characters)')
  .describe('32 bytes as base64url')
const claim = z
  .string()
  .regex(/^[A-Za-z0-9_-]{21}[AQgw]$/, 'must be 16 bytes as base64url (22 characters)')
  .describe('16 random bytes as base64url, chosen before the call and reused by every retry')
const time = z.int().describe('epoch ms')
const kind = z.enum(['sealed', 'raw', 'public'])
const viewsLeft = z.int().nullable().describe('views left; null when they are not limited')
const title = z
  .string()
  .min(1)
  .max(TITLE_MAX)
  .refine(wellFormed, 'must be well-formed Unicode')
  .refine(oneLine, 'must be one line without control characters')
const password = z.string().min(1).max(PASSWORD_MAX).refine(wellFormed, 'must be well-formed Unicode')
const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be an IP address or a CIDR range')

export const SecretId = z.string().refine(isSecretId).describe('22 characters; `{lookup}~{key}` for raw secrets')
/** 1 to 255 visible ASCII characters. */
export const IdempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')

const fileId = z.string().regex(/^[A-Za-z0-9_-]{21}[AQgw]$/, 'must be the id of a file (22 characters)')

/** A file that was uploaded before, in parts; `token` is what its upload was given. */
const UploadedFile = z.strictObject({ id: fileId, token: proof })
/** A small file of a raw or public secret, as it is. */
const InlineFile = z.strictObject({
  name: title.max(FILE_NAME_MAX),
  type: title.max(FILE_NAME_MAX).default('application/octet-stream').describe('media type'),
  content: z.base64().describe('base64'),
})

export const CreateSecret = z
  .strictObject({
    text: z.string().min(1).refine(wellFormed, 'must be well-formed Unicode'),
    ttl: z.int().min(TTL_MIN).describe('seconds'),
    maxViews: z.int().min(1).max(MAX_VIEWS).optional(),
    preventBurn: z.boolean().optional().describe('burn only when the time expires: views are counted, not limited'),
    allowedIp: address.optional(),
    isPublic: z.boolean().optional(),
    title: title.optional().describe('raw and public only; a sealed secret has its title inside'),
    password: password.optional().describe('sealed: the password proof; otherwise the password itself'),
    access: proof.optional().describe('the access proof; its presence makes the secret sealed'),
    files: z
      .array(z.union([UploadedFile, InlineFile]))
      .max(FILES_MAX)
      .optional()
      .describe(
        'sealed: uploaded before with POST /files; raw and public: inside this call, all together as large as a text',
      ),
  })
  .superRefine((body, ctx) => {
    const refuse = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message })
    const isSealed = body.access !== undefined
    for (const [index, file] of (body.files ?? []).entries()) {
      const isInline = 'content' in file
      const kept = isSealed ? 'uploaded with POST /files' : 'given inline with name and content'
      if (isInline === isSealed) refuse(`files.${index}`, `must be ${kept}`)
    }
    if (!isSealed) {
      if (body.isPublic && body.text.includes('\0')) refuse('text', 'must not hold NUL characters in a public secret')
      return
    }
    if (body.isPublic) refuse('isPublic', 'must not be set on a sealed secret: a public one is readable by everyone')
    if (body.title !== undefined) refuse('title', 'must be inside the ciphertext of a sealed secret')
    if (!isArmor(body.text)) refuse('text', 'must be an age file in ASCII armour when `access` is given')
    if (body.password !== undefined && !proof.safeParse(body.password).success) {
      refuse('password', 'must be the password proof (43 base64url characters) of a sealed secret')
    }
  })

export const CreatedSecret = z.object({
  id: z.string(),
  url: z.string().describe('of a sealed secret: without the key, which the client adds as fragment'),
  burnToken: z.string(),
  expiresAt: time,
  maxViews: viewsLeft,
  kind,
  zeroKnowledge: z.literal(false).optional().describe('raw only: the server saw the text'),
})

export const SecretExists = z.object({
  id: z.string(),
  maxViews: viewsLeft,
  passwordRequired: z.boolean(),
  expiresAt: time,
  files: z.int().describe('how many'),
  kind,
})

export const ViewSecret = z.strictObject({
  access: proof.optional(),
  password: password.optional(),
  claim,
})

export const ViewedSecret = z.object({
  id: z.string(),
  kind,
  text: z.string(),
  title: z.string().nullable().describe('null when there is none or when it is inside the ciphertext'),
  files: z.array(
    z.object({
      id: z.string(),
      size: z.int().describe('bytes to download, all parts together'),
      parts: z.int(),
      key: z.string().describe('the ticket for POST /download'),
      name: z.string().optional().describe('raw and public only; a sealed secret has it inside'),
      type: z.string().optional().describe('raw and public only'),
    }),
  ),
  maxViews: viewsLeft,
  preventBurn: z.boolean(),
  isPublic: z.boolean(),
  expiresAt: time,
})

export const AckSecret = z.strictObject({ access: proof.optional(), claim })

export const BurnSecret = z
  .strictObject({ burnToken: proof.optional(), access: proof.optional() })
  .describe('one of them, unless the id of a raw secret carries its key')
export const BurnedSecret = z.object({ burned: z.literal(true) })

export const CreateFile = z.strictObject({
  size: z.int().min(1).describe('bytes of all sealed parts together'),
  parts: z.int().min(1).describe('every part but the last has exactly `maxPartSize` bytes'),
})
export const CreatedFile = z.object({
  id: z.string(),
  token: z.string().describe('for `Authorization: Upload {token}` of the calls about this file'),
  maxPartSize: z.int().describe('bytes'),
})
/** `Authorization: Upload {token}`. */
export const UploadAuthorization = z
  .string()
  .regex(/^Upload [A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'must be `Upload` and the token of the file')
export const FileId = fileId
export const PartIndex = z
  .string()
  .regex(/^(0|[1-9]\d{0,5})$/)
  .transform(Number)
export const FileParts = z.object({ parts: z.array(z.int()).describe('indexes of the parts that are stored') })

export const Download = z.strictObject({
  key: proof.describe('the ticket of a file, from the view that told of it'),
  secretId: SecretId,
  part: z
    .int()
    .min(0)
    .optional()
    .describe('one part alone; without it all, each behind its length as 32 bits, big-endian'),
})

const whole = (name: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `${name} must be a whole number`)
    .transform(Number)
export const Page = z.strictObject({
  skip: whole('skip').default(0),
  take: whole('take')
    .refine((take) => take >= 1 && take <= TAKE_MAX, `must be 1 to ${TAKE_MAX}`)
    .default(TAKE_MAX),
})

export const PublicSecret = z.object({
  id: z.string(),
  title: z.string().nullable(),
  username: z.string().nullable(),
  createdAt: time,
  expiresAt: time,
})
export const PublicSecrets = z.array(PublicSecret)

/** ASCII before it is folded: a Kelvin sign would otherwise become a k. */
export const Username = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9_-]{${USERNAME_MIN},${USERNAME_MAX}}$`),
    `must be ${USERNAME_MIN} to ${USERNAME_MAX} of a-z, 0-9, "_" and "-"`,
  )
  .transform((name) => name.toLowerCase())
/** Printable ASCII with one `@` and a domain of letters, digits and hyphens; case-folded. */
export const Email = z
  .string()
  .max(EMAIL_MAX)
  .regex(
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/,
    'must be an e-mail address',
  )
  .transform((email) => email.toLowerCase())
/** How long it must be is the operator's choice, and more for administrators: the accounts service checks. */
const accountPassword = z.string().min(1).max(PASSWORD_MAX).refine(wellFormed, 'must be well-formed Unicode')
const role = z.enum(['user', 'admin'])
const generated = z.boolean().describe('the password was made by somebody else and should be changed')
export const Scope = z.enum(['secrets:create', 'secrets:read', 'account', 'admin'])

export const SignUp = z.strictObject({ email: Email, username: Username, password: accountPassword })
/** Any name: one that nobody can have is answered like one that nobody has. */
export const SignIn = z.strictObject({ username: z.string().max(255), password: accountPassword })
/** The one-time code that the server prints while there is no administrator. */
export const SetUp = SignUp.extend({ code: z.string().max(64) })
export const ProviderId = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
/** Of this origin, whoever reads it: browsers take `//` and `/\\` for the beginning of a host, and skip control characters. */
export const OwnPath = z
  .string()
  .max(512)
  .regex(/^\/(?![/\\])[\x21-\x7e]*$/, 'must be a path of this site')
  .refine((path) => !/[\\#]/.test(path), 'must be a path of this site')
export const StartSignIn = z.strictObject({ next: OwnPath.default('/').describe('where to go when that is done') })
export const SignedIn = z.object({ username: z.string() })
export const SignedOut = z.object({ signout: z.literal('ok') })
export const Verified = z.object({ username: z.string(), role, generated: z.boolean() })

export const Account = z.object({
  username: z.string(),
  email: z.string(),
  role,
  generated,
  hasPassword: z.boolean().describe('without one, people sign in elsewhere'),
  createdAt: time,
})
export const AccountAnswer = z.object({ user: Account })
export const UpdateAccount = z
  .strictObject({
    currentPassword: accountPassword.optional().describe('required of an account that has one'),
    newPassword: accountPassword.optional(),
    confirmNewPassword: accountPassword.optional().describe('required with a new password'),
    email: Email.optional(),
    generated: generated.optional(),
  })
  .superRefine(({ newPassword, confirmNewPassword }, ctx) => {
    // Two fields of one body, not a credential that is kept: nothing is learned from the time this takes.
    if (Object.is(newPassword, confirmNewPassword)) return
    ctx.addIssue({ code: 'custom', path: ['confirmNewPassword'], message: 'must be the same as newPassword' })
  })
export const DeleteAccount = z.strictObject({
  password: accountPassword.optional().describe('required of an account that has one'),
})
export const DeletedAccount = z.object({ user: z.object({ username: z.string(), action: z.literal('deleted') }) })

/** What a session or a token is called. */
const handle = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id from the list')

export const Session = z.object({
  id: z.string(),
  client: z.string().describe('what it was opened with'),
  createdAt: time,
  seenAt: time,
  expiresAt: time,
  current: z.boolean().describe('the one that asks'),
})
export const Sessions = z.array(Session)
export const EndSession = z.strictObject({
  id: handle.optional().describe('absent: all but the one that asks'),
})

/** Other ways to sign in that are connected to an account. */
export const Identities = z.array(
  z.object({
    provider: z.string().describe('its id'),
    label: z.string().describe('as on the sign-in screen; empty where there is none'),
  }),
)
export const Disconnect = z.strictObject({ provider: ProviderId })

export const CreateToken = z.strictObject({
  name: title.max(TOKEN_NAME_MAX),
  expiresAt: time.optional().describe('epoch ms; a year from now without it'),
  scopes: z.array(Scope).min(1).max(4).optional().describe('all that the account may do without it'),
  maxSecrets: z.int().min(1).max(TOKEN_SECRETS_MAX).optional().describe('how many secrets can be made with it'),
  maxBytes: z.int().min(1).optional().describe('how large they can be all together, as stored'),
  allowedIp: address.optional(),
})
export const Token = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  createdAt: time,
  usedAt: time.nullable().describe('to the minute; null: never'),
  expiresAt: time,
  secretsLeft: z.int().nullable(),
  bytesLeft: z.int().nullable(),
  allowedIp: z.string().nullable(),
})
export const Tokens = z.array(Token)
export const CreatedToken = Token.extend({ token: z.string().describe('shown this once') })
export const DeleteToken = z.strictObject({ id: handle })

export const OwnSecret = z.object({
  id: z.string(),
  kind,
  title: z.string().nullable(),
  createdAt: time,
  expiresAt: time,
  maxViews: viewsLeft,
  passwordRequired: z.boolean(),
  files: z.int().describe('how many'),
  isPublic: z.boolean(),
  preventBurn: z.boolean(),
})
export const OwnSecrets = z.array(OwnSecret)

export const ListUsers = z.strictObject({
  skip: Page.shape.skip,
  take: Page.shape.take.unwrap().default(10),
  search: z.string().max(255).refine(oneLine, 'must be one line without control characters').default(''),
  role: role.optional(),
})
export const ListedUser = Account.extend({ secrets: z.int().describe('how many of theirs are there') })
export const Users = z.object({ users: z.array(ListedUser), total: z.int() })
export const CreateUser = z.strictObject({
  username: Username,
  password: accountPassword,
  email: Email,
  role: role.default('user'),
  generated: generated.default(true),
})
export const UpdateUser = z.strictObject({ username: Username, email: Email.optional(), role: role.optional() })
export const DeleteUser = z.strictObject({ username: Username })

/** Of administrators, about somebody. */
export const EndSessionsOf = DeleteUser
export const EndedSessions = z.object({ ended: z.int().describe('how many') })

export const InstanceSettings = z.object({
  disable_users: z.boolean(),
  disable_user_account_creation: z.boolean(),
  read_only: z.boolean(),
  disable_file_upload: z.boolean(),
  restrict_organization_email: z.string().describe('empty, or e-mail domains joined by commas'),
})
export const UpdateInstanceSettings = z.strictObject(InstanceSettings.partial().shape)

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
  disable_users: z.boolean(),
  disable_user_account_creation: z.boolean(),
  read_only: z.boolean(),
  disable_file_upload: z.boolean(),
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

const amount = z.int().nullable().describe('null: 1 to 4, so that no single act stands out')
const amounts = {
  created: amount,
  opened: amount.describe('opened for the first time'),
  viewed: amount,
  'used-up': amount.describe('ended by their last view'),
  burned: amount.describe('ended by hand'),
  expired: amount.describe('ended by their time'),
  files: amount,
  'with-password': amount,
  'with-files': amount,
  'with-address': amount.describe('limited to network addresses'),
  public: amount,
}
/** Counts of whole days in UTC. */
export const Stats = z.object({
  days: z
    .array(z.object({ day: z.string().describe('such as 2026-11-21, in UTC'), ...amounts }))
    .describe('the last 30, the oldest first'),
  total: z.object(amounts).describe('of these days'),
  live: amount.describe(`secrets that are there right now, counted up to ${STATS_LIVE_MAX}`),
  medianWait: z
    .int()
    .nullable()
    .describe('half of those that were opened in these days were so within as many seconds, rounded up; null: too few'),
})

export const ApiError = z.object({
  statusCode: z.int(),
  error: z.string(),
  code: z.string().describe('stable; what programs should look at'),
  message: z.string(),
  field: z.string().optional(),
  attemptsLeft: z.int().optional(),
  retryAfter: z.int().optional().describe('seconds'),
  requestId: z.string().optional().describe('of status 500 and 503: find it in the log'),
})

export type CreateSecret = z.input<typeof CreateSecret>
export type CreatedSecret = z.infer<typeof CreatedSecret>
export type SecretExists = z.infer<typeof SecretExists>
export type ViewSecret = z.input<typeof ViewSecret>
export type ViewedSecret = z.infer<typeof ViewedSecret>
export type AckSecret = z.input<typeof AckSecret>
export type BurnSecret = z.input<typeof BurnSecret>
export type CreateFile = z.input<typeof CreateFile>
export type CreatedFile = z.infer<typeof CreatedFile>
export type FileParts = z.infer<typeof FileParts>
export type Stats = z.infer<typeof Stats>
export type Download = z.input<typeof Download>
export type BurnedSecret = z.infer<typeof BurnedSecret>
export type Page = z.output<typeof Page>
export type PublicSecret = z.infer<typeof PublicSecret>
export type SignUp = z.input<typeof SignUp>
export type SignIn = z.input<typeof SignIn>
export type SetUp = z.input<typeof SetUp>
export type SignedIn = z.infer<typeof SignedIn>
export type Verified = z.infer<typeof Verified>
export type Account = z.infer<typeof Account>
export type UpdateAccount = z.input<typeof UpdateAccount>
export type DeleteAccount = z.input<typeof DeleteAccount>
export type Session = z.infer<typeof Session>
export type Identities = z.infer<typeof Identities>
export type CreateToken = z.input<typeof CreateToken>
export type Token = z.infer<typeof Token>
export type CreatedToken = z.infer<typeof CreatedToken>
export type OwnSecret = z.infer<typeof OwnSecret>
export type ListedUser = z.infer<typeof ListedUser>
export type Users = z.infer<typeof Users>
export type CreateUser = z.input<typeof CreateUser>
export type UpdateUser = z.input<typeof UpdateUser>
export type InstanceSettings = z.infer<typeof InstanceSettings>
export type PublicSettings = z.infer<typeof PublicSettings>
export type ApiError = z.infer<typeof ApiError>

/** Cheap on purpose: it keeps a plain text from being stored as if it were sealed. Only a reader can tell more. */
function isArmor(text: string): boolean {
  return text.startsWith(ARMOR_BEGIN) && /^[\n\r -~]+$/.test(text)
}
