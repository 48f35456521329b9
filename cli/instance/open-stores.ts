/** Opens the storage and file store of the instance, for maintenance commands. */
import type { FileStore, RowStore, Storage } from '#core'
import { createLog, openStores } from '#core/runtime'
import type { GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import { type InstanceConfig, loadConfigForFlags } from './instance-config.js'
import type { InstanceFlags } from './instance-options.js'
import { announceInstance, toStartError } from './open-database.js'
import { requireDatabase } from './require-database.js'

export interface Stores {
  storage: Storage
  files: FileStore | null
  config: InstanceConfig
}

/**
 * Opens the stores, prints which instance it is, runs `work` and closes them. Throws CliError `usage` or `unavailable`,
 * or what `work` throws. `requireTarget`: throws when the database must exist and does not.
 */
export async function withStores<T>(
  flags: InstanceFlags & GlobalFlags,
  io: Io,
  work: (stores: Stores) => Promise<T>,
  requireTarget: (config: InstanceConfig) => void = requireDatabase,
): Promise<T> {
  const config = await loadConfigForFlags(flags, io)
  requireTarget(config)
  const log = createLog('warn', 'text', (line) => io.writeErr(line))
  const { storage, files, close } = await openStores({ ...config, log }).catch((error) => {
    throw toStartError(error)
  })
  try {
    announceInstance(config, storage, io)
    return await work({ storage, files, config })
  } finally {
    await close()
  }
}

/** Throws CliError `usage` when the storage has no row access. */
export function requireRows({ rows }: Storage): RowStore {
  if (!rows) throw new CliError('usage', 'this storage cannot be copied')
  return rows
}

/**
 * Returns the names of the migrations. Throws CliError `conflict` for the schema of another version. `what` names
 * the database.
 */
export async function requireCurrentSchema({ listMigrations }: Storage, what = 'the database'): Promise<string[]> {
  const status = (await listMigrations?.()) ?? []
  if (status.every(({ state }) => state === 'ran')) return status.map(({ name }) => name)
  throw new CliError(
    'conflict',
    `${what} has a different schema than this version`,
    'run `mayfly migrate`, or use the version that created it',
  )
}
