import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { BackupFlags } from './back-up-instance.js'

export const backup = command<BackupFlags>({
  name: 'backup',
  summary: 'write users, settings and the audit log, and if wanted the secrets, into one file or stream',
  argument: ['[file]', 'where to; - or nothing: stdout'],
  options: [
    ['--include-secrets', 'the secrets too, still encrypted; needs the plugin "tombstones"'],
    ['--no-files', 'leave out secrets that have files'],
    ['--recipient <age1...>', 'encrypt to this age recipient, or to several'],
    ['--passphrase-file <file>', 'encrypt under the first line of this file'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    [
      'every night, encrypted to a key that is kept elsewhere',
      'mayfly backup "backup-$(date +%F).age" --recipient "$KEY"',
    ],
    ['with the secrets, into another program', 'mayfly backup --include-secrets | zstd > backup.tar.zst'],
  ],
  async run({ io, flags, args }) {
    const { backUp } = await import('./back-up-instance.js')
    await backUp(args[0], flags, io)
  },
})
