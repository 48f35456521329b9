/** Creates all stateful parts of the app in the order of their dependencies. */
import type { App } from './app.js'
import { createAuditLog } from './audit/audit-log.js'
import { createAuditSinkQueue } from './audit/audit-sink-queue.js'
import { createHealth } from './background/health.js'
import { shareInvalidation } from './background/share-invalidation.js'
import { createCleanup } from './cleanup/create-cleanup.js'
import { composeEvents } from './compose-events.js'
import type { AuthProvider } from './contracts/auth-provider.js'
import type { LimitStore } from './contracts/limits.js'
import { createEmitter, type Emitter } from './events/emit.js'
import type { Clock } from './lib/clock.js'
import { lazy } from './lib/lazy.js'
import type { ResponseTracker } from './lib/response-tracker.js'
import type { Receivers } from './plugins/collect-receivers.js'
import { createLimits } from './rate-limits/create-limits.js'
import { createKnownSecrets } from './secrets/known-secrets.js'
import { createPublicListCache } from './secrets/public-list-cache.js'
import { createSettings } from './settings/create-settings.js'
import type { PluginSetting } from './settings/plugin-setting-schemas.js'
import { createStats } from './stats/create-stats.js'

export interface AppParts extends Receivers, Pick<App, 'storage' | 'files' | 'config' | 'key' | 'hasher' | 'log'> {
  clock: Clock
  /** Rate-limit counters; null: no limits. */
  counters: LimitStore | null
  /** Instance settings of the plugins. */
  pluginSettings: PluginSetting[]
  responses: ResponseTracker
  /** Called once, when the app exists. */
  createProviders(app: App): AuthProvider[]
}

/** Also starts the background work, which `listBackgroundSteps` ends. Throws the errors of `createProviders`. */
export function composeApp(parts: AppParts): { app: App; emitter: Emitter } {
  const { storage, files, config, key, hasher, log, clock, counters } = parts
  const { now } = clock
  const getApp = () => app
  const providers = lazy(() => parts.createProviders(app))

  const sinks = parts.auditSinks.map((each) => createAuditSinkQueue({ ...each, log, now }))
  const audit = createAuditLog({ store: storage.audit, sinks, log, now })
  const settings = createSettings({
    storage,
    audit,
    canVerifyEmail: parts.channels.mail.length > 0,
    providers,
    definitions: parts.pluginSettings,
    onChange: () => share('settings'),
    now,
  })
  const publicLists = createPublicListCache({ store: storage.secrets, share: () => share('public-lists'), now })
  const stats = createStats({ store: storage.stats, secrets: storage.secrets, key, log, now })
  const emitter = createEmitter({
    own: [{ 'user.deleted': publicLists.invalidate }, stats.on],
    plugins: parts.listeners,
    responses: parts.responses,
    log,
  })
  const { emit } = emitter
  const eventParts = { ...parts, getApp, now, shareWebhooks: () => share('webhooks') }
  const { channels, webhooks, pace, eventLimit, delivery } = composeEvents(eventParts)
  const share = shareInvalidation({
    invalidations: parts.invalidations,
    clear: {
      settings: settings.invalidate,
      'public-lists': publicLists.clear,
      webhooks: () => void webhooks.reload().catch(() => log.warn('webhooks of users not loaded')),
    },
    log,
  })
  const marks = counters ?? storage.limits
  const limitParts = { counters, marks, stored: storage.limits, key, factor: config.limitFactor, audit, emit, log, now }
  const limits = createLimits(limitParts)
  const cleanup = createCleanup({ ...parts, getApp, hasUserWebhooks: parts.channels.webhooks !== null, emit })
  const health = createHealth({ storage, files, now })
  const app: App = {
    storage,
    files,
    config,
    settings,
    key,
    hasher,
    log,
    now,
    audit,
    emit,
    channels,
    webhooks,
    limits,
    background: { cleanup, stats, delivery, eventLimit, pace, health },
    caches: { publicLists, knownSecrets: createKnownSecrets() },
    providers,
  }
  // Created now, so that a wrong configuration fails at start-up.
  providers()
  return { app, emitter }
}
