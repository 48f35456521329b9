/**
 * Stops a command that works on the wrong instance. SQLite would create a missing file, and the command would succeed
 * on an empty database. Decision 045.
 */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CliError } from '../lib/cli-error.js'
import type { InstanceConfig } from './instance-config.js'

const HINT =
  'run it in the folder of the instance, or name the instance with --config FILE, MAYFLY_CONFIG, MAYFLY_DATA_DIR or --database-url; `mayfly setup` creates one'

/** Settings that say where the data is. */
const LOCATION_KEYS = ['storage', 'databaseUrl', 'dataDir']

/** Throws CliError `usage` when the SQLite file of the instance does not exist. */
export function requireDatabase(config: InstanceConfig): void {
  const file = getSqliteFile(config)
  if (file === null || existsSync(file)) return
  const { path, searched } = config.configFile
  if (path !== null) throw new CliError('usage', `the database ${file} does not exist (config: ${path})`, HINT)
  const folders = searched.map(dirname).join(' and ')
  throw new CliError('usage', `no instance found: no mayfly.config.json in ${folders}, and no database ${file}`, HINT)
}

/** Like `requireDatabase`, for commands that create a database: only if the config or a setting says where. */
export function requireNamedDatabase(config: InstanceConfig): void {
  const isLocation = (key: string) => LOCATION_KEYS.includes(key) || key.startsWith(`${config.settings.storage}.`)
  const isNamed = config.allSettings.some(({ key, origin }) => isLocation(key) && origin !== 'default')
  if (config.configFile.path === null && !isNamed) requireDatabase(config)
}

/** Returns the path of the SQLite file, which may not exist; null for another storage. */
export function getSqliteFile({ settings, plugins }: InstanceConfig): string | null {
  const sqlite = plugins.find(({ plugin }) => plugin.name === 'sqlite')
  return settings.storage === 'sqlite' && sqlite ? resolve(settings.dataDir, String(sqlite.options.file)) : null
}
