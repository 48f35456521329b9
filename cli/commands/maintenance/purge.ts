import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { PurgeFlags } from './purge-expired.js'

export const purge = command<PurgeFlags>({
  name: 'purge',
  summary: 'delete expired secrets and files; prints nothing if there are none',
  options: [
    ['--orphans', 'also delete files without a secret'],
    ['--dry-run', 'count without deleting'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [['from cron, if the server does not always run', 'mayfly purge --orphans --quiet']],
  async run({ io, flags }) {
    const { purgeExpired } = await import('./purge-expired.js')
    await purgeExpired(flags, io)
  },
})
