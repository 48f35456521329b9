/** Assembles the application: sets up the plugins in order, resolves the slots, creates the services. Closes in reverse order. */
import { resolve } from 'node:path'
import { wrapFileStore } from './attachments/wrap-file-store.js'
import { CLOCK_KEY } from './cleanup/scheduler.js'
import type { AuthProvider } from './contracts/auth-provider.js'
import type { FileStore } from './contracts/file-store.js'
import type { LimitStore } from './contracts/limits.js'
import type { Storage } from './contracts/storage.js'
import type { WebhookSender } from './contracts/webhook-sender.js'
import { COPY_PROGRESS_KEY } from './export/copy-rows.js'
import { createHttpHandler } from './http/app.js'
import type { Handler } from './http/server.js'
import { type Clock, createMonotonicClock } from './lib/clock.js'
import { type CloseStep, runCloseSteps } from './lib/close-steps.js'
import { AppError } from './lib/errors.js'
import type { Log } from './lib/log.js'
import { type HashCost, passwordHasher } from './lib/password-hash.js'
import { createResponseTracker } from './lib/response-tracker.js'
import { assertProviderIds } from './plugins/assert-provider-ids.js'
import { collectSubscribers } from './plugins/collect-subscribers.js'
import { listPluginSettings } from './plugins/list-plugin-settings.js'
import type { Hooks, Plugin, PluginContext } from './plugins/plugin.js'
import { type Accounts, createAccounts, createPluginApp } from './plugins/plugin-app.js'
import { PluginError } from './plugins/plugin-error.js'
import { createServices, type ServiceSettings, type Services } from './services/create-services.js'
import type { Emitter } from './services/emit.js'
import { resolveInstanceKey } from './settings/instance-key.js'

export interface AppSettings extends ServiceSettings {
  /** Name of the storage plugin. */
  storage: string
  /** Name of the file store plugin; '' for no file store. */
  files: string
  /** Name of the rate-limit store plugin; '' for the counters of the storage, `off` for no limits. */
  limits: string
  /** Names of the auth provider plugins, in order. */
  auth: string[]
  dataDir: string
  /** 32 bytes in hex or base64url; '' for a key that the storage keeps. */
  instanceKey: string
  trustedProxies: string[]
  /** Allowed Host headers in addition to the host of `publicUrl`. */
  allowedHosts: string[]
  /** Origins that may use the API by CORS. */
  corsOrigins: string[]
  /** `publicUrl` was derived from the port because none is configured, so every address of this machine is allowed. */
  anyAddress?: boolean
}

/** A plugin with its parsed options. */
export interface ConfiguredPlugin {
  plugin: Plugin
  options: Record<string, unknown>
}

export interface App {
  services: Services
  storage: Storage
  files: FileStore | null
  /** Request handler for node:http. */
  handler: Handler
  /** Names of the migrations that ran. */
  migrated: string[]
  /** Stops the services and closes the plugins, the last one first. */
  close(): Promise<void>
  /** The same in a bounded time. Resolves with the names of what is still open. */
  closeWithin(ms: number): Promise<string[]>
}

interface StartedPlugin {
  name: string
  hooks: Hooks
}

interface Options {
  settings: AppSettings
  plugins: ConfiguredPlugin[]
  log: Log
  version: string
  /** False: fails when the schema is out of date. `new`: migrates an empty database only. Default: migrates. */
  migrate?: boolean | 'new'
  /** False in a command that opens the instance without serving requests. Default: true. */
  isServer?: boolean
  /** Default: the system clock. */
  clock?: Clock
  /** `HASH_COST`, unless a test brings a lower one. */
  hashCost?: HashCost
}

/** Throws PluginError when a plugin fails to start or a slot is empty. Plugins that have started are closed first. */
export async function createApp({
  settings,
  plugins,
  log,
  version,
  migrate = true,
  isServer = true,
  clock = createMonotonicClock({ log }),
  hashCost,
}: Options): Promise<App> {
  const started: StartedPlugin[] = []
  const serviceSteps: CloseStep[] = []
  const closeWithin = (ms?: number) => runCloseSteps([...serviceSteps.splice(0), ...pluginSteps(started)], log, ms)
  const close = async () => void (await closeWithin())
  try {
    const context = toPluginContext(settings, { log, clock })
    for (const { plugin, options } of plugins) {
      started.push({ name: plugin.name, hooks: await startPlugin(plugin, options, context) })
    }
    const { storage, files, slot } = resolveSlots(settings, started)
    const limits = resolveCounters(settings.limits, storage, slot)
    const migrated =
      migrate === true || (migrate === 'new' && (await isNew(storage)))
        ? await storage.migrate()
        : await assertUpToDate(storage)
    await assertNoUnfinishedCopy(storage)
    clock.atLeast(Number((await storage.instanceState.get(CLOCK_KEY)) ?? 0))
    const responses = createResponseTracker()
    const { services, emitter } = createServices({
      ...{ storage, files: files && wrapFileStore(files), counters: limits },
      key: await resolveInstanceKey(settings.instanceKey, storage),
      hasher: passwordHasher(hashCost),
      ...collectReceivers(started),
      responses,
      pluginSettings: plugins.flatMap(({ plugin }) => listPluginSettings(plugin)),
      createProviders: (services) => createProviders(settings.auth, slot, createAccounts(services), context),
      ...{ settings, log, clock },
    })
    serviceSteps.push(...listServiceSteps(services, emitter))
    await services.webhooks.load()
    const running = started.map(({ name, hooks }) => {
      return { plugin: name, hooks, app: createPluginApp(name, { services, storage, now: clock.now, isServer }) }
    })
    const handler = createHttpHandler({
      ...{ services, settings, emit: emitter.emit, responses, log, version },
      pages: started.flatMap(({ hooks }) => hooks.pages ?? []),
      pluginRoutes: running.map(({ plugin, hooks, app }) => ({ plugin, routes: hooks.routes ?? [], app })),
    })
    for (const { plugin, hooks, app } of running) {
      await runPluginStart(plugin, async () => hooks.ready?.(app, context))
    }
    return { services, storage, files, handler, migrated, close, closeWithin }
  } catch (error) {
    await close()
    throw error
  }
}

/** What plugins receive: events, notifications, audit entries and changes of other processes. */
function collectReceivers(started: StartedPlugin[]) {
  const hooks = started.map((each) => each.hooks)
  return {
    listeners: started.map(({ name, hooks: { on, beforeResponse } }) => ({ plugin: name, on, beforeResponse })),
    subscribers: collectSubscribers(hooks),
    notifiers: started.flatMap(({ name, hooks: { notify } }) => (notify ? { name, notifier: notify } : [])),
    webhookSender: pickWebhookSender(started),
    auditSinks: started.flatMap(({ name, hooks: { auditSink } }) => (auditSink ? { name, sink: auditSink } : [])),
    invalidations: hooks.flatMap((each) => each.invalidation ?? []),
  }
}

/** null: no plugin sends to webhooks of users. Throws PluginError if several do. */
function pickWebhookSender(started: StartedPlugin[]): WebhookSender | null {
  const [sender, other] = started.flatMap(({ hooks: { userWebhooks } }) => userWebhooks ?? [])
  if (other) throw new PluginError('Two plugins send to webhooks of users.')
  return sender ?? null
}

function listServiceSteps({ cleanup, audit, stats, delivery, eventLimit }: Services, emitter: Emitter): CloseStep[] {
  return [
    { name: 'cleanup', close: cleanup.stop },
    { name: 'audit log', close: audit.stop },
    { name: 'statistics', close: stats.stop },
    { name: 'event listeners', close: emitter.stop },
    { name: 'event delivery', close: delivery.stop },
    { name: 'event limit', close: eventLimit.stop },
  ]
}

/** Opens the storage without starting the application. Throws PluginError. */
export async function openStorage({
  settings,
  ...options
}: Pick<Options, 'settings' | 'plugins' | 'log'>): Promise<{ storage: Storage; close(): Promise<void> }> {
  return openStores({ ...options, settings: { ...settings, files: '' } })
}

/** Opens the storage and the file store, if one is configured. Throws PluginError. */
export async function openStores({ settings, plugins, log }: Pick<Options, 'settings' | 'plugins' | 'log'>) {
  const context = toPluginContext(settings, { log, clock: createMonotonicClock({ log }) })
  const started: StartedPlugin[] = []
  const close = async () => void (await runCloseSteps(pluginSteps(started), log))
  try {
    for (const { plugin, options } of plugins) {
      if (plugin.name !== settings.storage && plugin.name !== settings.files) continue
      started.push({ name: plugin.name, hooks: await startPlugin(plugin, options, context) })
    }
    const { storage, files } = resolveSlots(settings, started)
    return { storage, files, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Throws PluginError for an empty slot. */
function resolveSlots({ storage, files }: Pick<AppSettings, 'storage' | 'files'>, started: StartedPlugin[]) {
  const slot = (name: string) => started.find((each) => each.name === name)?.hooks
  const slots = { storage: slot(storage)?.storage, files: slot(files)?.files ?? null }
  if (!slots.storage) throw new PluginError(`Plugin "${storage}" does not provide a storage.`)
  if (!slots.files && files !== '') throw new PluginError(`Plugin "${files}" does not provide a file store.`)
  return { ...slots, storage: slots.storage, slot }
}

/** null: no limits. */
function resolveCounters(name: string, storage: Storage, slot: (name: string) => Hooks | undefined): LimitStore | null {
  if (name === 'off') return null
  const store = name === '' ? storage.limits : slot(name)?.limits
  if (!store) throw new PluginError(`Plugin "${name}" does not provide a rate-limit store.`)
  return store
}

/** Throws PluginError for a plugin without auth providers, and for an invalid or duplicate id. */
function createProviders(
  names: string[],
  slot: (name: string) => Hooks | undefined,
  accounts: Accounts,
  context: PluginContext,
): AuthProvider[] {
  const providers = names.flatMap((name) => {
    const hooks = slot(name)
    if (!hooks?.auth) throw new PluginError(`Plugin "${name}" does not provide an auth provider.`)
    return hooks.auth(accounts, context)
  })
  assertProviderIds(providers)
  return providers
}

async function isNew({ migrations }: Storage): Promise<boolean> {
  return ((await migrations?.status()) ?? []).every(({ state }) => state === 'pending')
}

/** Throws AppError `storage.unavailable` unless the schema is up to date. Returns the migrations that ran: none. */
async function assertUpToDate(storage: Storage): Promise<string[]> {
  const steps = (await storage.migrations?.status()) ?? []
  if (steps.every(({ state }) => state === 'ran')) return []
  const message = steps.some(({ state }) => state === 'unknown')
    ? 'The database was migrated by a newer version of Mayfly.'
    : 'The database schema is out of date. Run `mayfly migrate`.'
  throw new AppError('storage.unavailable', { message })
}

const startPlugin = async (plugin: Plugin, options: Record<string, unknown>, context: PluginContext): Promise<Hooks> =>
  (await runPluginStart(plugin.name, async () => plugin.setup(options, context))) ?? {}

/** Throws PluginError with the name of the plugin when `work` fails. */
async function runPluginStart<Result>(plugin: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new PluginError(`Plugin "${plugin}" did not start: ${reason}`, { cause })
  }
}

const toPluginContext = (
  { dataDir, publicUrl }: Pick<AppSettings, 'dataDir' | 'publicUrl'>,
  { log, clock }: { log: Log; clock: Clock },
): PluginContext => ({ log, dataDir: resolve(dataDir), publicUrl, clock: { now: clock.now } })

/** Throws AppError `storage.unavailable` when a copy or restore into this database was interrupted. */
async function assertNoUnfinishedCopy({ instanceState }: Storage): Promise<void> {
  if ((await instanceState.get(COPY_PROGRESS_KEY)) === null) return
  const message = 'The database is an unfinished copy. Run `mayfly db copy` or `mayfly restore` again, or empty it.'
  throw new AppError('storage.unavailable', { message })
}

/** The last plugin first. Empties the list, so that nothing is closed twice. */
const pluginSteps = (started: StartedPlugin[]): CloseStep[] =>
  started
    .splice(0)
    .reverse()
    .map(({ name, hooks }) => ({ name, close: async () => hooks.close?.() }))
