import { limitSemiSpace } from '../../files/v8-flags.js'
import { type Command, command } from '../command.js'
import {
  FILE_OPTIONS,
  HEADER_OPTION,
  KEY_FILE_OPTION,
  OUTPUT_OPTIONS,
  PAGE_OPTIONS,
  PASSWORD_OPTIONS,
  SERVER_OF_ID_OPTION,
  SERVER_OPTION,
  TEXT_OPTIONS,
} from '../shared-options.js'
import type { BurnFlags } from './burn-secret.js'
import type { CreateFlags } from './create-secret.js'
import type { SecretExportFlags } from './export-secrets.js'
import type { SecretListFlags } from './list-secrets.js'
import type { ReadFlags } from './read-secret.js'
import type { UpdateFlags } from './update-secret.js'
import type { WaitFlags } from './wait-for-secret.js'

/** Values of `--state` for secrets that have ended. `ended`: all of them. */
const ENDED_STATES = ['ended', 'used-up', 'burned', 'expired']

const secretCreate = command<CreateFlags>({
  name: 'secret create',
  summary: 'encrypt stdin or files and print a one-time link',
  options: [
    SERVER_OPTION,
    ...FILE_OPTIONS,
    ['--preset <name>', 'start with a preset of the server, such as "Password, one day"; other options override it'],
    [
      '--ttl <duration>',
      'time to live, such as 90s, 2h, 1d (default: `ttl` of `mayfly config set`, or the default of the server)',
    ],
    [
      '--views <count>',
      'number of times it can be opened (default: `views` of `mayfly config set`, or the default of the server)',
    ],
    ['--keep', 'allow any number of views until it expires'],
    ['--notify', 'ask the server to tell you when it is opened or burned, or expires unread; needs an account'],
    ['--receipt', 'also print a receipt link to stderr: `secret status` shows what became of the secret'],
    [
      '--to <address...>',
      'only for readers of these e-mail addresses, up to 10: each enters a code that the server mails; a view for each',
    ],
    ['--title <line>', 'title, encrypted with the secret'],
    ['--allow-ip <address>', 'allow only readers from this IP address or CIDR range'],
    ['--password', 'ask for a password that the reader needs too'],
    ...PASSWORD_OPTIONS,
    ['--generate-password', 'generate a password and print it to the terminal or in the JSON'],
    ['--public', "don't encrypt: everyone can find and read it"],
    ...TEXT_OPTIONS,
    ['--chomp', 'remove the line end of a single-line text (default for a text that is typed or edited)'],
    ['--no-chomp', 'keep the line end (default for a pipe or a file on stdin)'],
    ['--split', 'print two lines, the link without its key and the key, to send them separately'],
    ['--label <name>', 'print this name and a tab before the link; signed in, `secret list` shows it. It is not sent'],
    ['--copies <count>', 'print so many links, up to 1,000; the files are uploaded once and end with the last link'],
    [
      '--to-file <list>',
      'print CSV with a link for each row of this CSV list; its first line has the column `name`; - reads stdin',
    ],
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
    [
      'a link for each person of a list, to a file that is uploaded once',
      'mayfly secret create --file big.iso --to-file people.csv --output links.csv',
    ],
    ['write a text in the editor and show a QR code for a phone', 'mayfly secret create --edit --qr'],
    ['ask later whether it was opened', 'mayfly secret create --receipt < .env'],
    ['only for one person', 'mayfly secret create --to anna@example.org < .env'],
    ['type a text and protect it with a password', 'mayfly secret create --password'],
  ],
  async run({ io, flags }) {
    await limitSemiSpace(io)
    const { createSecret } = await import('./create-secret.js')
    await createSecret(flags, io)
  },
})

const secretRead = command<ReadFlags>({
  name: 'secret read',
  summary: 'open a link and print the secret',
  argument: ['[link]', 'link, or - to read it from stdin (default: prompt)'],
  options: [
    ['--peek', 'show whether it exists, its views left and its expiry; uses no view'],
    ...PASSWORD_OPTIONS,
    ['--email <address>', 'your address, for a secret with named recipients: the server mails a code to it'],
    ['--code <code>', 'code from that e-mail; - reads stdin'],
    KEY_FILE_OPTION,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    ['prompt for the link, to keep it out of ps and the shell history', 'mayfly secret read'],
    ['read the link from stdin, in a script', 'mayfly secret read - <<< "$LINK"'],
    ['save files to a folder; never overwrites', 'mayfly secret read - --out-dir ./in <<< "$LINK"'],
    ['check whether it still exists', 'mayfly secret read --peek "$LINK"'],
    ['get a code in a script; then pass it with --code', 'mayfly secret read --email anna@example.org "$LINK"'],
  ],
  async run({ io, flags, args }) {
    await limitSemiSpace(io)
    const { readSecret } = await import('./read-secret.js')
    await readSecret(args[0], flags, io)
  },
})

const secretBurn = command<BurnFlags>({
  name: 'secret burn',
  summary: 'destroy a secret before it is opened',
  argument: ['[link]', 'link or id, or - to read it from stdin (default: prompt)'],
  options: [
    ['--burn-token-file <file>', 'burn token from `secret create --json`, if you have no link with a key'],
    SERVER_OF_ID_OPTION,
  ],
  examples: [
    ['with the link', 'mayfly secret burn - <<< "$LINK"'],
    ['with the burn token, without the key', 'mayfly secret burn ID --burn-token-file token'],
  ],
  run: async ({ io, flags, args }) => (await import('./burn-secret.js')).burnSecret(args[0], flags, io),
})

const secretUpdate = command<UpdateFlags>({
  name: 'secret update',
  summary: 'lower limits of a secret that was not opened yet, or label it',
  argument: ['[link]', 'link or id, or - to read it from stdin (default: prompt)'],
  options: [
    ['--views <count>', 'new number of times it can be opened, at most the present one'],
    ['--ttl <duration>', 'new time to live from now, at most the present one'],
    ['--allow-ip <address>', 'IP address or CIDR range, inside the present one'],
    ['--label <name>', 'name for `secret list`; stored on this machine only'],
    ['--burn-token-file <file>', 'burn token from `secret create --json`, if you are not signed in as its creator'],
    SERVER_OF_ID_OPTION,
  ],
  examples: [
    ['let it expire in ten minutes', 'mayfly secret update ID --ttl 10m'],
    ['give it a name in `secret list`', "mayfly secret update ID --label 'router of the branch office'"],
  ],
  run: async ({ io, flags, args }) => (await import('./update-secret.js')).updateSecret(args[0], flags, io),
})

const secretWait = command<WaitFlags>({
  name: 'secret wait',
  summary: 'wait until a secret is gone: opened for the last time, burned or expired',
  argument: ['[link]', 'link, or - to read it from stdin (default: prompt)'],
  options: [KEY_FILE_OPTION, ['--for <duration>', 'give up after this long (exit code 6)']],
  examples: [
    ['continue when the recipient has opened it', 'mayfly secret wait "$LINK" --for 1h'],
    ['read the link from stdin', 'mayfly secret wait - <<< "$LINK"'],
    ['exit code 3: it was gone before', 'mayfly secret wait - <<< "$LINK" || [ $? -eq 3 ]'],
  ],
  run: async ({ io, flags, args }) => (await import('./wait-for-secret.js')).waitForSecret(args[0], flags, io),
})

const secretStatus = command({
  name: 'secret status',
  summary: 'show a receipt of `secret create --receipt`: whether the secret was opened, burned or expired',
  argument: ['[receipt]', 'receipt link, or - to read it from stdin (default: prompt)'],
  examples: [
    ['whether it was opened', 'mayfly secret status "$RECEIPT"'],
    ['the state in a script', 'mayfly secret status - --json < receipt.link | jq -r .state'],
  ],
  run: async ({ io, flags, args }) => (await import('./show-receipt.js')).showReceipt(args[0], flags, io),
})

const secretList = command<SecretListFlags>({
  name: 'secret list',
  summary: 'list your live secrets, newest first, or with --state your ended secrets',
  options: [
    SERVER_OPTION,
    [
      '--state <state>',
      'live secrets, all ended secrets, or secrets that ended this way',
      'live',
      ['live', ...ENDED_STATES],
    ],
    ...PAGE_OPTIONS,
    HEADER_OPTION,
  ],
  examples: [
    ['burn all of them', 'mayfly secret list | cut -f1 | xargs -n1 mayfly secret burn --yes'],
    ['secrets that expired before they were used up', 'mayfly secret list --state expired'],
  ],
  run: async ({ io, flags }) => (await import('./list-secrets.js')).listOwnSecrets(flags, io),
})

const secretExport = command<SecretExportFlags>({
  name: 'secret export',
  summary: 'print all your secrets that have ended, as CSV or as a JSON object per line, with their labels',
  options: [
    SERVER_OPTION,
    ['--format <format>', 'output format (default: csv)', undefined, ['csv', 'ndjson']],
    ['--state <state>', 'all ended secrets, or secrets that ended this way', 'ended', ENDED_STATES],
  ],
  examples: [
    ['store them as a table', 'mayfly secret export > secrets.csv'],
    ['secrets never opened', "mayfly secret export --format ndjson --state expired | jq 'select(.views == 0)'"],
  ],
  run: async ({ io, flags }) => (await import('./export-secrets.js')).exportSecrets(flags, io),
})

export const secretCommands: Command[] = [
  secretCreate,
  secretRead,
  secretBurn,
  secretUpdate,
  secretWait,
  secretStatus,
  secretList,
  secretExport,
]
