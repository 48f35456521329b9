/** What the product can do, independent of HTTP: made once from the filled slots. */
import { LRUCache } from 'lru-cache'
import { type AdminService, adminService } from './accounts/admin.js'
import { type OutsideService, outsideService } from './accounts/outside.js'
import { type RedirectsService, redirectsService } from './accounts/redirects.js'
import type { PasswordSettings } from './accounts/rules.js'
import { type AccountsService, accountsService } from './accounts/service.js'
import { type SessionsService, sessionsService } from './accounts/sessions.js'
import { type SetupCodeService, setupCodeService } from './accounts/setup-code.js'
import { type SignInService, signInService } from './accounts/sign-in.js'
import { type TokensService, tokensService } from './accounts/tokens.js'
import type { AttachmentSettings } from './attachments/deps.js'
import { type DownloadsService, downloadsService } from './attachments/downloads.js'
import { type AttachmentsService, attachmentsService } from './attachments/service.js'
import { type AuditService, auditService } from './audit/service.js'
import type { Clock } from './clock.js'
import type { Audit } from './contracts/audit.js'
import type { AuthProvider } from './contracts/auth-provider.js'
import type { FileStore } from './contracts/file-store.js'
import type { LimitStore } from './contracts/limits.js'
import type { Storage } from './contracts/storage.js'
import type { Emit } from './events.js'
import { type HealthService, healthService } from './health.js'
import { localLimits } from './limits/local.js'
import { type LimitsService, limitsService } from './limits/service.js'
import type { Log } from './log.js'
import { publicLists } from './secrets/public-lists.js'
import { createSecretRecorder } from './secrets/record-event.js'
import { type SecretsService, secretsService } from './secrets/service.js'
import type { SecretsSettings } from './secrets/settings.js'
import { type SettingsService, settingsService } from './settings/service.js'
import type { StatsService } from './stats/service.js'
import type { SweepRows } from './sweep-rows.js'
import { type Sweeper, startSweeper } from './sweeper.js'

const DAY_MS = 24 * 60 * 60_000
/** Most counters that a process keeps for itself. */
const OWN_COUNTERS = 50_000

/** The settings that the services obey; the config folder says what each means. */
export interface ServiceSettings extends SecretsSettings, AttachmentSettings, PasswordSettings {
  downloadGraceSeconds: number
  limitFactor: number
  auditDays: number
  /** Whether the audit says what happened to secrets. */
  auditSecrets: boolean
  sweepSeconds: number
  /** Who sees the statistics. */
  statsFor: 'anyone' | 'admin'
}

export interface Services {
  secrets: SecretsService
  attachments: AttachmentsService
  downloads: DownloadsService
  settings: SettingsService
  accounts: AccountsService
  signIn: SignInService
  outside: OutsideService
  redirects: RedirectsService
  sessions: SessionsService
  tokens: TokensService
  admin: AdminService
  setupCode: SetupCodeService
  audit: AuditService
  limits: LimitsService
  /** The same, counted by this process alone. */
  ownLimits: LimitsService
  stats: StatsService
  sweeper: Sweeper
  health: HealthService
}

/** What the services stand on. */
export interface Filled {
  storage: Storage
  /** null: no files here. */
  files: FileStore | null
  /** Of the rate limits; null: no limits. */
  counters: LimitStore | null
  /** Of the instance: 32 bytes. */
  key: Buffer
  /** Ways to sign in, which are filled in later, because they want these services. */
  providers: AuthProvider[]
}

/** Starts the sweeper too; stop it with `sweeper.stop()`. */
export function createServices(
  { storage, files, counters, key, providers }: Filled,
  settings: ServiceSettings,
  { emit, log, clock, stats }: { emit: Emit; log: Log; clock: Clock; stats: StatsService },
): Services {
  const { now } = clock
  const audit = auditService({ store: storage.audit, log, now })
  const instance = settingsService({ store: storage.settings, audit: audit.note, now })
  const named = counters && { store: counters, key }
  const limits = limitsService({ counters: named, factor: settings.limitFactor, audit: audit.note, log, now })
  const own = counters && { store: localLimits(new LRUCache({ max: OWN_COUNTERS })), key }
  const ownLimits = limitsService({ counters: own, factor: settings.limitFactor, audit: audit.note, log, now })
  const lists = publicLists(storage.secrets, now)
  const recorder = createSecretRecorder({ emit, audit: audit.note, lists, auditSecrets: settings.auditSecrets })
  const counted = counters ?? storage.limits
  const rows = ending(storage, counted, settings.auditDays)
  const { recordExpired } = recorder
  const everyMs = settings.sweepSeconds * 1000
  const sweeper = startSweeper({ storage, files, rows, recordExpired, emit, log, clock, everyMs })
  const shared = { store: storage.attachments, files, settings, now }
  const { sweepFilesSoon: sweepSoon } = sweeper
  const attachments = attachmentsService({ ...shared, limits: storage.limits, instance, key, sweepSoon })
  const downloads = downloadsService(shared)
  const tidyUp = ({ hasFiles }: { hasFiles: boolean }) => {
    sweeper.scrubSoon()
    if (hasFiles) sweeper.sweepFilesSoon()
  }
  const cleanUp = async (userId: string) => {
    lists.invalidate()
    await attachments.cancelAll(userId)
    tidyUp({ hasFiles: true })
  }
  const people = peopleServices({
    ...{ limits, counted, storage, providers, key, settings, instance },
    ...{ emit, audit: audit.note, log, now, cleanUp },
  })
  const secrets = secretsService({
    store: storage.secrets,
    ...{ instance, attachments, downloads, lists, tokens: people.tokens, settings, recorder, now },
    tidyUp,
  })
  const health = healthService({ storage, files })
  const counting = { limits, ownLimits, stats }
  return { secrets, attachments, downloads, settings: instance, ...people, audit, ...counting, sweeper, health }
}

/** Rows that end by time alone. Uploads are counted in the storage, wherever the other counters are. */
function ending({ sessions, tokens, audit, limits }: Storage, counters: LimitStore, auditDays: number): SweepRows[] {
  return [
    ...[sessions, tokens, ...new Set([limits, counters])].map((store): SweepRows => store.sweep),
    (now, limit) => audit.sweep(now - auditDays * DAY_MS, limit),
  ]
}

interface PeopleParts {
  counted: LimitStore
  limits: LimitsService
  storage: Storage
  providers: AuthProvider[]
  key: Buffer
  settings: PasswordSettings & { publicUrl: string }
  instance: SettingsService
  emit: Emit
  audit: Audit
  log: Log
  now: () => number
  cleanUp: (userId: string) => Promise<void>
}

function peopleServices({ limits, storage, providers, settings, instance, emit, audit, ...parts }: PeopleParts) {
  const { counted, key, log, now, cleanUp } = parts
  const { users } = storage
  const sessions = sessionsService({ store: storage.sessions, instance, audit, now })
  const tokens = tokensService({ store: storage.tokens, instance, limits, audit, now })
  const outside = outsideService({ users, tokens: storage.tokens, providers, instance, emit, audit, now })
  const signIn = signInService({ users, providers, sessions, instance, accountOf: outside.accountOf, limits, audit })
  const redirects = redirectsService({
    ...{ providers, users, outside, signIn, limits: counted },
    ...{ key, publicUrl: settings.publicUrl, audit, log, now },
  })
  const shared = { users, signIn, instance, audit, now }
  const accounts = accountsService({ ...shared, sessions: storage.sessions, providers, settings, emit, cleanUp })
  const admin = adminService({ ...shared, sessions: storage.sessions, accounts })
  const setupCode = setupCodeService({ ...shared, store: storage.settings, accounts })
  return { accounts, signIn, outside, redirects, sessions, tokens, admin, setupCode }
}
