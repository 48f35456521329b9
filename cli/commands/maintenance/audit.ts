import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { HEADER_OPTION, PAGE_OPTIONS } from '../account-options.js'
import { command } from '../command.js'
import type { AuditFlags } from './show-audit.js'

export const audit = command<AuditFlags>({
  name: 'audit',
  summary: 'who did what, when and from where, the newest first',
  options: [
    ['--action <name>', 'only this, such as settings.changed'],
    ['--actor <name>', 'only what this user did; (shell) for the command line'],
    ['--subject <name>', 'only what was done to this user, secret or setting'],
    ['--since <time>', 'from then on: 2026-01-31, 2026-01-31T12:00:00Z, or 7d for seven days ago'],
    ['--until <time>', 'only before then'],
    ...PAGE_OPTIONS,
    HEADER_OPTION,
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    ['who changed the settings?', 'mayfly audit --action settings.changed'],
    [
      'what came from the command line since yesterday, for programs',
      "mayfly audit --actor '(shell)' --since 1d --json",
    ],
  ],
  async run({ io, flags }) {
    const { showAudit } = await import('./show-audit.js')
    await showAudit(flags, io)
  },
})
