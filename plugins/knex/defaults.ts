import type { Knex } from 'knex'
import { wholeNumber } from '#core'

/** For every connection. Values, ciphertexts among them, stay out of knex's errors and off the console. */
export const CONNECTION_DEFAULTS: Knex.Config = {
  compileSqlOnError: false,
  log: { warn: () => {}, error: () => {} },
  /** In ms: whoever waits longer for a free connection is better told to come back. */
  acquireConnectionTimeout: 10_000,
}

/** The option of every engine's plugin: enough for one wait for the disk to cost each call little, few enough not to hold up others. */
export const batchSize = wholeNumber(1, 250)
  .default(100)
  .describe('most calls that share one transaction when they come at the same moment; 1: each has its own')
