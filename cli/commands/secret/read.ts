import { limitSemiSpace } from '../../files/v8-flags.js'
import { command } from '../command.js'
import type { ReadFlags } from './read-secret.js'

export const secretRead = command<ReadFlags>({
  name: 'secret read',
  summary: 'open a link and print what it holds',
  argument: ['[link]', 'the link, or - to read it from stdin; asked for on a terminal'],
  options: [
    ['--peek', 'only look whether it is there, how often and how long; uses up nothing'],
    ['--password-file <file>', 'the password, if there is one'],
    ['--password-fd <number>', 'the same, from a file descriptor'],
    ['--key-file <file>', 'the key, if it was sent apart from the link'],
    ['-o, --output <file>', 'write the text, or the only file if there is no text, there instead of to stdout'],
    ['--out-dir <folder>', 'save files there under their own names (default: here, on a terminal)'],
    ['--files', 'only the files, not the text'],
    ['--text-only', 'only the text, not the files'],
  ],
  examples: [
    ['asks for the link: ps and the history of the shell never see it', 'mayfly secret read'],
    ['the same in a script', 'mayfly secret read - <<< "$LINK"'],
    ['files into a folder, over nothing that is there', 'mayfly secret read - --out-dir ./in <<< "$LINK"'],
    ['is it still there?', 'mayfly secret read --peek "$LINK"'],
  ],
  async run({ io, flags, args }) {
    limitSemiSpace(io)
    const { readSecret } = await import('./read-secret.js')
    await readSecret(args[0], flags, io)
  },
})
