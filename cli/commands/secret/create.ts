import { limitSemiSpace } from '../../files/v8-flags.js'
import { command } from '../command.js'
import type { CreateFlags } from './create-secret.js'

export const secretCreate = command<CreateFlags>({
  name: 'secret create',
  summary: 'encrypt stdin or files and print a link that opens it once',
  options: [
    ['-s, --server <url>', 'instance that keeps it (default: MAYFLY_SERVER, or `server` in the config file)'],
    [
      '-f, --file <path...>',
      'files to attach; - is stdin, as it comes. The text is left out then, unless --text is given',
    ],
    ['--name <name>', 'what the file from stdin, or the only file, is called'],
    ['--ttl <duration>', 'how long it lives at most, such as 90s, 2h, 1d', '1d'],
    ['--views <count>', 'how often it can be opened (default: 1)'],
    ['--keep', 'open it as often as wanted until it expires'],
    ['--title <line>', 'what it is; encrypted too'],
    ['--allow-ip <address>', 'only for readers at this address or in this CIDR range'],
    ['--password', 'ask for a password that its reader needs too'],
    ['--password-file <file>', 'the same, from a file'],
    ['--password-fd <number>', 'the same, from a file descriptor'],
    ['--generate-password', 'make one up, and print it on the terminal or in the JSON'],
    ['--public', 'do not encrypt it: everyone may find and read it'],
    [
      '--text <text>',
      'the text itself; other users of the machine can see it in ps. With --file, - reads it from stdin',
    ],
    ['--edit', 'write the text in $VISUAL or $EDITOR'],
    ['--no-chomp', 'keep the line end of a text of one line'],
    ['--split', 'print two lines, the link without its key and the key, for two channels'],
    ['--label <name>', 'name it in what is printed: before the link, with a tab between; it is not sent'],
    ['-o, --output <file>', 'write the link to a file instead of stdout'],
    ['--qr', 'draw the link on stderr'],
    ['--copy', 'copy the link to the clipboard too'],
    ['--mask <runner>', 'hide link and key from the log of a CI job', undefined, ['github']],
  ],
  examples: [
    ['stdout is the link and nothing else', 'LINK=$(mayfly secret create < .env)'],
    ['a password that a program makes, for an hour', 'openssl rand -base64 24 | mayfly secret create --ttl 1h'],
    ['a file', 'mayfly secret create --file report.pdf'],
    [
      'a dump that never touches the disk in the clear',
      'pg_dump app | mayfly secret create --file - --name app.sql --ttl 1h',
    ],
    ['for the phone of somebody at your desk', 'mayfly secret create --edit --qr'],
    ['type it, and let its reader need a password', 'mayfly secret create --password'],
  ],
  async run({ io, flags }) {
    limitSemiSpace(io)
    const { createSecret } = await import('./create-secret.js')
    await createSecret(flags, io)
  },
})
