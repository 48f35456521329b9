/** The product, assembled: plugins set up in order, slots filled, services made, everything closed in reverse. */
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { guardedFiles } from './attachments/guarded-files.js'
import type { FileStore } from './contracts/file-store.js'
import type { Storage } from './contracts/storage.js'
import { PROGRESS } from './copying/rows.js'
import { AppError } from './errors.js'
import { createEmit } from './events.js'
import { type Handler, httpHandler } from './http/server.js'
import { PluginError } from './load-plugin.js'
import type { Log } from './log.js'
import type { Hooks, Host, Plugin } from './plugin.js'
import { createServices, type ServiceSettings, type Services } from './services.js'

export interface AppSettings extends ServiceSettings {
  /** Name of the plugin that fills the storage slot. */
  storage: string
  /** Name of the plugin that fills the files slot; empty: no files. */
  files: string
  dataDir: string
  trustedProxies: string[]
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
  /** Stops the sweeper and closes the plugins, the last one first. */
  close(): Promise<void>
}

interface Options {
  settings: AppSettings
  plugins: ConfiguredPlugin[]
  log: Log
  version: string
  /** False: a schema that is not up to date stops the start. */
  migrate?: boolean
  /** Epoch ms; the system's clock unless a test brings its own. */
  now?: () => number
}

/** Throws PluginError when a plugin does not start or a slot stays empty; what had started is closed first. */
export async function createApp({
  settings,
  plugins,
  log,
  version,
  migrate = true,
  now = Date.now,
}: Options): Promise<App> {
  const dataDir = await makeDataDir(settings.dataDir)
  const started: { name: string; hooks: Hooks }[] = []
  const close = () => closeInReverse(started, log)
  try {
    const host: Host = { log, dataDir, publicUrl: settings.publicUrl }
    for (const { plugin, options } of plugins) {
      started.push({ name: plugin.name, hooks: await setUp(plugin, options, host) })
    }
    const slot = (name: string) => started.find((each) => each.name === name)?.hooks
    const storage = slot(settings.storage)?.storage
    if (!storage) throw new PluginError(`Plugin "${settings.storage}" does not provide a storage.`)
    const files = slot(settings.files)?.files ?? null
    if (!files && settings.files !== '')
      throw new PluginError(`Plugin "${settings.files}" does not provide a file store.`)
    const migrated = migrate ? await storage.migrate() : await refuseIfBehind(storage)
    await refuseUnfinishedCopy(storage)
    const hooks = started.map((each) => each.hooks)
    const emit = createEmit(
      hooks.flatMap(({ on }) => on ?? []),
      log,
    )
    const services = createServices({ storage, files: files && guardedFiles(files) }, settings, { emit, log, now })
    const handler = httpHandler({ services, storage, files, settings, hooks, log, version })
    const stop = async () => {
      await services.sweeper.stop()
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
  plugins,
  log,
}: Pick<Options, 'settings' | 'plugins' | 'log'>): Promise<{ storage: Storage; close(): Promise<void> }> {
  const chosen = plugins.find(({ plugin }) => plugin.name === settings.storage) as ConfiguredPlugin
  const host: Host = { log, dataDir: await makeDataDir(settings.dataDir), publicUrl: settings.publicUrl }
  const hooks = await setUp(chosen.plugin, chosen.options, host)
  const close = () => closeInReverse([{ name: chosen.plugin.name, hooks }], log)
  if (hooks.storage) return { storage: hooks.storage, close }
  await close()
  throw new PluginError(`Plugin "${chosen.plugin.name}" does not provide a storage.`)
}

async function makeDataDir(folder: string): Promise<string> {
  const dataDir = resolve(folder)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return dataDir
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
async function refuseUnfinishedCopy({ settings }: Storage): Promise<void> {
  if (!(PROGRESS in (await settings.all()))) return
  const message = 'The database is a copy that was not finished. Run `mayfly db copy` again, or empty it.'
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
