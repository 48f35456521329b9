/** One address for a database: its scheme names the plugin, the rest is that plugin's. */
import { type Config, coreSettings } from '#config'
import { CliError } from '../lib/cli-error.js'
import { type Io, resolvePath } from '../output/io.js'

/** Which plugin keeps what an address of this scheme leads to. */
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
  /** The options of it that the address stands for. */
  options: Record<string, string>
}

/** `what` names where the address came from. Throws CliError `usage`; the address itself is never repeated. */
export function parseDatabaseUrl(url: string, what: string, io: Io): DatabaseTarget {
  const [, scheme = '', rest = ''] = /^([a-z]+):(.+)$/.exec(url) ?? []
  const plugin = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined
  if (!plugin) {
    const known = Object.keys(SCHEMES).map((name) => `${name}:`)
    throw new CliError('usage', `${what} must be the address of a database: ${known.join(', ')}`)
  }
  if (plugin === 'sqlite') return { plugin, options: { file: resolvePath(io, rest.replace(/^\/\/(?=.)/, '')) } }
  // Without the slashes it would parse as a path, and what was meant as a password as the name of a database.
  if (!/^\/\/./.test(rest) || !URL.canParse(url)) {
    const hint = 'what is special in a password is written as %XX: %40 for @, %2F for /, %23 for #'
    throw new CliError('usage', `${what} must have the form ${scheme}://user:password@host:port/database`, hint)
  }
  return { plugin, options: { url } }
}

/** Sets what follows from the setting `databaseUrl`. Answers a sentence for each problem, without its value. */
export function applyDatabaseUrl(config: Config, io: Io): string[] {
  const { settings } = config.section(null, coreSettings)
  const { value, origin = '' } = settings.find(({ key }) => key === 'databaseUrl') ?? {}
  if (typeof value !== 'string' || value === '') return []
  try {
    const { plugin, options } = parseDatabaseUrl(value, 'databaseUrl', io)
    const implied = { storage: plugin, ...prefixKeys(plugin, options) }
    return Object.entries(implied).flatMap(([key, each]) => config.imply(key, each, origin) ?? [])
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return [`${error.message} (${origin})`]
  }
}

const prefixKeys = (plugin: string, options: Record<string, string>) =>
  Object.fromEntries(Object.entries(options).map(([option, value]) => [`${plugin}.${option}`, value]))
