import type { Knex } from 'knex'
import { wholeNumber } from '#core'

/** For every connection. Keeps values, including ciphertexts, out of knex's errors and off the console. */
export const CONNECTION_DEFAULTS: Knex.Config = {
  compileSqlOnError: false,
  log: { warn: () => {}, error: () => {} },
  /** In ms. A caller that waits longer for a free connection gets `storage.unavailable`. */
  acquireConnectionTimeout: 10_000,
}

/**
 * Option of every engine's plugin. Large enough to spread the cost of a disk flush, small enough to keep transactions
 * short.
 */
export const batchSize = wholeNumber(1, 250)
  .default(100)
  .describe('maximum number of concurrent calls that share one transaction; 1: no sharing')
