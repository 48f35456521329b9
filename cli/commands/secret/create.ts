import { limitSemiSpace } from '../../files/v8-flags.js'
import { command } from '../command.js'
import type { CreateFlags } from './create-secret.js'

export const secretCreate = command<CreateFlags>({
  name: 'secret create',
  summary: 'encrypt stdin or files and print a one-time link',
  options: [
    ['-s, --server <url>', 'server to use (default: MAYFLY_SERVER, or `server` in the config file)'],
    [
      '-f, --file <path...>',
      'files to attach; - reads stdin unchanged. The secret has no text then, unless --text is given',
    ],
    ['--name <name>', 'name of the file from stdin, or of the only file'],
    ['--ttl <duration>', 'time to live, such as 90s, 2h, 1d (default: `ttl` of `mayfly config set`, or 1d)'],
    ['--views <count>', 'number of times it can be opened (default: `views` of `mayfly config set`, or 1)'],
    ['--keep', 'allow any number of views until it expires'],
    ['--notify', 'ask the server to tell you when it is opened or burned, or expires unread; needs an account'],
    ['--receipt', 'also print a receipt link to stderr: `secret status` shows what became of the secret'],
    ['--title <line>', 'title, encrypted with the secret'],
    ['--allow-ip <address>', 'allow only readers from this IP address or CIDR range'],
    ['--password', 'ask for a password that the reader needs too'],
    ['--password-file <file>', 'read the password from a file; - reads stdin'],
    ['--password-fd <number>', 'read the password from a file descriptor'],
    ['--generate-password', 'generate a password and print it to the terminal or in the JSON'],
    ['--public', "don't encrypt: everyone can find and read it"],
    ['--text <text>', 'the text; visible in `ps` to other users of the machine. With --file, - reads it from stdin'],
    ['--edit', 'write the text in $VISUAL or $EDITOR'],
    ['--chomp', 'remove the line end of a single-line text (default for a text that is typed or edited)'],
    ['--no-chomp', 'keep the line end (default for a pipe or a file on stdin)'],
    ['--split', 'print two lines, the link without its key and the key, to send them separately'],
    ['--label <name>', 'print this name and a tab before the link; signed in, `secret list` shows it. It is not sent'],
    ['-o, --output <file>', 'write the link to a file instead of stdout'],
    ['--qr', 'show the link as a QR code on stderr'],
    ['--copy', 'also copy the link to the clipboard'],
    ['--mask <runner>', 'mask link and key in the log of a CI job', undefined, ['github']],
  ],
  examples: [
    ['stdout is only the link', 'LINK=$(mayfly secret create < .env)'],
    ['a generated password, for one hour', 'openssl rand -base64 24 | mayfly secret create --chomp --ttl 1h'],
    ['a file', 'mayfly secret create --file report.pdf'],
    [
      'a database dump; the plaintext never touches the disk',
      'pg_dump app | mayfly secret create --file - --name app.sql --ttl 1h',
    ],
    ['write a text in the editor and show a QR code for a phone', 'mayfly secret create --edit --qr'],
    ['ask later whether it was opened', 'mayfly secret create --receipt < .env'],
    ['type a text and protect it with a password', 'mayfly secret create --password'],
  ],
  async run({ io, flags }) {
    await limitSemiSpace(io)
    const { createSecret } = await import('./create-secret.js')
    await createSecret(flags, io)
  },
})
