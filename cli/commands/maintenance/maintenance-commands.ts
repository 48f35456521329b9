import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { ADMIN_OPTIONS } from '../../instance/with-administration.js'
import { CliError } from '../../lib/cli-error.js'
import { type Command, command } from '../command.js'
import { HEADER_OPTION, PAGE_OPTIONS } from '../shared-options.js'
import type { BackupFlags } from './back-up-instance.js'
import type { PurgeFlags } from './purge-expired.js'
import type { RestoreFlags } from './restore-backup.js'
import type { AuditFlags } from './show-audit.js'
import type { VerifyAuditFlags } from './verify-audit.js'

const audit = command<AuditFlags & VerifyAuditFlags>({
  name: 'audit',
  summary: 'print the audit log, newest entries first, or verify that it is unchanged',
  argument: ['[task]', 'verify: check that no entry was changed or deleted', ['verify']],
  options: [
    ['--action <name>', 'only this action, such as settings.changed'],
    ['--actor <name>', 'only actions of this user; (shell) is the local command line'],
    ['--subject <name>', 'only actions on this user, secret or setting'],
    ['--since <time>', 'start time: 2026-01-31, 2026-01-31T12:00:00Z, or 7d for seven days ago'],
    ['--until <time>', 'end time, exclusive'],
    ...PAGE_OPTIONS,
    ['--all', 'print all entries'],
    ['--csv', 'print CSV, with the detail as JSON'],
    ['--anchor <position:hash>', 'with verify: the anchor that an earlier run printed, stored outside of the instance'],
    HEADER_OPTION,
    ...ADMIN_OPTIONS,
  ],
  examples: [
    ['export the last week', 'mayfly audit --all --csv --since 7d > audit.csv'],
    ['check that the log is unchanged', 'mayfly audit verify'],
    ['changes of instance settings', 'mayfly audit --action settings.changed'],
    ['actions of the local command line in the last day, as JSON', "mayfly audit --actor '(shell)' --since 1d --json"],
  ],
  async run({ io, flags, args: [task] }) {
    if (task !== undefined) {
      const { verifyAudit } = await import('./verify-audit.js')
      if (task === 'verify') return verifyAudit(flags, io)
      throw new CliError('usage', 'unknown task', 'verify is the only one')
    }
    const { showAudit } = await import('./show-audit.js')
    await showAudit(flags, io)
  },
})

const backup = command<BackupFlags>({
  name: 'backup',
  summary: 'back up users, settings, the audit log and optionally the secrets',
  argument: ['[file]', 'file to write; - writes to stdout (default)'],
  options: [
    ['--include-secrets', 'include the secrets, encrypted as stored; needs the plugin "tombstones"'],
    ['--no-files', 'leave out secrets with files'],
    [
      '--with-tokens',
      'include the hashes of API tokens, so that programs work after a restore; a token that was revoked since works again',
    ],
    ['--recipient <age1...>', 'encrypt to these age recipients'],
    ['--passphrase-file <file>', 'encrypt with the passphrase in the first line of this file'],
    ['--key-file <file>', 'authenticate it with the key in this file instead of the instance key'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    [
      'nightly backup, encrypted for a key on another machine',
      'mayfly backup "backup-$(date +%F).age" --recipient "$KEY"',
    ],
    ['with the secrets, piped into a program', 'mayfly backup --include-secrets | zstd > backup.tar.zst'],
  ],
  run: async ({ io, flags, args }) => (await import('./back-up-instance.js')).backUp(args[0], flags, io),
})

const restore = command<RestoreFlags>({
  name: 'restore',
  summary: 'restore a backup into an empty instance and verify it',
  argument: ['[file]', 'backup to read; - reads stdin'],
  options: [
    ['--tombstones <folder>', 'journal of the instance; secrets that ended are left out'],
    ['--no-secrets', 'leave out the secrets of the backup'],
    ['--replace', 'delete all data of the target first'],
    ['--confirm <name>', 'name of the database, to confirm --replace'],
    ['--dry-run', 'check the backup and print its contents'],
    ['--key-file <file>', 'key file with which the backup was made'],
    [
      '--accept-unauthenticated',
      'restore a backup whose origin cannot be checked; someone may have added accounts to it',
    ],
    ['--identity-file <file>', 'file with the age identity'],
    ['--passphrase-file <file>', 'file with the passphrase in its first line'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    ['on a new machine, with the key file of the backup', 'mayfly restore backup.tar --key-file backup.key'],
    ['check a backup and print its contents', 'mayfly restore backup.age --identity-file key.txt --dry-run'],
    [
      'with the secrets that have not ended since the backup',
      'mayfly restore backup.tar --tombstones /mnt/other/tombstones',
    ],
  ],
  run: async ({ io, flags, args }) => (await import('./restore-backup.js')).restoreBackup(args[0], flags, io),
})

const purge = command<PurgeFlags>({
  name: 'purge',
  summary: 'delete expired secrets and files; prints nothing if there are none',
  options: [
    ['--orphans', 'also delete files without a secret'],
    ['--dry-run', 'count without deleting'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [['from cron, if the server does not always run', 'mayfly purge --orphans --quiet']],
  run: async ({ io, flags }) => (await import('./purge-expired.js')).purgeExpired(flags, io),
})

export const maintenanceCommands: Command[] = [audit, backup, restore, purge]
