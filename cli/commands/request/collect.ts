import { limitSemiSpace } from '../../files/v8-flags.js'
import { command } from '../command.js'
import type { CollectFlags } from './collect-submission.js'

export const requestCollect = command<CollectFlags>({
  name: 'request collect',
  summary: 'open the oldest unopened submission of a request and print it',
  argument: ['[link]', 'collect link, or - to read it from stdin (default: prompt)'],
  options: [
    ['--wait', 'wait for a submission if there is none'],
    ['--for <duration>', 'give up waiting after this long (exit code 6)'],
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
    ['wait for an answer, byte for byte', 'mayfly request collect - --wait < collect.link > answer'],
    ['with files; never overwrites', 'mayfly request collect - --out-dir ./in < collect.link'],
  ],
  async run({ io, flags, args }) {
    await limitSemiSpace(io)
    const { collectSubmission } = await import('./collect-submission.js')
    await collectSubmission(args[0], flags, io)
  },
})
