/** One storage or one file store on its own, without the rest of an instance. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { coreSettings, loadConfig } from '#config'
import type { FileStore, Storage } from '#core'
import { type Hooks, loadPlugin, noLog, PluginError } from '#core/host'
import { builtIns } from '#plugins'
import { CliError } from '../errors.js'
import { asMessage } from '../text.js'
import { findConfig } from './boot.js'
import { databaseAt } from './database-url.js'

export interface Opened<Store> {
  store: Store
  /** What it is and where, without credentials. */
  place: string
  close(): Promise<void>
}

/** `what`: the flag that the address came from. Throws CliError `usage` or `unavailable`. */
export async function openDatabase(url: string, what: string): Promise<Opened<Storage>> {
  const { plugin, options } = databaseAt(url, what)
  // SQLite would make an empty one.
  if (what === '--from' && options.file && !existsSync(options.file)) {
    throw new CliError('usage', `${what} leads to a file that is not there`)
  }
  const { storage, ...hooks } = await setUp(plugin, options)
  if (!storage) throw new CliError('usage', `plugin "${plugin}" does not provide a storage`)
  return { store: storage, ...ending(hooks, plugin, storage.location) }
}

/** `named`: a folder, or the name of a plugin, whose settings are those of the instance. Throws as `openDatabase`. */
export async function openFiles(named: string, flags: Record<string, string>): Promise<Opened<FileStore>> {
  const isFolder = named.includes('/') || existsSync(named)
  const [plugin, options] = isFolder ? ['local-files', { folder: resolve(named) }] : [named, flags]
  const { files, ...hooks } = await setUp(plugin, options, isFolder)
  if (!files) throw new CliError('usage', `plugin "${plugin}" does not provide a file store`)
  return { store: files, ...ending(hooks, plugin, files.location) }
}

function ending({ close }: Hooks, plugin: string, location: string | undefined) {
  return { place: location === undefined ? plugin : `${plugin} ${location}`, close: async () => void (await close?.()) }
}

/** `given`: options of the plugin, or dotted flags when `isWhole` is false and the rest comes from the config. */
async function setUp(name: string, given: Record<string, string>, isWhole = true): Promise<Hooks> {
  const flags = isWhole
    ? Object.fromEntries(Object.entries(given).map(([key, value]) => [`${name}.${key}`, value]))
    : given
  const path = findConfig(flags)
  const config = loadConfig({ file: { path, required: false }, env: process.env, flags })
  const dataDir = resolve(String(config.section(null, coreSettings).values?.dataDir ?? 'data'))
  try {
    const plugin = await loadPlugin(name, builtIns, dirname(path))
    const { values, problems } = config.section(plugin.name, plugin.options)
    if (!values) throw new CliError('usage', problems.map(asMessage).join('\n'))
    return await plugin.setup(values, { log: noLog, dataDir, publicUrl: '' })
  } catch (error) {
    if (error instanceof CliError || !(error instanceof Error)) throw error
    const outcome = error instanceof PluginError ? 'usage' : 'unavailable'
    throw new CliError(outcome, asMessage(error.message))
  }
}
