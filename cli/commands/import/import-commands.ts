import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { type Command, command } from '../command.js'
import { HEADER_OPTION } from '../shared-options.js'
import type { ImportFlags } from './import-hemmelig.js'

const importHemmelig = command<ImportFlags>({
  name: 'import hemmelig',
  summary: 'import the users and settings of Hemmelig 6, and print a new password for each user, once',
  argument: ['<file>', 'SQLite file of Hemmelig 5 or 6'],
  options: [
    ['--dry-run', 'print what would be imported, and change nothing'],
    ['--skip-invalid', 'leave out users that cannot be imported; by default one of them stops the import'],
    ['--email-verified', 'mark the addresses as confirmed, and send no links to them'],
    ['--send-link', 'print a one-time link with the credentials of each user instead of the password'],
    ['--ttl <duration>', 'lifetime of these links', '1d'],
    HEADER_OPTION,
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    ['what would be imported?', 'mayfly import hemmelig hemmelig.db --dry-run'],
    [
      'import, with a one-time link for each user',
      '(umask 077; mayfly import hemmelig hemmelig.db --send-link > links.ndjson)',
    ],
  ],
  run: async ({ io, flags, args }) => (await import('./import-hemmelig.js')).importHemmelig(args, flags, io),
})

export const importCommands: Command[] = [importHemmelig]
