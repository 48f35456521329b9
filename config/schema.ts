/** The core settings with defaults and descriptions. Each plugin defines the settings of its own section. */
import { z } from 'zod'
import { TEXT_BYTES_MAX } from '#shared/limits'
import { bytes, durationIn, flag, IP_RANGES, list, secret, wholeNumber } from '#shared/option-schemas'
import { PROCESS_ROLES } from '#shared/process-role'
import { expandAnyAddress, isWideRange, WIDE_RANGE_MESSAGE } from '#shared/proxy-ranges'

const WEEK_S = 7 * 24 * 60 * 60

export const coreSettings = z.strictObject({
  storage: z.string().default('sqlite').describe('Storage plugin for secrets, accounts and counters.'),
  files: z.string().default('local-files').describe('File store plugin; empty: no files.'),
  auth: list().default(['local-auth']).describe('Plugins with sign-in methods, in order; a comma: none.'),
  databaseUrl: secret(
    z
      .string()
      .default('')
      .describe('Shorthand for storage and its address: sqlite:FILE, postgres://..., mysql://... or mariadb://...'),
  ),
  instanceKey: secret(
    instanceKey()
      .default('')
      .describe(
        'Key for cookies and hashed addresses: 32 random bytes in hex or base64url; empty: created once and stored in the database.',
      ),
  ),
  plugins: list().default(['web']).describe('Further plugins, in order.'),
  host: z.string().default('').describe('Address to listen on; empty: all interfaces.'),
  port: wholeNumber(0, 65535).default(3000).describe('Port to listen on; 0: any free port.'),
  role: z
    .enum(PROCESS_ROLES)
    .default('all')
    .describe(
      'Features of this process; all: everything; open: only opening secrets, answering requests and collecting by link, for a public host.',
    ),
  workers: wholeNumber(1, 256).default(1).describe('Processes that share the port, the database and the files.'),
  publicUrl: publicUrl()
    .default('')
    .describe('Public URL of this instance, such as https://secrets.example.org; empty: http://localhost:PORT.'),
  allowHttp: flag()
    .default(false)
    .describe(
      'Allow http in publicUrl, for a network that you trust: links and session cookies can be intercepted there.',
    ),
  dataDir: z.string().min(1).default('data').describe('Folder of the database and the files.'),
  trustedProxies: list(proxyNetwork())
    .transform(expandAnyAddress)
    .default([])
    .describe('Addresses or CIDR ranges of reverse proxies whose X-Forwarded-For is trusted; any: every address.'),
  allowedHosts: list(hostName())
    .default([])
    .describe('Additional host names of the instance, such as one of an internal network.'),
  corsOrigins: list(origin())
    .default([])
    .describe('Origins whose pages may use the API, such as https://tools.example.org; without cookies.'),
  log: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('Minimum log level.'),
  logFormat: z
    .enum(['auto', 'text', 'json'])
    .default('auto')
    .describe('Format of log lines; auto: text on a terminal, otherwise JSON.'),
  maxTextBytes: bytes(1024, TEXT_BYTES_MAX)
    .default(2 ** 20)
    .describe('Maximum size of a text, in bytes before encryption.'),
  maxFileBytes: bytes(1, 2 ** 40)
    .default(100 * 2 ** 20)
    .describe('Maximum size of a file, in bytes before encryption.'),
  maxFiles: wholeNumber(0, 100).default(20).describe('Maximum number of files of a secret.'),
  visitorUploads: flag().default(true).describe('Allow visitors to upload files.'),
  visitorBytesPerDay: bytes(0, 2 ** 50)
    .default(200 * 2 ** 20)
    .describe(
      'Daily quota of an address without an account, in bytes: files, and texts of more than 64 KiB. An IPv6 /48 network has 5 times, and all visitors together have 50 times as much.',
    ),
  userBytesPerDay: bytesOrNone(0, 2 ** 50)
    .default(10 ** 10)
    .describe('Daily quota of an account, in bytes: files, and texts of more than 64 KiB; off: no limit.'),
  instanceBytes: z
    .union([z.literal('auto'), bytesOrNone(0, 2 ** 50)], 'must be auto, off or a size, such as 10GiB')
    .default('auto')
    .describe(
      'Maximum size of all files and uploads together, in bytes; auto: half of the disk of the files, at most 10 GiB; off: no limit.',
    ),
  maxOpenUploads: wholeNumber(1, 1000)
    .default(20)
    .describe('Maximum number of concurrent uploads of a caller; never less than `maxFiles`.'),
  downloadGraceSeconds: durationIn('s', 60, 24 * 60 * 60)
    .default(900)
    .describe('Time to download the files of a secret after a view, in seconds.'),
  maxWaitingEvents: wholeNumber(100, 10_000_000)
    .default(100_000)
    .describe('Maximum number of events that wait for a subscriber, such as a webhook; further ones are given up.'),
  limits: z
    .string()
    .default('')
    .describe('Plugin for the counters of the rate limits; empty: the storage; off: no limits.'),
  limitFactor: wholeNumber(1, 1000)
    .default(1)
    .describe('Multiplier of the rate limits per address, for many people behind one address.'),
  auditDays: durationIn('d', 1, 3650).default(400).describe('Retention of the audit log, in days.'),
  auditSecrets: flag()
    .default(true)
    .describe('Record in the audit log when secrets are created, viewed and burned, and from which network.'),
  ttlMaxAnonymous: durationIn('s', 60, 365 * 24 * 60 * 60)
    .default(WEEK_S)
    .describe('Maximum lifetime of a secret of a visitor, in seconds.'),
  ttlMaxUser: durationIn('s', 60, 365 * 24 * 60 * 60)
    .default(4 * WEEK_S)
    .describe('Maximum lifetime of a secret of a user, in seconds.'),
  // The ranges meet at 50, so the minimum is never above the maximum.
  passwordMin: wholeNumber(5, 50)
    .default(5)
    .describe("Minimum length of an account's password; 12 for administrators."),
  passwordMax: wholeNumber(50, 1024).default(50).describe("Maximum length of an account's password."),
  readGraceSeconds: durationIn('s', 0, 3600)
    .default(600)
    .describe('Time in which a reader who has not acknowledged a view can repeat it, in seconds; 0: never.'),
  statsFor: z.enum(['anyone', 'admin']).default('anyone').describe('Who can see the statistics.'),
  drainSeconds: durationIn('s', 0, 300)
    .default(0)
    .describe(
      'Time in which the server still accepts requests after SIGTERM while /readyz returns 503, in seconds; for load balancers.',
    ),
  cleanupSeconds: durationIn('s', 1, 3600).default(10).describe('Interval of the cleanup, in seconds.'),
})

export type CoreSettings = z.output<typeof coreSettings>

/** A size; null when it is `off`. An empty variable would count as unset. */
function bytesOrNone(min: number, max: number) {
  return z.preprocess((value) => (value === 'off' ? null : value), bytes(min, max).nullable())
}

/** An IP address or a CIDR range that is no larger than a private network, or `any`. */
function proxyNetwork() {
  return z
    .union([z.literal('any'), ...IP_RANGES], 'must be IP addresses or CIDR ranges')
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
    .refine((text) => text === '' || isPublicUrl(text), 'must be an http(s) address')
    .transform((text) => (text === '' ? '' : normalizeUrl(text)))
}

const isPublicUrl = (text: string) => /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/i.test(text) && URL.canParse(text)

/** As browsers write it: host in lower case and ASCII, no default port; without a slash at the end. */
function normalizeUrl(text: string): string {
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/+$/, '')
}
