import { type Command, command } from '../command.js'
import type { SetupFlags } from './setup-flags.js'

const setup = command<SetupFlags>({
  name: 'setup',
  summary: 'set up an instance: config, database, first administrator and a test secret',
  options: [
    [
      '--database-url <url>',
      'database (default: a SQLite file in the data folder); prefer the variable MAYFLY_DATABASE_URL',
    ],
    ['--data-dir <folder>', 'folder for the data of the instance'],
    ['--storage <where>', 'where to store files', undefined, ['local', 's3', 'off']],
    ['--public-url <url>', 'URL under which users reach the instance'],
    ['--port <number>', 'port to listen on'],
    ['--set <key=value...>', 'any other config setting, such as s3.bucket=secrets'],
    ['--admin-username <name>', 'user name of the first administrator'],
    ['--admin-email <address>', 'e-mail address of the administrator'],
    ['--admin-password-file <file>', "file with the administrator's password"],
    ['--generate-admin-password', "generate the administrator's password and print it to stdout"],
    ['--read-only', 'allow only administrators to create secrets'],
    ['--disable-signup', 'allow only administrators to create users'],
    ['--org-email-domain <domains>', 'allow only e-mail addresses of these domains, separated by commas'],
    ['--write <file>', 'config file to write (default: the one in use, else mayfly.config.json)'],
    ['--print', 'print the config to stdout and exit'],
    ['--dry-run', 'check the connections and write nothing'],
    ['--force', 'replace the config file instead of changing it'],
  ],
  examples: [
    ['prompt for everything; run it again to change settings', 'mayfly setup'],
    [
      'without prompts',
      'mayfly setup --no-input --public-url https://secrets.example.org --admin-username admin --admin-email admin@example.org --generate-admin-password',
    ],
    ['print the config without writing it', 'mayfly setup --no-input --print'],
  ],
  run: async ({ io, flags }) => (await import('./set-up-instance.js')).setUpInstance(flags, io),
})

export const setupCommands: Command[] = [setup]
