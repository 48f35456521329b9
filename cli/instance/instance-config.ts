/** Loads the config of an instance and its plugins. Reports all problems at once. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type CoreSettings, coreSettings, loadConfig, type Setting } from '#config'
import { isLoopbackHost } from '#core'
import { type ConfiguredPlugin, isSingleProcess, type Plugin, PluginError } from '#core/runtime'
import { builtIns } from '#plugins'
import type { GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import { type Io, resolvePath } from '../output/io.js'
import { toMessage } from '../output/sanitize.js'
import { type ConfigWarning, listConfigWarnings } from './config-warnings.js'
import { applyDatabaseUrl } from './database-url.js'
import { getFilesFolder } from './files-folder.js'
import { resolveInstanceBytes } from './instance-bytes.js'
import type { InstanceFlags } from './instance-options.js'
import { loadNamedPlugin } from './load-named-plugin.js'

export const CONFIG_FILE = 'mayfly.config.json'

/** With the number of bytes for `instanceBytes: auto`. */
export type InstanceSettings = Omit<CoreSettings, 'instanceBytes'> & { instanceBytes: number | null }

export interface InstanceConfig {
  /** `dataDir` is absolute. */
  settings: InstanceSettings
  plugins: NamedPlugin[]
  /** Every config setting of the core and the plugins, with its origin. */
  allSettings: Setting[]
  configFile: ConfigFile
  /** Settings that have no effect or are probably wrong. They stop no command. */
  warnings: ConfigWarning[]
}

/** `specifier`: how the config names it, such as `./file.js`. */
export interface NamedPlugin extends ConfiguredPlugin {
  specifier: string
}

/** The config file of an instance. Paths are absolute. */
export interface ConfigFile {
  /** Null if there is none. */
  path: string | null
  /** Where it was searched. */
  searched: string[]
}

/**
 * `configPath`: from `--config`; default: MAYFLY_CONFIG. `flags`: values by dotted key, such as `port` or
 * `sqlite.file`. `options`: the options of the command that set one of them, by key; the others come from `--set`.
 * Throws CliError `usage`.
 */
export async function loadInstanceConfig(
  configPath: string | undefined,
  flags: Record<string, string>,
  io: Io,
  options: Record<string, string> = {},
): Promise<InstanceConfig> {
  const file = findConfigFile(configPath, flags, io)
  const config = loadConfig({ file, env: io.env, flags, options, cwd: io.cwd })
  const implied = applyDatabaseUrl(config, io)
  const core = config.section(null, coreSettings)
  const problems = [...implied, ...core.problems]
  const allSettings = [...core.settings]
  const plugins: NamedPlugin[] = []
  for (const name of listPluginNames(core.settings)) {
    const plugin = await tryLoadPlugin(name, file, problems)
    if (!plugin) continue
    const section = config.section(plugin.name, plugin.options)
    problems.push(...section.problems)
    allSettings.push(...section.settings)
    if (plugins.some((other) => other.plugin.name === plugin.name))
      problems.push(`Two plugins are named "${plugin.name}".`)
    if (section.values) plugins.push({ plugin, options: section.values, specifier: name })
    // The config may name a plugin by its file; core expects the plugin's name.
    for (const slot of ['storage', 'files', 'limits'] as const) {
      if (core.values?.[slot] === name) core.values[slot] = plugin.name
    }
    if (core.values) core.values.auth = core.values.auth.map((each) => (each === name ? plugin.name : each))
  }
  const alone = plugins.find(isSingleProcess)
  if (alone && (core.values?.workers ?? 1) > 1) {
    problems.push(
      `workers: must be 1, because the plugin "${alone.plugin.name}" keeps its data in the memory of one process.`,
    )
  }
  if (core.values) problems.push(...checkPublicUrl(core.values))
  const unused = config.takeUnusedSections(Object.keys(builtIns))
  problems.push(...config.listProblems())
  if (problems.length > 0 || !core.values) throw new CliError('usage', problems.map(toMessage).join('\n'))
  const isFromFile = core.settings.some(
    ({ key, origin }) => key === 'dataDir' && ['default', file.path].includes(origin),
  )
  const dataDir = resolveDataDir(core.values.dataDir, isFromFile && file.required ? file.path : null, io)
  const folder = getFilesFolder({ plugins, settings: { ...core.values, dataDir } })
  const instanceBytes = await resolveInstanceBytes(core.values.instanceBytes, folder)
  const settings = { ...core.values, dataDir, instanceBytes }
  const configFile = { path: config.file, searched: file.searched }
  const warnings = await listConfigWarnings(unused, allSettings, plugins, io.env)
  return { settings, plugins, allSettings, configFile, warnings }
}

/** Plain http is for this machine only, unless the operator allows it. */
function checkPublicUrl({ publicUrl, allowHttp }: CoreSettings): string[] {
  if (allowHttp || !publicUrl.startsWith('http:') || isLoopbackHost(new URL(publicUrl).hostname)) return []
  return [
    'publicUrl: must be https, because links and session cookies can be intercepted over http; use https, or set allowHttp to true in a network that you trust',
  ]
}

/** Loads the config for `--config`, `--database-url` and `--set`. Throws what `loadInstanceConfig` throws. */
export const loadConfigForFlags = (
  { config, databaseUrl, set }: InstanceFlags & GlobalFlags,
  io: Io,
): Promise<InstanceConfig> =>
  loadInstanceConfig(config, { ...(databaseUrl ? { databaseUrl } : {}), ...parseKeyValues(set) }, io, {
    databaseUrl: '--database-url',
  })

/** Parses the `key=value` pairs of `--set`. Throws CliError `usage`. */
export function parseKeyValues(pairs: string[] = []): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new CliError('usage', '--set needs key=value', 'for example --set sqlite.file=/srv/mayfly.db')
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/**
 * Returns `configPath` or MAYFLY_CONFIG as `required`. Without them, or with '', looks in the working folder, then in
 * the data folder, and returns the former if neither has a config file.
 */
export function findConfigFile(configPath: string | undefined, flags: Record<string, string>, io: Io) {
  const readNames = configPath ?? io.env.MAYFLY_CONFIG ?? ''
  if (readNames !== '') {
    const path = resolvePath(io, readNames)
    return { path, required: true, searched: [path] }
  }
  const dataDir = flags.dataDir ?? (io.env.MAYFLY_DATA_DIR || 'data')
  const searched = [resolvePath(io, CONFIG_FILE), join(resolvePath(io, dataDir), CONFIG_FILE)]
  const path = searched.find((place) => existsSync(place)) ?? (searched[0] as string)
  return { path, required: false, searched }
}

/** A relative folder is next to the config file that the user named, if it exists there; else in the working folder. */
function resolveDataDir(dataDir: string, namedConfig: string | null, io: Io): string {
  const besideConfig = namedConfig && resolve(dirname(namedConfig), dataDir)
  return besideConfig && existsSync(besideConfig) ? besideConfig : resolvePath(io, dataDir)
}

/**
 * Returns each plugin once, stores first. Works with partly invalid settings, so that problems of plugins are reported
 * too.
 */
function listPluginNames(settings: Setting[]): string[] {
  const readNames = (key: 'storage' | 'files' | 'limits' | 'auth' | 'plugins') =>
    coreSettings.shape[key].safeParse(settings.find((setting) => setting.key === key)?.value).data ?? []
  const limits = [readNames('limits')].filter((name) => name !== 'off')
  const names = [readNames('storage'), readNames('files'), limits, readNames('auth'), readNames('plugins')].flat(2)
  return [...new Set(names)].filter((name) => name !== '')
}

async function tryLoadPlugin(
  name: string,
  file: { path: string; required: boolean },
  problems: string[],
): Promise<Plugin | null> {
  try {
    return await loadNamedPlugin(name, file)
  } catch (error) {
    if (!(error instanceof PluginError)) throw error
    problems.push(error.message)
    return null
  }
}
