/** `mayfly migrate`: runs, reverts and lists migrations. */
import { isAppError, type MigrationStatus, type MigrationStep, type Migrations } from '#core'
import { createLog } from '#core/runtime'
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
  to?: string
  dryRun?: true
  lockTimeout: string
}

/** Throws CliError: `conflict` when the schema is newer than this version, `unavailable` when the database is unreachable. */
export async function migrateStorage(action: string, flags: MigrateFlags & GlobalFlags, io: Io): Promise<void> {
  if (!['up', 'status', 'down'].includes(action)) {
    throw new CliError('usage', `unknown action "${action}"`, 'use up, status or down')
  }
  if (action === 'status' && (flags.to !== undefined || flags.dryRun)) {
    throw new CliError('usage', '--to and --dry-run work only with up and down')
  }
  const lockTimeoutMs = parseDuration('--lock-timeout', flags.lockTimeout) * 1000
  const config = await loadConfigForFlags(flags, io)
  if (action === 'up' && !flags.dryRun) requireNamedDatabase(config)
  else requireDatabase(config)
  await withStorage(
    config,
    createLog('warn', 'text', (line) => io.writeErr(line)),
    async (storage) => {
      const { migrations } = storage
      if (!migrations) throw new CliError('usage', `the storage "${config.settings.storage}" has no schema`)
      announceInstance(config, storage, io)
      const status = await migrations.status()
      if (action === 'status') return io.write(formatStatus(status, flags, io))
      requireKnownSchema(status)
      const to = flags.to === undefined ? {} : { to: parseStep(flags.to, status) }
      const options = { ...to, lockTimeoutMs, dryRun: flags.dryRun ?? false }
      if (action === 'down' && !flags.dryRun) await confirmDown(migrations, options, flags, io)
      const steps = await runMigrations(migrations, action as 'up' | 'down', options)
      await io.write(flags.dryRun && !flags.json ? formatSql(steps) : formatResult(steps, flags))
      if (steps.length === 0) io.note('nothing to do')
    },
  )
}

function requireKnownSchema(status: MigrationStatus[]): void {
  const unknown = status.filter(({ state }) => state === 'unknown').map(({ name }) => name)
  if (unknown.length === 0) return
  const message = `the database schema is newer than this version: unknown migrations ${unknown.join(', ')}`
  throw new CliError('conflict', message, 'use the version that migrated it')
}

/** Returns the number of migrations to be applied, from a number or the name of the last one. */
function parseStep(to: string, status: MigrationStatus[]): number {
  if (/^\d{1,4}$/.test(to) && Number(to) <= status.length) return Number(to)
  const named = status.findIndex(({ name }) => name === to) + 1
  if (named > 0) return named
  throw new CliError('usage', `--to: unknown migration "${to}"`, `one of: ${status.map(({ name }) => name).join(', ')}`)
}

type Options = NonNullable<Parameters<Migrations['down']>[0]>

async function confirmDown(migrations: Migrations, options: Options, flags: GlobalFlags, io: Io): Promise<void> {
  const steps = await migrations.down({ ...options, dryRun: true })
  if (flags.yes || steps.length === 0) return
  const names = steps.map(({ name }) => name).join(', ')
  const question = `Revert ${names} and delete all data in the removed tables and columns?`
  if (!io.canPrompt) throw new CliError('usage', `reverting ${names} must be confirmed`, 'use --yes')
  if (!(await io.confirm(question, false))) throw new CliError('interrupted', 'nothing was changed')
}

async function runMigrations(
  migrations: Migrations,
  action: 'up' | 'down',
  options: Options,
): Promise<MigrationStep[]> {
  try {
    return await migrations[action](options)
  } catch (error) {
    if (!isAppError(error, 'storage.unavailable')) throw error
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

const formatSql = (steps: MigrationStep[]): string =>
  steps
    .map(({ name, direction, sql }) => `-- ${name} ${direction}\n${sql.map((each) => `${each};\n`).join('')}`)
    .join('')

/** Returns the names of the migrations that ran; with --dry-run --json objects with their SQL. */
function formatResult(steps: MigrationStep[], { json, dryRun }: MigrateFlags & GlobalFlags): string {
  const names = steps.map(({ name }) => name)
  return json ? `${JSON.stringify(dryRun ? steps : names)}\n` : names.map((name) => `${name}\n`).join('')
}
