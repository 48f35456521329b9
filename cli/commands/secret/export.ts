import { command } from '../command.js'
import type { SecretExportFlags } from './export-secrets.js'
import { ENDED_STATES } from './secret-states.js'

export const secretExport = command<SecretExportFlags>({
  name: 'secret export',
  summary: 'print all your secrets that have ended, as CSV or as a JSON object per line, with their labels',
  options: [
    ['-s, --server <url>', 'server to use (default: MAYFLY_SERVER, or `server` in the config file)'],
    ['--format <format>', 'output format (default: csv)', undefined, ['csv', 'ndjson']],
    ['--state <state>', 'all that have ended, or those that ended this way', 'ended', ENDED_STATES],
  ],
  examples: [
    ['store them as a table', 'mayfly secret export > secrets.csv'],
    ['those that were never opened', "mayfly secret export --format ndjson --state expired | jq 'select(.views == 0)'"],
  ],
  async run({ io, flags }) {
    const { exportSecrets } = await import('./export-secrets.js')
    await exportSecrets(flags, io)
  },
})
