import { command } from '../command.js'
import type { PasswordFlags } from '../secrets/password.js'

export interface ReadFlags extends PasswordFlags {
  peek?: true
  keyFile?: string
  output?: string
}

export const secretRead = command<ReadFlags>({
  name: 'secret read',
  summary: 'open a link and print what it holds',
  argument: ['[link]', 'the link, or - to read it from stdin; asked for on a terminal'],
  options: [
    ['--peek', 'only look whether it is there, how often and how long; uses up nothing'],
    ['--password-file <file>', 'the password, if there is one'],
    ['--password-fd <number>', 'the same, from a file descriptor'],
    ['--key-file <file>', 'the key, if it was sent apart from the link'],
    ['-o, --output <file>', 'write it to a file, for your eyes only, instead of stdout'],
  ],
  examples: [
    ['asks for the link: ps and the history of the shell never see it', 'mayfly secret read'],
    ['the same in a script', 'mayfly secret read - <<< "$LINK"'],
    ['is it still there?', 'mayfly secret read --peek "$LINK"'],
  ],
  async run({ io, flags, words }) {
    const { readSecret } = await import('../secrets/read.js')
    await readSecret(words[0], flags, io)
  },
})
