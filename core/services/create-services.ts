/** Creates the services, which are the use cases bound to the storage and the other dependencies. */
import { LRUCache } from 'lru-cache'
import type { AttachmentSettings } from '../attachments/attachment-deps.js'
import { type DownloadsService, downloadsService } from '../attachments/download-service.js'
import { type AttachmentsService, attachmentsService } from '../attachments/upload-service.js'
import { type AuditService, auditService } from '../audit/audit-service.js'
import { createAuditSinkQueue } from '../audit/audit-sink-queue.js'
import { type AccountsService, accountsService } from '../auth/account-service.js'
import { type AdminService, adminService } from '../auth/admin-service.js'
import { type TokensService, tokensService } from '../auth/api-tokens.js'
import { type EmailVerificationService, emailVerificationService } from '../auth/email-verification.js'
import { type IdentityService, identityService } from '../auth/identity-service.js'
import { type KnownDevices, knownDevices } from '../auth/known-devices.js'
import type { PasswordSettings } from '../auth/password-policy.js'
import { type PasswordResetService, passwordResetService } from '../auth/password-reset.js'
import { type RedirectsService, redirectsService } from '../auth/redirect-flow.js'
import { type SessionsService, sessionsService } from '../auth/session-service.js'
import { type SetupCodeService, setupCodeService } from '../auth/setup-code.js'
import { type SignInService, signInService } from '../auth/sign-in.js'
import { signInAlerts } from '../auth/sign-in-alerts.js'
import type { DeleteBatch } from '../cleanup/expired-rows.js'
import { type Cleanup, startCleanup } from '../cleanup/scheduler.js'
import type { Audit } from '../contracts/audit.js'
import type { AuditSink } from '../contracts/audit-sink.js'
import type { AuthProvider } from '../contracts/auth-provider.js'
import type { Emit } from '../contracts/events.js'
import type { FileStore } from '../contracts/file-store.js'
import type { Invalidation } from '../contracts/invalidation.js'
import type { LimitStore } from '../contracts/limits.js'
import type { Subscriber } from '../contracts/outbox.js'
import type { RequestStore, Storage } from '../contracts/storage.js'
import type { UserWebhookStore } from '../contracts/user-webhooks.js'
import type { User } from '../contracts/users.js'
import type { WebhookSender } from '../contracts/webhook-sender.js'
import { type Delivery, startDelivery } from '../events/delivery.js'
import { createPace, type DeliveryPace } from '../events/delivery-pace.js'
import { type EventLimit, startEventLimit } from '../events/event-limit.js'
import { type EventService, eventService } from '../events/event-service.js'
import { startUserWebhookDrops, type UserWebhookDrops } from '../events/user-webhook-drops.js'
import { createUserWebhookIndex, NO_USER_WEBHOOKS, type UserWebhookIndex } from '../events/user-webhook-index.js'
import type { Clock } from '../lib/clock.js'
import { lazy } from '../lib/lazy.js'
import type { Log } from '../lib/log.js'
import type { PasswordHasher } from '../lib/password-hash.js'
import type { ResponseTracker } from '../lib/response-tracker.js'
import {
  createNotificationSubscribers,
  type NamedNotifier,
  type NotificationService,
  notificationService,
} from '../notifications/notification-service.js'
import { createLocalCounters } from '../rate-limits/local-store.js'
import { type LimitsService, limitsService } from '../rate-limits/rate-limit-service.js'
import { toExpiredRequestEvents } from '../requests/durable-request-events.js'
import { type RequestsService, requestsService } from '../requests/request-service.js'
import { toExpiredEvents } from '../secrets/durable-secret-events.js'
import { type EndedSecretsService, endedSecretsService } from '../secrets/ended-secrets.js'
import { createPublicListCache } from '../secrets/public-list-cache.js'
import { type ReceiptsService, receiptsService } from '../secrets/receipts.js'
import { createSecretRecorder } from '../secrets/record-secret-event.js'
import type { SecretsSettings } from '../secrets/secret-limits.js'
import { type SecretsService, secretsService } from '../secrets/secret-service.js'
import type { PluginSetting } from '../settings/plugin-settings.js'
import { type PluginSettingsService, pluginSettingsService } from '../settings/plugin-settings-service.js'
import { type SettingsService, settingsService } from '../settings/settings-service.js'
import { type StatsService, statsService } from '../stats/stats-service.js'
import { startUserDelivery } from '../webhooks/user-webhook-delivery.js'
import { type UserWebhookService, userWebhookService } from '../webhooks/user-webhook-service.js'
import { createWebhookSecrets } from '../webhooks/webhook-secrets.js'
import { createEmitter, type Emitter, type PluginListeners } from './emit.js'
import { type HealthService, healthService } from './health.js'
import { shareInvalidation } from './share-invalidation.js'

const DAY_MS = 24 * 60 * 60_000
/** Days until delivered events are deleted, and those that were given up. */
const EVENT_DAYS = { delivered: 7, dead: 30 }
/** Capacity of the rate-limit counters that each process keeps for itself. */
const LOCAL_COUNTERS_MAX = 50_000

/** Settings of the services. The config folder describes each. */
export interface ServiceSettings extends SecretsSettings, AttachmentSettings, PasswordSettings {
  downloadGraceSeconds: number
  /** Maximum number of events that wait for a subscriber. */
  maxWaitingEvents: number
  limitFactor: number
  auditDays: number
  /** Whether the audit log contains events of secrets. */
  auditSecrets: boolean
  sweepSeconds: number
  /** Who can read the statistics. */
  statsFor: 'anyone' | 'admin'
}

export interface Services {
  secrets: SecretsService
  receipts: ReceiptsService
  endedSecrets: EndedSecretsService
  requests: RequestsService
  attachments: AttachmentsService
  downloads: DownloadsService
  settings: SettingsService
  /** Instance settings that plugins declare. */
  pluginSettings: PluginSettingsService
  accounts: AccountsService
  signIn: SignInService
  identities: IdentityService
  redirects: RedirectsService
  sessions: SessionsService
  tokens: TokensService
  admin: AdminService
  setupCode: SetupCodeService
  devices: KnownDevices
  audit: AuditService
  limits: LimitsService
  /** Rate limits with counters of this process only. */
  ownLimits: LimitsService
  stats: StatsService
  cleanup: Cleanup
  health: HealthService
  events: EventService
  eventLimit: EventLimit
  delivery: Delivery
  notifications: NotificationService
  passwordReset: PasswordResetService
  verification: EmailVerificationService
  webhooks: UserWebhookService
}

export interface ServiceDeps {
  storage: Storage
  /** null: no file store. */
  files: FileStore | null
  /** Rate-limit counters; null: no limits. */
  counters: LimitStore | null
  /** Key of the instance, 32 bytes. */
  key: Buffer
  hasher: PasswordHasher
  /** Event listeners of the plugins. */
  listeners: PluginListeners[]
  responses: Pick<ResponseTracker, 'waitUntilSettled'>
  /** Receivers of durable events. */
  subscribers: Subscriber[]
  /** Plugins that send notifications. */
  notifiers: NamedNotifier[]
  /** Sends events to the webhooks of users; null: users have none. */
  webhookSender: WebhookSender | null
  /** Receivers of the audit log. `name`: of the plugin. */
  auditSinks: { name: string; sink: AuditSink }[]
  /** Tell the other processes of changes. */
  invalidations: Invalidation[]
  /** Instance settings of the plugins. */
  pluginSettings: PluginSetting[]
  /** Creates the auth providers, which may use the services. Called once, when all services exist. */
  createProviders(services: Services): AuthProvider[]
  settings: ServiceSettings
  log: Log
  clock: Clock
}

/** Also starts cleanup, delivery and the event limit: stop them with `cleanup.stop()` and so on. Throws what `createProviders` throws. */
export function createServices(deps: ServiceDeps): { services: Services; emitter: Emitter } {
  const { storage, files, hasher, settings, listeners, responses, log, clock } = deps
  const { now } = clock
  const sinks = deps.auditSinks.map((each) => createAuditSinkQueue({ ...each, log, now }))
  const audit = auditService({ store: storage.audit, sinks, log, now })
  const { index, drops } = createIndex(deps)
  const { lists, instance, pluginSettings, updateWebhooks } = createCaches(deps, audit.note, index)
  const stats = statsService({ store: storage.stats, secrets: storage.secrets, log, now })
  const emitter = createEmitter({
    ...{ own: [{ 'user:deleted': lists.invalidate }, stats.on], plugins: listeners, responses, log },
  })
  const { emit } = emitter
  const { subscribers, pace, eventLimit, events, notifications } = createEventServices(deps, index, (user) =>
    services.verification.remind(user),
  )
  const recorder = createSecretRecorder({
    ...{ emit, events, audit: audit.note, lists, auditSecrets: settings.auditSecrets },
    ...{ receipts: storage.receipts, now },
  })
  const receipts = receiptsService({ store: storage.receipts, instance, now })
  const endedSecrets = endedSecretsService({ store: storage.endedSecrets, instance, now })
  const cleanup = startCleanup({
    ...{ storage, files, emit, log, clock },
    recordExpired: recorder.recordExpired,
    toExpiredEvents: toExpiredEvents(events),
    recordsEnds: endedSecrets.recordsEnds,
    rows: [
      ...listExpiredRows(deps, events),
      ...[receipts, endedSecrets].map(({ deleteEnded }): DeleteBatch => deleteEnded),
    ],
    everyMs: settings.sweepSeconds * 1000,
  })
  const common: Common = { ...deps, instance, audit: audit.note, emit, events, now, cleanup }
  const limits = createLimits(common)
  const fileServices = createFileServices(common)
  const getProviders = lazy(() => deps.createProviders(services))
  const authServices = createAuthServices(common, { ...limits, ...fileServices, getProviders, updateWebhooks })
  const scheduleWipe = ({ hasFiles }: { hasFiles: boolean }) => wipeSoon(cleanup, hasFiles)
  const secrets = secretsService({
    ...{ store: storage.secrets, instance, lists, settings, hasher, recorder, events, now, ...fileServices },
    ...{ tokens: authServices.tokens, receipts: storage.receipts },
    tidyUp: scheduleWipe,
  })
  const requests = requestsService({
    ...{ store: storage.requests, secrets: storage.secrets, instance, settings, recorder },
    ...{ audit: audit.note, emit, events, now },
    ...{ attachments: fileServices.attachments, limits: limits.limits, tidyUp: scheduleWipe },
  })
  const health = healthService({ storage, files, now })
  const services: Services = {
    ...{ secrets, receipts, endedSecrets, requests, ...fileServices, settings: instance, ...authServices },
    pluginSettings,
    ...{ audit, ...limits, stats, cleanup, health, events, eventLimit, notifications },
    ...createWebhookServices(common, { index, drops, updateWebhooks, subscribers, pace }),
  }
  // Created now, so that a wrong configuration fails at start-up.
  getProviders()
  return { services, emitter }
}

/** What processes cache, and tell each other when it changes. */
function createCaches(
  { storage, notifiers, invalidations, pluginSettings: definitions, log, clock }: ServiceDeps,
  audit: Audit,
  index: UserWebhookIndex,
) {
  const { now } = clock
  const publicLists = createPublicListCache(storage.secrets, now)
  const shared = { store: storage.settings, audit, now, onChange: () => share('settings') }
  const canVerifyEmail = storage.emailVerifications !== undefined && notifiers.length > 0
  const instance = settingsService({ ...shared, canVerifyEmail })
  const pluginSettings = pluginSettingsService({ ...shared, definitions })
  const share = shareInvalidation({
    ...{ invalidations, log },
    clear: {
      settings() {
        instance.invalidate()
        pluginSettings.invalidate()
      },
      'public-lists': publicLists.invalidate,
      webhooks: () => void index.reload().catch(() => log.warn('webhooks of users not loaded')),
    },
  })
  const invalidate = () => {
    publicLists.invalidate()
    share('public-lists')
  }
  const updateWebhooks = async () => {
    await index.reload()
    share('webhooks')
  }
  return { lists: { ...publicLists, invalidate }, instance, pluginSettings, updateWebhooks }
}

function createEventServices(
  { storage, subscribers, notifiers, key, settings, log, clock: { now } }: ServiceDeps,
  userWebhooks: UserWebhookIndex,
  remind: (user: User) => Promise<void>,
) {
  const { users, passwordResets: resets, emailVerifications: verifications, outbox: store } = storage
  const notifying = {
    ...{ notifiers, userWebhooks, users, resets, verifications, remind, key },
    ...{ publicUrl: settings.publicUrl, now },
  }
  const all = [...subscribers, ...createNotificationSubscribers(notifying)]
  const pace = createPace(now)
  const eventLimit = startEventLimit({
    ...{ store: storage.droppedEvents, subscribers: all.map(({ name }) => name) },
    ...{ max: settings.maxWaitingEvents, pace, log, now },
  })
  return {
    subscribers: all,
    pace,
    eventLimit,
    events: eventService({ store, subscribers: all, userWebhooks, limit: eventLimit, pace, log, now }),
    notifications: notificationService(notifying),
  }
}

/** Empty unless a plugin sends to webhooks of users and the storage keeps them. */
function createIndex({
  storage,
  webhookSender,
  log,
  clock: { now },
}: ServiceDeps): Pick<WebhookDeps, 'index' | 'drops'> {
  const { userWebhooks: store, droppedEvents, outbox } = storage
  if (!webhookSender || !store) return { index: NO_USER_WEBHOOKS, drops: undefined }
  const drops = droppedEvents && startUserWebhookDrops({ store: droppedEvents, outbox, log, now })
  return { index: createUserWebhookIndex({ store, drops, log, now }), drops }
}

interface WebhookDeps {
  index: UserWebhookIndex
  drops: UserWebhookDrops | undefined
  updateWebhooks: () => Promise<void>
  subscribers: Subscriber[]
  pace: DeliveryPace
}

/** The webhooks of users, and the delivery to them and to all other subscribers. */
function createWebhookServices(
  { storage, webhookSender: sender, key, instance, audit, log, now }: Common,
  { index, drops, updateWebhooks: onChange, subscribers, pace }: WebhookDeps,
) {
  const { users, outbox, leases, userWebhooks: store } = storage
  const delivery = startDelivery({ store: outbox, leases, subscribers, pace, log, now })
  if (!sender || !store) return { webhooks: userWebhookService(null), delivery }
  const sending = { store, users, instance, sender, secrets: createWebhookSecrets(key), outbox, now }
  const toUsers = startUserDelivery({ ...sending, leases, index, pace, log })
  return {
    webhooks: userWebhookService({ ...sending, audit, load: index.reload, onChange }),
    delivery: {
      run: async () => void (await Promise.all([delivery.run(), toUsers.run(), drops?.run()])),
      async stop() {
        index.stop()
        await Promise.all([delivery.stop(), toUsers.stop(), drops?.stop()])
      },
    },
  }
}

/** What several groups of services depend on. */
interface Common extends ServiceDeps {
  instance: SettingsService
  audit: Audit
  emit: Emit
  events: EventService
  now: () => number
  cleanup: Cleanup
}

function createLimits({ counters, key, settings, audit, emit, log, now }: Common) {
  const shared = { factor: settings.limitFactor, audit, emit, log, now }
  const local = createLocalCounters(() => new LRUCache({ max: LOCAL_COUNTERS_MAX }))
  return {
    limits: limitsService({ ...shared, counters: counters && { store: counters, key } }),
    ownLimits: limitsService({ ...shared, counters: counters && { store: local, key } }),
  }
}

function createFileServices({ storage, files, settings, instance, key, log, now, cleanup }: Common) {
  const shared = { store: storage.attachments, files, settings, now }
  const { deleteFilesSoon } = cleanup
  return {
    // Upload quotas are counted in the storage, also when a plugin provides the rate-limit counters.
    attachments: attachmentsService({
      ...{ ...shared, limits: storage.limits, tokens: storage.tokens },
      ...{ instance, key, deleteFilesSoon },
    }),
    downloads: downloadsService({ ...shared, log }),
  }
}

interface AuthDeps {
  limits: LimitsService
  attachments: AttachmentsService
  getProviders: () => AuthProvider[]
  updateWebhooks: () => Promise<void>
}

function createAuthServices(common: Common, { limits, attachments, getProviders, updateWebhooks }: AuthDeps) {
  const { storage, counters, settings, instance, key, hasher, audit, emit, events, log, now, cleanup } = common
  const { users } = storage
  const sessions = sessionsService({ store: storage.sessions, instance, audit, now })
  const tokens = tokensService({ store: storage.tokens, instance, limits, audit, events, now })
  const identities = identityService({ users, getProviders, instance, emit, events, audit, updateWebhooks, now })
  const { resolve: resolveIdentity } = identities
  const devices = knownDevices(key, now)
  const canNotify = common.notifiers.length > 0
  const verification = emailVerificationService({
    ...{ store: storage.emailVerifications, canNotify, users, limits, events, audit, now },
    counters: counters ?? storage.limits,
  })
  const alerts = signInAlerts({
    ...{ isEnabled: verification.isEnabled, devices, counters: counters ?? storage.limits, events, log, now },
  })
  const signIn = signInService({
    ...{ users, getProviders, sessions, instance, resolveIdentity, limits, devices, alerts, hasher, audit, emit },
  })
  const redirects = redirectsService({
    ...{
      getProviders,
      users,
      identities,
      signIn,
      alerts,
      sessions: storage.sessions,
      limits: counters ?? storage.limits,
    },
    ...{ key, publicUrl: settings.publicUrl, audit, emit, log, now },
  })
  const cleanUp = async (userId: string) => {
    await attachments.cancelAll(userId)
    wipeSoon(cleanup, true)
  }
  const shared = { users, signIn, instance, audit, now, verification }
  const accounts = accountsService({
    ...shared,
    sessions: storage.sessions,
    getProviders,
    settings,
    hasher,
    emit,
    events,
    cleanUp,
  })
  const admin = adminService({ ...shared, sessions: storage.sessions, tokens, tokenStore: storage.tokens, accounts })
  const setupCode = setupCodeService({ ...shared, state: storage.instanceState, accounts })
  const passwordReset = passwordResetService({
    ...{ ...shared, store: storage.passwordResets, getProviders, settings, hasher, events, limits },
    ...{ canNotify, storeEvents: events.store },
  })
  return {
    ...{ accounts, signIn, identities, redirects, sessions, tokens, admin, setupCode },
    ...{ devices, passwordReset, verification },
  }
}

/** Call after a delete. */
function wipeSoon(cleanup: Cleanup, hasFiles: boolean): void {
  cleanup.scrubSoon()
  if (hasFiles) cleanup.deleteFilesSoon()
}

function deleteExpiredRequests(requests: RequestStore, events: EventService): DeleteBatch {
  const toEvents = toExpiredRequestEvents(events)
  return (now, limit) => requests.deleteExpired(now, limit, toEvents)
}

const deleteOrphanedEvents =
  ({ deleteOrphanedEvents }: UserWebhookStore): DeleteBatch =>
  (_, limit) =>
    deleteOrphanedEvents(limit)

/** Rows that expire by time alone, and events that another process stored for a webhook that was just deleted. */
function listExpiredRows(
  { storage, counters, webhookSender, settings }: ServiceDeps,
  events: EventService,
): DeleteBatch[] {
  const { sessions, tokens, requests, passwordResets, emailVerifications, audit, outbox, limits, userWebhooks } =
    storage
  return [
    ...[sessions, tokens, passwordResets, emailVerifications, ...new Set([limits, counters ?? limits])].flatMap(
      (store): DeleteBatch[] => (store ? [store.deleteExpired] : []),
    ),
    ...(requests ? [deleteExpiredRequests(requests, events)] : []),
    ...(userWebhooks && webhookSender ? [deleteOrphanedEvents(userWebhooks)] : []),
    (now, limit) => audit.deleteBefore(now - settings.auditDays * DAY_MS, limit),
    ...(['delivered', 'dead'] as const).map(
      (state): DeleteBatch =>
        (now, limit) =>
          outbox.purge({ state, before: now - EVENT_DAYS[state] * DAY_MS }, limit),
    ),
  ]
}
