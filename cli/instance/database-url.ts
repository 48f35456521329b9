/** Parses database URLs: the scheme selects the plugin, the rest becomes its options. */
import { type Config, coreSettings } from '#config'
import { lookUp } from '#shared/look-up'
import { CliError } from '../lib/cli-error.js'
import { type Io, resolvePath } from '../output/io.js'

/** Storage plugin by URL scheme. */
const SCHEMES: Record<string, string> = {
  sqlite: 'sqlite',
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
}

export interface DatabaseTarget {
  /** Name of the plugin. */
  plugin: string
  /** Options of the plugin. */
  options: Record<string, string>
}

/** `what` names the flag or setting. Throws CliError `usage`, without the URL: it may contain a password. */
export function parseDatabaseUrl(url: string, what: string, io: Io): DatabaseTarget {
  const [, scheme = '', rest = ''] = /^([a-z]+):(.+)$/.exec(url) ?? []
  const plugin = lookUp(SCHEMES, scheme)
  if (!plugin) {
    const known = Object.keys(SCHEMES).map((name) => `${name}:`)
    throw new CliError('usage', `${what} must be a database URL: ${known.join(', ')}`)
  }
  if (plugin === 'sqlite') return { plugin, options: { file: resolvePath(io, rest.replace(/^\/\/(?=.)/, '')) } }
  // Without slashes the URL would parse as a path, and a password could become the name of a database.
  if (!/^\/\/./.test(rest) || !URL.canParse(url)) {
    const hint = 'percent-encode special characters in the password: %40 for @, %2F for /, %23 for #'
    throw new CliError('usage', `${what} must have the form ${scheme}://user:password@host:port/database`, hint)
  }
  return { plugin, options: { url } }
}

/** Applies the setting `databaseUrl` to the config. Returns a message per problem, without the value. */
export function applyDatabaseUrl(config: Config, io: Io): string[] {
  const { settings } = config.section(null, coreSettings)
  const { value, origin = '' } = settings.find(({ key }) => key === 'databaseUrl') ?? {}
  if (typeof value !== 'string' || value === '') return []
  try {
    const { plugin, options } = parseDatabaseUrl(value, 'databaseUrl', io)
    const implied = { storage: plugin, ...prefixKeys(plugin, options) }
    return Object.entries(implied).flatMap(([key, each]) => config.setImplied(key, each, origin) ?? [])
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return [`${error.message} (${origin})`]
  }
}

/** Converts options of a plugin to dotted keys. */
export const prefixKeys = (plugin: string, options: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(options).map(([option, value]) => [`${plugin}.${option}`, value]))
