/** `mayfly migrate`: runs and lists migrations. */
import { describeUnknownMigrations, isAppError, type MigrateOptions, type MigrationStatus, type Storage } from '#core'
import { createLog, findOperatorError } from '#core/runtime'
import { loadConfigForFlags } from '../../instance/instance-config.js'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { announceInstance, withStorage } from '../../instance/open-database.js'
import { requireDatabase, requireNamedDatabase } from '../../instance/require-database.js'
import { CliError } from '../../lib/cli-error.js'
import { parseDuration } from '../../output/duration.js'
import type { Io } from '../../output/io.js'
import { toMessage } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'

export interface MigrateFlags extends InstanceFlags {
  lockTimeout: string
}

/** Throws CliError: `conflict` when another version has migrated the database, `unavailable` when it is unreachable. */
export async function migrateStorage(action: string, flags: MigrateFlags & GlobalFlags, io: Io): Promise<void> {
  if (action !== 'up' && action !== 'status') {
    throw new CliError('usage', `unknown action "${action}"`, 'use up or status')
  }
  const lockTimeoutMs = parseDuration('--lock-timeout', flags.lockTimeout) * 1000
  const config = await loadConfigForFlags(flags, io)
  if (action === 'up') requireNamedDatabase(config)
  else requireDatabase(config)
  const log = createLog('warn', 'text', (line) => io.writeErr(line))
  await withStorage(config, log, async (storage) => {
    if (!storage.listMigrations) throw new CliError('usage', `the storage "${config.settings.storage}" has no schema`)
    announceInstance(config, storage, io)
    const status = await storage.listMigrations()
    if (action === 'status') return io.write(formatStatus(status, flags, io))
    const unknown = describeUnknownMigrations(status)
    if (unknown) throw new CliError('conflict', toMessage(unknown))
    const names = await migrate(storage, { lockTimeoutMs })
    await io.writeResult(flags, names, names.map((name) => `${name}\n`).join(''))
    if (names.length === 0) io.note('nothing to do')
  })
}

async function migrate(storage: Storage, options: MigrateOptions): Promise<string[]> {
  try {
    return await storage.migrate(options)
  } catch (error) {
    if (!isAppError(error, 'storage.unavailable') || findOperatorError(error)) throw error
    throw new CliError('unavailable', toMessage(error.message))
  }
}

function formatStatus(status: MigrationStatus[], { json }: GlobalFlags, io: Io): string {
  const rows = status.map(({ name, state, ranAt }) => ({
    name,
    state,
    ran_at: ranAt === null ? null : new Date(ranAt).toISOString(),
  }))
  if (json) return `${JSON.stringify(rows)}\n`
  const cells = rows.map(({ name, state, ran_at: ranAt }) => [name, state, ranAt ?? '-'])
  if (!io.isTty.stdout) return cells.map((row) => `${row.join('\t')}\n`).join('')
  const width = Math.max(...cells.map(([name = '']) => name.length))
  return cells
    .map(([name = '', state = '', ranAt]) => `${name.padEnd(width)}  ${state.padEnd(10)}  ${ranAt}\n`)
    .join('')
}
