import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { MigrateFlags } from './migrate-storage.js'

export const migrate = command<MigrateFlags>({
  name: 'migrate',
  summary: 'update, revert or show the database schema',
  argument: ['[action]', 'up (default), status, or down: one migration, or to --to', ['up', 'status', 'down']],
  options: [
    ['--to <step>', 'migrate to this migration, by name or number'],
    ['--dry-run', 'print the SQL without running it'],
    ['--lock-timeout <duration>', 'how long to wait for another process that migrates', '30s'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    ['list applied and pending migrations', 'mayfly migrate status'],
    ['print the SQL first', 'mayfly migrate --dry-run'],
    ['before a downgrade', 'mayfly migrate down --to 1 --yes'],
  ],
  async run({ io, flags, args }) {
    const { migrateStorage } = await import('./migrate-storage.js')
    await migrateStorage(args[0] ?? 'up', flags, io)
  },
})
