/** Opens a storage or a file store without the rest of the instance. */
import { existsSync } from 'node:fs'
import { coreSettings, loadConfig } from '#config'
import { type FileStore, isAppError, type Storage } from '#core'
import { findOperatorError, type Hooks, type Log, noLog, openStorage, PluginError } from '#core/runtime'
import { lookUp } from '#shared/look-up'
import { CliError } from '../lib/cli-error.js'
import { toDamageError } from '../lib/damaged-database.js'
import { type Io, resolvePath } from '../output/io.js'
import { toMessage } from '../output/sanitize.js'
import { parseDatabaseUrl, prefixKeys } from './database-url.js'
import { findConfigFile, type InstanceConfig } from './instance-config.js'
import { loadNamedPlugin } from './load-named-plugin.js'

export interface OpenStore<Store> {
  store: Store
  /** Plugin and location, without credentials. */
  location: string
  close(): Promise<void>
}

/** Runs `work` on the storage of the config. Throws the result of `toStartError`, or what `work` throws. */
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

/** Runs `work` on the file store of the config; returns null without one. Throws like `withStorage`. */
export async function withFileStore<T>(
  boot: InstanceConfig,
  log: Log,
  work: (files: FileStore) => Promise<T>,
): Promise<T | null> {
  const { files: name, dataDir } = boot.settings
  const chosen = boot.plugins.find(({ plugin }) => plugin.name === name)
  if (!chosen) return null
  const host = { log, dataDir, publicUrl: boot.settings.publicUrl, clock: Date }
  const { files, close } = await runPluginSetup(name, () => chosen.plugin.setup(chosen.options, host))
  try {
    if (!files) throw new CliError('usage', `plugin "${name}" does not provide a file store`)
    return await work(files)
  } finally {
    await close?.()
  }
}

/** `what`: the flag with the URL. Throws CliError `usage` or `unavailable`. */
export async function openDatabase(url: string, what: string, io: Io): Promise<OpenStore<Storage>> {
  const { plugin, options } = parseDatabaseUrl(url, what, io)
  // SQLite would create an empty file.
  if (what === '--from' && options.file && !existsSync(options.file)) {
    throw new CliError('usage', `${what}: file not found`)
  }
  const named = Object.fromEntries(Object.keys(options).map((option) => [`${plugin}.${option}`, what]))
  const { storage, ...hooks } = await setUpPlugin(plugin, prefixKeys(plugin, options), io, named)
  if (!storage) throw new CliError('usage', `plugin "${plugin}" does not provide a storage`)
  return {
    store: storage,
    location: describeLocation(plugin, storage),
    close: async () => void (await hooks.close?.()),
  }
}

/** `named`: a folder, or a plugin name with the settings of the instance. Throws like `openDatabase`. */
export async function openFileStore(
  named: string,
  flags: Record<string, string>,
  io: Io,
): Promise<OpenStore<FileStore>> {
  const folder = resolvePath(io, named)
  const isFolder = named.includes('/') || existsSync(folder)
  const plugin = isFolder ? 'local-files' : named
  const { files, ...hooks } = await setUpPlugin(plugin, isFolder ? prefixKeys(plugin, { folder }) : flags, io)
  if (!files) throw new CliError('usage', `plugin "${plugin}" does not provide a file store`)
  return {
    store: files,
    location: describeLocation(plugin, files),
    close: async () => void (await hooks.close?.()),
  }
}

/** Such as `sqlite /var/lib/mayfly/mayfly.db`. */
export const describeLocation = (name: string, { location }: { location?: string }): string =>
  location === undefined ? name : `${name} ${location}`

/** Prints which instance a command works on. */
export function announceInstance({ settings, configFile }: InstanceConfig, storage: Storage, io: Io): void {
  const config = configFile.path === null ? '' : ` (config: ${configFile.path})`
  io.note(`using ${describeLocation(settings.storage, storage)}${config}`)
}

/** Converts a start failure to a CliError `usage`, `unavailable` or `check_failed`; returns other errors unchanged. */
export function toStartError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CliError) return error
  const damage = toDamageError(error)
  if (damage) return damage
  const cause = findOperatorError(error)
  const isPlugin = error.name === 'PluginError'
  // A PluginError without a cause is a wrong choice in the config.
  const outcome = cause?.isSetting || (isPlugin && !error.cause) ? 'usage' : 'unavailable'
  if (isPlugin) {
    const hint = cause ? cause.hint : error.cause ? findHint(error) : undefined
    return new CliError(outcome, toMessage(error.message), hint)
  }
  if (cause) return new CliError(outcome, toMessage(cause.message), cause.hint)
  if (isAppError(error, 'storage.unavailable')) return new CliError(outcome, toMessage(error.message), CHECK_SETTINGS)
  return error
}

/** Hint for failures of which nothing more is known. */
export const CHECK_SETTINGS = 'check the settings with `mayfly config list`'

/** By the code of the system error that caused the failure. */
function findHint(error: Error): string {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const { code = '' } = each as NodeJS.ErrnoException
    const hint = lookUp(SYSTEM_HINTS, code)
    if (hint !== undefined) return hint
  }
  return CHECK_SETTINGS
}

const OWNER = 'make the user of the server the owner of this file or folder'
const UNREACHABLE = 'check host and port in the settings of the plugin, that the server runs, and the firewall'
const SYSTEM_HINTS: Record<string, string> = {
  EACCES: OWNER,
  EPERM: OWNER,
  EROFS: 'mount this disk for writing, or choose another folder',
  ENOSPC: 'the disk is full: free space on it',
  EDQUOT: 'the disk quota is used up: raise it, or free space',
  EADDRINUSE: 'choose another port, or stop the program that uses it',
  ECONNREFUSED: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
}

/** `flags`: settings by dotted key, on top of the config. `options`: the options of the command that they come from. */
async function setUpPlugin(
  name: string,
  flags: Record<string, string>,
  io: Io,
  options: Record<string, string> = {},
): Promise<Hooks> {
  const file = findConfigFile(undefined, flags, io)
  const config = loadConfig({ file, env: io.env, flags, options, cwd: io.cwd })
  const dataDir = resolvePath(io, String(config.section(null, coreSettings).values?.dataDir ?? 'data'))
  try {
    const plugin = await loadNamedPlugin(name, file)
    const { values, problems } = config.section(plugin.name, plugin.options)
    if (!values) throw new CliError('usage', problems.map(toMessage).join('\n'))
    return await runPluginSetup(name, () => plugin.setup(values, { log: noLog, dataDir, publicUrl: '', clock: Date }))
  } catch (error) {
    throw toStartError(error)
  }
}

async function runPluginSetup(
  name: string,
  setup: () => Promise<Hooks | undefined> | Hooks | undefined,
): Promise<Hooks> {
  try {
    return (await setup()) ?? {}
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw toStartError(new PluginError(`plugin "${name}" did not start: ${reason}`, { cause: error }))
  }
}
