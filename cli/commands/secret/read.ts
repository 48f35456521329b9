import { limitSemiSpace } from '../../files/v8-flags.js'
import { command } from '../command.js'
import type { ReadFlags } from './read-secret.js'

export const secretRead = command<ReadFlags>({
  name: 'secret read',
  summary: 'open a link and print the secret',
  argument: ['[link]', 'link, or - to read it from stdin (default: prompt)'],
  options: [
    ['--peek', 'show whether it exists, its views left and its expiry; uses no view'],
    ['--password-file <file>', 'read the password from a file; - reads stdin'],
    ['--password-fd <number>', 'read the password from a file descriptor'],
    ['--key-file <file>', 'read the key from a file, if it was sent separately'],
    [
      '-o, --output <file>',
      'write the text, or the only file if there is no text, to this file; - is stdout, also on a terminal',
    ],
    [
      '--out-dir <folder>',
      'save files under their own names in this folder (default on a terminal: the working folder)',
    ],
    ['--files', 'write only the files, not the text'],
    ['--text-only', 'write only the text, not the files'],
  ],
  examples: [
    ['prompt for the link, to keep it out of ps and the shell history', 'mayfly secret read'],
    ['read the link from stdin, in a script', 'mayfly secret read - <<< "$LINK"'],
    ['save files to a folder; never overwrites', 'mayfly secret read - --out-dir ./in <<< "$LINK"'],
    ['check whether it still exists', 'mayfly secret read --peek "$LINK"'],
  ],
  async run({ io, flags, args }) {
    await limitSemiSpace(io)
    const { readSecret } = await import('./read-secret.js')
    await readSecret(args[0], flags, io)
  },
})
