import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { MigrateFlags } from './migrate-storage.js'

export const migrate = command<MigrateFlags>({
  name: 'migrate',
  summary: 'bring the schema of the database up to date, take it back, or look at it',
  argument: [
    '[action]',
    'up (as without it), status, or down: one step, or as far as --to says',
    ['up', 'status', 'down'],
  ],
  options: [
    ['--to <step>', 'name or number of the last step that shall have run'],
    ['--dry-run', 'print the SQL and change nothing'],
    ['--lock-timeout <duration>', 'how long to wait for another process that migrates', '30s'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    ['what ran and what did not', 'mayfly migrate status'],
    ['look before you leap', 'mayfly migrate --dry-run'],
    ['before going back to an older version', 'mayfly migrate down --to 1 --yes'],
  ],
  async run({ io, flags, args }) {
    const { migrateStorage } = await import('./migrate-storage.js')
    await migrateStorage(args[0] ?? 'up', flags, io)
  },
})
