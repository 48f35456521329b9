/** One address for a database: its scheme names the plugin, the rest is that plugin's. */
import { resolve } from 'node:path'
import { CliError } from '../errors.js'

/** Which plugin keeps what an address of this scheme leads to. */
const SCHEMES: Record<string, string> = {
  sqlite: 'sqlite',
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
}

export interface DatabaseAt {
  /** Name of the plugin. */
  plugin: string
  /** The options of it that the address stands for. */
  options: Record<string, string>
}

/** `what` names where the address came from. Throws CliError `usage`; the address itself is never repeated. */
export function databaseAt(url: string, what: string): DatabaseAt {
  const [, scheme = '', rest = ''] = /^([a-z]+):(.+)$/.exec(url) ?? []
  const plugin = SCHEMES[scheme]
  if (!plugin) {
    const known = Object.keys(SCHEMES).map((name) => `${name}:`)
    throw new CliError('usage', `${what} must be the address of a database: ${known.join(', ')}`)
  }
  return { plugin, options: plugin === 'sqlite' ? { file: resolve(rest.replace(/^\/\/(?=.)/, '')) } : { url } }
}
