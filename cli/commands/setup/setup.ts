import { command } from '../command.js'
import type { SetupFlags } from './setup-flags.js'

export const setup = command<SetupFlags>({
  name: 'setup',
  summary: 'set an instance up: config, database, first administrator, and a secret to try it',
  options: [
    ['--database-url <url>', 'where to keep secrets (default: a SQLite file in the data folder); better as a variable'],
    ['--data-dir <folder>', 'folder for what the instance keeps on disk'],
    ['--storage <where>', 'where files go', undefined, ['local', 's3', 'off']],
    ['--public-url <url>', 'where people reach the instance'],
    ['--port <number>', 'port to listen on'],
    ['--set <key=value...>', 'any other setting, such as s3.bucket=secrets'],
    ['--admin-username <name>', 'the first administrator; without one nobody is made'],
    ['--admin-email <address>', 'their e-mail address'],
    ['--admin-password-file <file>', 'their password'],
    ['--generate-admin-password', 'make their password, and print it on stdout'],
    ['--read-only', 'only administrators make secrets'],
    ['--disable-signup', 'only administrators make accounts'],
    ['--org-email-domain <domains>', 'accounts need an address of these, joined by commas'],
    ['--write <file>', 'config file to write (default: the one in use, else mayfly.config.json)'],
    ['--print', 'print the config on stdout, and do nothing else'],
    ['--dry-run', 'try what can be tried, and write nothing'],
    ['--force', 'replace the config file instead of changing it'],
  ],
  examples: [
    ['asks for everything; again to change something', 'mayfly setup'],
    [
      'in a script',
      'mayfly setup --no-input --public-url https://secrets.example.org --admin-username admin --admin-email admin@example.org --generate-admin-password',
    ],
    ['what would be written', 'mayfly setup --no-input --print'],
  ],
  async run({ io, flags }) {
    const { setUpInstance } = await import('./set-up-instance.js')
    await setUpInstance(flags, io)
  },
})
