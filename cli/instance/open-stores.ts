/** The stores of the instance that the settings describe, for commands that look after it. */
import type { FileStore, RowStore, Storage } from '#core'
import { createLog, openStores } from '#core/runtime'
import type { GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import { type InstanceConfig, loadConfigForFlags } from './instance-config.js'
import type { InstanceFlags } from './instance-options.js'
import { describeLocation, toStartError } from './open-database.js'

export interface Stores {
  storage: Storage
  files: FileStore | null
  config: InstanceConfig
}

/** Says what it uses. Throws CliError `usage` or `unavailable`, or what `work` throws. */
export async function withStores<T>(
  flags: InstanceFlags & GlobalFlags,
  io: Io,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const boot = await loadConfigForFlags(flags, io)
  const log = createLog('warn', 'text', (line) => io.writeErr(line))
  const { storage, files, close } = await openStores({ ...boot, log }).catch((error) => {
    throw toStartError(error)
  })
  try {
    io.note(`using ${describeLocation(boot.settings.storage, storage, io)}`)
    return await work({ storage, files, config: boot })
  } finally {
    await close()
  }
}

/** Throws CliError `usage` where the storage cannot hand out its rows. */
export function requireRows({ rows }: Storage): RowStore {
  if (!rows) throw new CliError('usage', 'this kind of storage cannot be copied')
  return rows
}

/** Names of the steps of the schema. Throws CliError `conflict` unless it is the schema of this program. */
export async function requireCurrentSchema({ migrations }: Storage): Promise<string[]> {
  const steps = (await migrations?.status()) ?? []
  if (steps.every(({ state }) => state === 'ran')) return steps.map(({ name }) => name)
  throw new CliError(
    'conflict',
    'the database does not have the schema of this version',
    'bring it up to date with `mayfly migrate`, or use the version that made it',
  )
}
