import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { RestoreFlags } from './restore-backup.js'

export const restore = command<RestoreFlags>({
  name: 'restore',
  summary: 'restore a backup into an empty instance and verify it',
  argument: ['[file]', 'backup to read; - reads stdin'],
  options: [
    ['--tombstones <folder>', 'journal of the instance; secrets that ended are left out'],
    ['--no-secrets', 'leave out the secrets of the backup'],
    ['--replace', 'delete all data of the target first'],
    ['--confirm <name>', 'name of the database, to confirm --replace'],
    ['--dry-run', 'check the backup and print its contents'],
    ['--identity-file <file>', 'file with the age identity'],
    ['--passphrase-file <file>', 'file with the passphrase in its first line'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    ['check a backup and print its contents', 'mayfly restore backup.age --identity-file key.txt --dry-run'],
    [
      'with the secrets that have not ended since the backup',
      'mayfly restore backup.tar --tombstones /mnt/other/tombstones',
    ],
  ],
  async run({ io, flags, args }) {
    const { restoreBackup } = await import('./restore-backup.js')
    await restoreBackup(args[0], flags, io)
  },
})
