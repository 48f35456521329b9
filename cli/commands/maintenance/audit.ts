import { ADMIN_OPTIONS } from '../../instance/with-administration.js'
import { command } from '../command.js'
import { HEADER_OPTION, PAGE_OPTIONS } from '../list-options.js'
import type { AuditFlags } from './show-audit.js'

export const audit = command<AuditFlags>({
  name: 'audit',
  summary: 'print the audit log, newest entries first',
  options: [
    ['--action <name>', 'only this action, such as settings.changed'],
    ['--actor <name>', 'only actions of this user; (shell) is the local command line'],
    ['--subject <name>', 'only actions on this user, secret or setting'],
    ['--since <time>', 'start time: 2026-01-31, 2026-01-31T12:00:00Z, or 7d for seven days ago'],
    ['--until <time>', 'end time, exclusive'],
    ...PAGE_OPTIONS,
    ['--all', 'print all entries'],
    ['--csv', 'print CSV, with the detail as JSON'],
    HEADER_OPTION,
    ...ADMIN_OPTIONS,
  ],
  examples: [
    ['export the last week', 'mayfly audit --all --csv --since 7d > audit.csv'],
    ['changes of instance settings', 'mayfly audit --action settings.changed'],
    ['actions of the local command line in the last day, as JSON', "mayfly audit --actor '(shell)' --since 1d --json"],
  ],
  async run({ io, flags }) {
    const { showAudit } = await import('./show-audit.js')
    await showAudit(flags, io)
  },
})
