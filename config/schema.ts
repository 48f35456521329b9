/** The core settings with defaults and descriptions. Each plugin defines the settings of its own section. */
import { z } from 'zod'
import { expandAnyAddress, isWideRange, WIDE_RANGE_MESSAGE } from '#shared/proxy-ranges'

/** Marks secret options, as `secret()` of the plugin contract does. Config and core share the symbol, not code. */
const SECRET = Symbol.for('mayfly.secret')

const WEEK_S = 7 * 24 * 60 * 60

export const coreSettings = z.strictObject({
  storage: z.string().default('sqlite').describe('Plugin that keeps the secrets.'),
  files: z.string().default('local-files').describe('Plugin that keeps the files; empty: no files.'),
  auth: list().default(['local-auth']).describe('Plugins that bring ways to sign in, in order; a comma: none.'),
  databaseUrl: markSecret(
    z
      .string()
      .default('')
      .describe('Shorthand for storage and its address: sqlite:FILE, postgres://..., mysql://... or mariadb://...'),
  ),
  instanceKey: markSecret(
    instanceKey()
      .default('')
      .describe(
        'Key for cookies and hashed addresses: 32 random bytes in hex or base64url; empty: created once and stored in the database.',
      ),
  ),
  plugins: list().default(['web']).describe('Further plugins, in order.'),
  host: z.string().default('').describe('Address to listen on; empty: every interface.'),
  port: number(0, 65535).default(3000).describe('Port to listen on; 0: any that is free.'),
  workers: number(1, 256).default(1).describe('Processes that share the port, the database and the files.'),
  publicUrl: publicUrl()
    .default('')
    .describe('Where people reach this instance, such as https://secrets.example.org; empty: http://localhost:PORT.'),
  allowHttp: flag()
    .default(false)
    .describe('Whether publicUrl may be http in a network: links and session cookies can be intercepted there.'),
  dataDir: z.string().min(1).default('data').describe('Folder for what the instance keeps on disk.'),
  trustedProxies: list(proxyNetwork())
    .transform(expandAnyAddress)
    .default([])
    .describe('Addresses or CIDR ranges of reverse proxies whose X-Forwarded-For is believed; any: every address.'),
  allowedHosts: list(hostName())
    .default([])
    .describe('Names under which the instance answers beside that of publicUrl, such as one of an internal network.'),
  corsOrigins: list(origin())
    .default([])
    .describe('Origins whose pages may use the API, such as https://tools.example.org; without cookies.'),
  log: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('Least level that is logged.'),
  logFormat: z
    .enum(['auto', 'text', 'json'])
    .default('auto')
    .describe('Log lines for people or for programs; auto: text on a terminal.'),
  maxTextBytes: number(1024, 64 * 2 ** 20)
    .default(2 ** 20)
    .describe('Largest text of a secret, in bytes before it is sealed.'),
  maxFileBytes: number(1, 2 ** 40)
    .default(100 * 2 ** 20)
    .describe('Largest file, in bytes before it is sealed.'),
  maxFiles: number(0, 100).default(20).describe('Most files of one secret.'),
  visitorUploads: flag().default(true).describe('Whether people who are not signed in may upload files.'),
  visitorBytesPerDay: number(0, 2 ** 50)
    .default(200 * 2 ** 20)
    .describe(
      'How much one address may send in a day without signing in, in bytes: files, and texts of more than 64 KiB.',
    ),
  userBytesPerDay: numberOrNone(0, 2 ** 50)
    .default(10 ** 10)
    .describe('How much one account may send in a day, in bytes: files, and texts of more than 64 KiB; off: no limit.'),
  instanceBytes: numberOrNone(0, 2 ** 50)
    .default(null)
    .describe('How much all files and uploads together may take, in bytes; off: no limit.'),
  maxOpenUploads: number(1, 1000).default(20).describe('Files that one caller may be uploading at the same time.'),
  downloadGraceSeconds: number(60, 24 * 60 * 60)
    .default(900)
    .describe('How long the files of a secret can be downloaded after a view, in seconds.'),
  limits: z
    .string()
    .default('')
    .describe('Plugin that keeps the counters of the rate limits; empty: the storage itself; off: no limits.'),
  limitFactor: number(1, 1000)
    .default(1)
    .describe('How many people share an address: what one address may do is that many times as much.'),
  auditDays: number(1, 3650).default(400).describe('How long the audit log is kept, in days.'),
  auditSecrets: flag()
    .default(true)
    .describe('Whether the audit log says when secrets are made, viewed and burned, and from which network.'),
  ttlMaxAnonymous: number(60, 365 * 24 * 60 * 60)
    .default(WEEK_S)
    .describe('Longest lifetime of a secret that a visitor makes, in seconds.'),
  ttlMaxUser: number(60, 365 * 24 * 60 * 60)
    .default(4 * WEEK_S)
    .describe('Longest lifetime of a secret that somebody with an account makes, in seconds.'),
  // The ranges meet at 50, so the minimum is never above the maximum.
  passwordMin: number(5, 50)
    .default(5)
    .describe("Shortest password of an account; an administrator's has at least 12."),
  passwordMax: number(50, 1024).default(50).describe('Longest password of an account.'),
  readGraceSeconds: number(0, 3600)
    .default(60)
    .describe('How long a reader may fetch the same view again after a lost answer; 0: never.'),
  statsFor: z.enum(['anyone', 'admin']).default('anyone').describe('Who sees the statistics.'),
  requestsFor: z
    .enum(['anyone', 'users', 'admins'])
    .default('users')
    .describe('Who may create secret requests, under whose links others submit secrets.'),
  drainSeconds: number(0, 300)
    .default(0)
    .describe(
      'How long the server still accepts requests after SIGTERM while /readyz returns 503, in seconds; for load balancers.',
    ),
  sweepSeconds: number(1, 3600).default(10).describe('How often ended secrets are deleted, in seconds.'),
})

export type CoreSettings = z.output<typeof coreSettings>

/** True if the value must not be shown. */
export const isSecret = (schema: object): boolean => SECRET in schema

/** Marks a setting as secret. Must be the outermost call, like `secret()` of the plugin contract. */
function markSecret<T extends z.ZodType>(schema: T): T {
  return Object.assign(schema, { [SECRET]: true })
}

/** A whole number, also as a string. */
function number(min: number, max: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  )
}

/** A whole number; null when it is `off`. An empty variable would count as unset. */
function numberOrNone(min: number, max: number) {
  return z.preprocess((value) => (value === 'off' ? null : value), number(min, max).nullable())
}

/** A boolean, also as `true` or `false`. Rejects anything else, so that a typo never enables a feature. */
function flag() {
  return z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean())
}

/** An array of strings, also as a comma-separated string. */
function list(item: z.ZodType<string> = z.string()) {
  return z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',').flatMap((item) => item.trim() || []) : value),
    z.array(item),
  )
}

/** An IP address or a CIDR range that is no larger than a private network, or `any`. */
function proxyNetwork() {
  return z
    .union([z.literal('any'), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be IP addresses or CIDR ranges')
    .refine((range) => !isWideRange(range), WIDE_RANGE_MESSAGE)
}

/** A host as in a Host header, without the port. */
function hostName() {
  return z.string().regex(/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i, 'must be host names, without a port')
}

/** 32 bytes in hex or base64url, or empty. */
function instanceKey() {
  const message = 'must be 32 random bytes, as 64 hex digits or in base64url: create it with `openssl rand -hex 32`'
  return z.string().regex(/^([0-9a-f]{64}|[\w-]{43}=?)?$/i, message)
}

/** As in an Origin header. Rejects `*` and `null`, which would allow every site. */
function origin() {
  const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text
  return z.string().refine(isOrigin, 'must be origins, such as https://tools.example.org')
}

function publicUrl() {
  return z
    .string()
    .refine((text) => text === '' || /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(text), 'must be an http(s) address')
    .transform((text) => text.replace(/\/+$/, ''))
}
