import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { PurgeFlags } from './purge-expired.js'

export const purge = command<PurgeFlags>({
  name: 'purge',
  summary: 'delete what has ended; quiet when there is nothing',
  options: [
    ['--orphans', 'files that belong to nothing, too'],
    ['--dry-run', 'count, and delete nothing'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [['from cron, where the server is not always up', 'mayfly purge --orphans --quiet']],
  async run({ io, flags }) {
    const { purgeExpired } = await import('./purge-expired.js')
    await purgeExpired(flags, io)
  },
})
