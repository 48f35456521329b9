/** A storage or a file store without the rest of an instance, and where they are and why they do not start, in words. */
import { existsSync } from 'node:fs'
import { dirname, isAbsolute, relative } from 'node:path'
import { coreSettings, loadConfig } from '#config'
import { type FileStore, isAppError, type Storage } from '#core'
import { type Hooks, type Log, loadPlugin, noLog, openStorage } from '#core/runtime'
import { builtIns } from '#plugins'
import { CliError } from '../lib/cli-error.js'
import { type Io, resolvePath } from '../output/io.js'
import { toMessage } from '../output/sanitize.js'
import { parseDatabaseUrl } from './database-url.js'
import { findConfigFile, type InstanceConfig } from './instance-config.js'

export interface OpenStore<Store> {
  store: Store
  /** What it is and where, without credentials. */
  location: string
  close(): Promise<void>
}

/** Runs `work` on the storage of a config. Throws CliError as `startFailure` does, or what `work` throws. */
export async function withStorage<T>(
  boot: InstanceConfig,
  log: Log,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const { storage, close } = await openStorage({ ...boot, log }).catch((error) => {
    throw toStartError(error)
  })
  try {
    return await work(storage)
  } finally {
    await close()
  }
}

/** Runs `work` on the file store of a config; null when it has none. Throws as `withStorage`. */
export async function withFileStore<T>(
  boot: InstanceConfig,
  log: Log,
  work: (files: FileStore) => Promise<T>,
): Promise<T | null> {
  const { files: name, dataDir } = boot.settings
  const chosen = boot.plugins.find(({ plugin }) => plugin.name === name)
  if (!chosen) return null
  const host = { log, dataDir, publicUrl: boot.settings.publicUrl }
  const { files, close } = await runPluginSetup(name, () => chosen.plugin.setup(chosen.options, host))
  try {
    if (!files) throw new CliError('usage', `plugin "${name}" does not provide a file store`)
    return await work(files)
  } finally {
    await close?.()
  }
}

/** `what`: the flag that the address came from. Throws CliError `usage` or `unavailable`. */
export async function openDatabase(url: string, what: string, io: Io): Promise<OpenStore<Storage>> {
  const { plugin, options } = parseDatabaseUrl(url, what, io)
  // SQLite would make an empty one.
  if (what === '--from' && options.file && !existsSync(options.file)) {
    throw new CliError('usage', `${what} leads to a file that is not there`)
  }
  const { storage, ...hooks } = await setUpPlugin(plugin, prefixed(plugin, options), io)
  if (!storage) throw new CliError('usage', `plugin "${plugin}" does not provide a storage`)
  return {
    store: storage,
    location: describeLocation(plugin, storage, io),
    close: async () => void (await hooks.close?.()),
  }
}

/** `named`: a folder, or the name of a plugin, whose settings are those of the instance. Throws as `openDatabase`. */
export async function openFileStore(
  named: string,
  flags: Record<string, string>,
  io: Io,
): Promise<OpenStore<FileStore>> {
  const folder = resolvePath(io, named)
  const isFolder = named.includes('/') || existsSync(folder)
  const plugin = isFolder ? 'local-files' : named
  const { files, ...hooks } = await setUpPlugin(plugin, isFolder ? prefixed(plugin, { folder }) : flags, io)
  if (!files) throw new CliError('usage', `plugin "${plugin}" does not provide a file store`)
  return {
    store: files,
    location: describeLocation(plugin, files, io),
    close: async () => void (await hooks.close?.()),
  }
}

/** `sqlite data/mayfly.db`: what is below the working folder as seen from there. */
export function describeLocation(name: string, { location }: { location?: string }, io: Io): string {
  if (location === undefined) return name
  const below = relative(io.cwd, location)
  return `${name} ${isAbsolute(location) && !below.startsWith('..') ? below : location}`
}

/** Why an instance or a store did not start: a CliError `usage` or `unavailable`, or the error itself. */
export function toStartError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  // A plugin that fails has a cause; one that is of the wrong kind was chosen by the config.
  if (error.name === 'PluginError' && !error.cause) return new CliError('usage', toMessage(error.message))
  if (error.name === 'PluginError' || isAppError(error, 'storage.unavailable')) {
    return new CliError('unavailable', toMessage(error.message), '`mayfly config list` tells the settings in force')
  }
  return error
}

/** `flags`: settings by their dotted keys. What they leave out comes from the config. */
async function setUpPlugin(name: string, flags: Record<string, string>, io: Io): Promise<Hooks> {
  const path = findConfigFile(flags, io)
  const config = loadConfig({ file: { path, required: false }, env: io.env, flags, cwd: io.cwd })
  const dataDir = resolvePath(io, String(config.section(null, coreSettings).values?.dataDir ?? 'data'))
  try {
    const plugin = await loadPlugin(name, builtIns, dirname(path))
    const { values, problems } = config.section(plugin.name, plugin.options)
    if (!values) throw new CliError('usage', problems.map(toMessage).join('\n'))
    return await runPluginSetup(name, () => plugin.setup(values, { log: noLog, dataDir, publicUrl: '' }))
  } catch (error) {
    throw toStartError(error)
  }
}

/** Options of a plugin as dotted keys. */
const prefixed = (plugin: string, options: Record<string, string>) =>
  Object.fromEntries(Object.entries(options).map(([key, value]) => [`${plugin}.${key}`, value]))

async function runPluginSetup(
  name: string,
  setup: () => Promise<Hooks | undefined> | Hooks | undefined,
): Promise<Hooks> {
  try {
    return (await setup()) ?? {}
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError('unavailable', toMessage(`plugin "${name}" did not start: ${reason}`))
  }
}
