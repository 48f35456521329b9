import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { RestoreFlags } from './restore-backup.js'

export const restore = command<RestoreFlags>({
  name: 'restore',
  summary: 'bring a backup into an empty instance, on whatever engine, and compare',
  argument: ['[file]', 'the backup; - for stdin'],
  options: [
    ['--tombstones <folder>', 'journal of the instance: what it says has ended does not come back'],
    ['--no-secrets', 'leave out the secrets of the backup'],
    ['--replace', 'delete what is in the target'],
    ['--confirm <name>', 'name of the database, to confirm --replace'],
    ['--dry-run', 'check the backup and tell what is in it'],
    ['--identity-file <file>', 'file with the age identity that opens it'],
    ['--passphrase-file <file>', 'file whose first line opens it'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    ['is it whole, and what is in it?', 'mayfly restore backup.age --identity-file key.txt --dry-run'],
    ['with the secrets that have not ended since', 'mayfly restore backup.tar --tombstones /mnt/other/tombstones'],
  ],
  async run({ io, flags, args }) {
    const { restoreBackup } = await import('./restore-backup.js')
    await restoreBackup(args[0], flags, io)
  },
})
