/** The storage on any SQL database that knex speaks to. The plugin of each engine makes the connection. */
import type { Knex } from 'knex'

export { type Engine, knexStorage } from './storage.js'

/** For every connection. Values, ciphertexts among them, stay out of knex's errors and off the console. */
export const CONNECTION_DEFAULTS: Knex.Config = {
  compileSqlOnError: false,
  log: { warn: () => {}, error: () => {} },
  /** In ms: whoever waits longer for a free connection is better told to come back. */
  acquireConnectionTimeout: 10_000,
}
