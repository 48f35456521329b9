/** The product, assembled: plugins set up in order, slots filled, services made, everything closed in reverse. */
import { resolve } from 'node:path'
import { guardedFiles } from './attachments/guarded-files.js'
import { type Clock, steadyClock } from './clock.js'
import type { AuthProvider } from './contracts/auth-provider.js'
import type { FileStore } from './contracts/file-store.js'
import type { LimitStore } from './contracts/limits.js'
import type { Storage } from './contracts/storage.js'
import { PROGRESS } from './copying/rows.js'
import { AppError } from './errors.js'
import { createEmit } from './events.js'
import { createHttpHandler } from './http/app.js'
import type { Handler } from './http/server.js'
import { instanceKey } from './limits/instance-key.js'
import { PluginError } from './load-plugin.js'
import type { Log } from './log.js'
import type { Hooks, Host, Plugin } from './plugin.js'
import { createServices, type ServiceSettings, type Services } from './services.js'
import { statsService } from './stats/service.js'
import { CLOCK } from './sweeper.js'

export interface AppSettings extends ServiceSettings {
  /** Name of the plugin that fills the storage slot. */
  storage: string
  /** Name of the plugin that fills the files slot; empty: no files. */
  files: string
  /** Name of the plugin that fills the limits slot; empty: the storage's own; `off`: no limits. */
  limits: string
  /** Names of the plugins that bring ways to sign in, in their order. */
  auth: string[]
  dataDir: string
  trustedProxies: string[]
  /** Names under which it answers beside that of `publicUrl`. */
  allowedHosts: string[]
  /** Origins whose pages may read what the API answers. */
  corsOrigins: string[]
  /** `publicUrl` follows from the port, because none was configured: any address of this machine leads here. */
  anyAddress?: boolean
}

/** A plugin with its options as its own schema gave them out. */
export interface ConfiguredPlugin {
  plugin: Plugin
  options: Record<string, unknown>
}

export interface App {
  services: Services
  storage: Storage
  files: FileStore | null
  /** Answers one request of node:http. */
  handler: Handler
  /** Names of the migrations that ran. */
  migrated: string[]
  /** Stops the services and closes the plugins, the last one first. */
  close(): Promise<void>
}

interface Options {
  settings: AppSettings
  plugins: ConfiguredPlugin[]
  log: Log
  version: string
  /** False: a schema that is not up to date stops the start. `new`: so does it, unless there is none at all yet. */
  migrate?: boolean | 'new'
  /** The machine's, unless a test brings its own. */
  clock?: Clock
}

/** Throws PluginError when a plugin does not start or a slot stays empty; what had started is closed first. */
export async function createApp({
  settings,
  plugins,
  log,
  version,
  migrate = true,
  clock = steadyClock({ log }),
}: Options): Promise<App> {
  const started: { name: string; hooks: Hooks }[] = []
  const close = () => closeInReverse(started, log)
  try {
    const host: Host = { log, dataDir: resolve(settings.dataDir), publicUrl: settings.publicUrl }
    for (const { plugin, options } of plugins) {
      started.push({ name: plugin.name, hooks: await setUp(plugin, options, host) })
    }
    const { storage, files, slot } = slotsOf(settings, started)
    const limits = countersOf(settings.limits, storage, slot)
    const migrated =
      migrate === true || (migrate === 'new' && (await isNew(storage)))
        ? await storage.migrate()
        : await refuseIfBehind(storage)
    const kept = await storage.settings.all()
    refuseUnfinishedCopy(kept)
    clock.atLeast(Number(kept[CLOCK] ?? 0))
    const hooks = started.map((each) => each.hooks)
    const stats = statsService({ store: storage.stats, secrets: storage.secrets, log, now: clock.now })
    const emit = createEmit([stats.on, ...hooks.flatMap(({ on }) => on ?? [])], log)
    const providers: AuthProvider[] = []
    const key = await instanceKey(storage)
    const filled = { storage, files: files && guardedFiles(files), counters: limits, key, providers }
    const services = createServices(filled, settings, { emit, log, clock, stats })
    providers.push(...settings.auth.flatMap((name) => waysIn(name, slot(name), services)))
    refuseDoubles(providers)
    const handler = createHttpHandler({ services, settings, hooks, emit, log, version })
    const stop = async () => {
      await services.sweeper.stop()
      await services.audit.stop()
      await services.stats.stop()
      await close()
    }
    return { services, storage, files, handler, migrated, close: stop }
  } catch (error) {
    await close()
    throw error
  }
}

/** The storage alone, for work on it without an instance. Throws PluginError. */
export async function openStorage({
  settings,
  ...options
}: Pick<Options, 'settings' | 'plugins' | 'log'>): Promise<{ storage: Storage; close(): Promise<void> }> {
  return openStores({ ...options, settings: { ...settings, files: '' } })
}

/** The storage and the file store, if there is one. Throws PluginError. */
export async function openStores({ settings, plugins, log }: Pick<Options, 'settings' | 'plugins' | 'log'>) {
  const host: Host = { log, dataDir: resolve(settings.dataDir), publicUrl: settings.publicUrl }
  const started: { name: string; hooks: Hooks }[] = []
  const close = () => closeInReverse(started, log)
  try {
    for (const { plugin, options } of plugins) {
      if (plugin.name !== settings.storage && plugin.name !== settings.files) continue
      started.push({ name: plugin.name, hooks: await setUp(plugin, options, host) })
    }
    const { storage, files } = slotsOf(settings, started)
    return { storage, files, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Throws PluginError for a slot that stays empty. */
function slotsOf(
  { storage, files }: Pick<AppSettings, 'storage' | 'files'>,
  started: { name: string; hooks: Hooks }[],
) {
  const slot = (name: string) => started.find((each) => each.name === name)?.hooks
  const slots = { storage: slot(storage)?.storage, files: slot(files)?.files ?? null }
  if (!slots.storage) throw new PluginError(`Plugin "${storage}" does not provide a storage.`)
  if (!slots.files && files !== '') throw new PluginError(`Plugin "${files}" does not provide a file store.`)
  return { ...slots, storage: slots.storage, slot }
}

/** null: no limits. */
function countersOf(name: string, storage: Storage, slot: (name: string) => Hooks | undefined): LimitStore | null {
  if (name === 'off') return null
  const store = name === '' ? storage.limits : slot(name)?.limits
  if (!store) throw new PluginError(`Plugin "${name}" does not provide counters of limits.`)
  return store
}

function waysIn(name: string, hooks: Hooks | undefined, services: Services): AuthProvider[] {
  if (!hooks?.auth) throw new PluginError(`Plugin "${name}" does not provide a way to sign in.`)
  return hooks.auth(services)
}

/** Whom one of them vouches for would be taken for somebody of the other. */
function refuseDoubles(providers: AuthProvider[]): void {
  for (const [index, { id }] of providers.entries()) {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) throw new PluginError(`"${id}" cannot name a way to sign in.`)
    if (providers.findIndex((other) => other.id === id) < index)
      throw new PluginError(`Two ways to sign in are named "${id}".`)
  }
}

async function isNew({ migrations }: Storage): Promise<boolean> {
  return ((await migrations?.status()) ?? []).every(({ state }) => state === 'pending')
}

/** Answers no migrations, for none ran. */
async function refuseIfBehind(storage: Storage): Promise<string[]> {
  const steps = (await storage.migrations?.status()) ?? []
  if (steps.every(({ state }) => state === 'ran')) return []
  const message = steps.some(({ state }) => state === 'unknown')
    ? 'The database is ahead of this version of Mayfly.'
    : 'The schema of the database is behind this version of Mayfly: run `mayfly migrate`.'
  throw new AppError('storage.unavailable', { message })
}

async function setUp(plugin: Plugin, options: Record<string, unknown>, host: Host): Promise<Hooks> {
  try {
    return (await plugin.setup(options, host)) ?? {}
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new PluginError(`Plugin "${plugin.name}" did not start: ${reason}`, { cause })
  }
}

/** A database that is half full looks like one that has lost the rest. */
function refuseUnfinishedCopy(settings: Record<string, string>): void {
  if (!(PROGRESS in settings)) return
  const message = 'The database is a copy that was not finished. Run `mayfly db copy` or `restore` again, or empty it.'
  throw new AppError('storage.unavailable', { message })
}

/** Every plugin gets its chance to close, whatever the others do. */
async function closeInReverse(started: { name: string; hooks: Hooks }[], log: Log): Promise<void> {
  for (const { name, hooks } of started.splice(0).reverse()) {
    try {
      await hooks.close?.()
    } catch (error) {
      log.error('a plugin did not close', { plugin: name, error: error instanceof Error ? error.name : 'unknown' })
    }
  }
}
