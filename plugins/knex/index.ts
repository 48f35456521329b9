/** The storage on any SQL database that knex speaks to. The plugin of each engine makes the connection. */
import type { Knex } from 'knex'

export { type Engine, knexStorage } from './storage.js'

/** For every connection: keeps values, ciphertexts among them, out of knex's errors and off the console. */
export const DISCREET: Knex.Config = {
  compileSqlOnError: false,
  log: { warn: () => {}, error: () => {} },
}
