import { command } from '../command.js'

export interface PurgeFlags {
  orphans?: true
  dryRun?: true
  databaseUrl?: string
  set?: string[]
}

export const purge = command<PurgeFlags>({
  name: 'purge',
  summary: 'delete what has ended; quiet when there is nothing',
  options: [
    ['--orphans', 'files that belong to nothing, too'],
    ['--dry-run', 'count, and delete nothing'],
    ['--database-url <url>', 'database of the instance; better as a variable'],
    ['--set <key=value...>', 'as for `serve`'],
  ],
  examples: [['from cron, where the server is not always up', 'mayfly purge --orphans --quiet']],
  async run({ io, flags }) {
    const { purgeEnded } = await import('../care/purge.js')
    await purgeEnded(flags, io)
  },
})
