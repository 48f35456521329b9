import type { Knex } from 'knex'

/** For every connection. Values, ciphertexts among them, stay out of knex's errors and off the console. */
export const CONNECTION_DEFAULTS: Knex.Config = {
  compileSqlOnError: false,
  log: { warn: () => {}, error: () => {} },
  /** In ms: whoever waits longer for a free connection is better told to come back. */
  acquireConnectionTimeout: 10_000,
}
