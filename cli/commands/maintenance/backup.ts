import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { BackupFlags } from './back-up-instance.js'

export const backup = command<BackupFlags>({
  name: 'backup',
  summary: 'back up users, settings, the audit log and optionally the secrets',
  argument: ['[file]', 'file to write; - writes to stdout (default)'],
  options: [
    ['--include-secrets', 'include the secrets, encrypted as stored; needs the plugin "tombstones"'],
    ['--no-files', 'leave out secrets with files'],
    ['--recipient <age1...>', 'encrypt to these age recipients'],
    ['--passphrase-file <file>', 'encrypt with the passphrase in the first line of this file'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    [
      'nightly backup, encrypted for a key on another machine',
      'mayfly backup "backup-$(date +%F).age" --recipient "$KEY"',
    ],
    ['with the secrets, piped into a program', 'mayfly backup --include-secrets | zstd > backup.tar.zst'],
  ],
  async run({ io, flags, args }) {
    const { backUp } = await import('./back-up-instance.js')
    await backUp(args[0], flags, io)
  },
})
