import { limitSemiSpace } from '../../files/v8-flags.js'
import { command } from '../command.js'
import type { SubmitFlags } from './submit-secret.js'

export const requestSubmit = command<SubmitFlags>({
  name: 'request submit',
  summary: 'encrypt stdin or files for the sender of a request link',
  argument: ['<link>', 'request link'],
  options: [
    [
      '-f, --file <path...>',
      'files to attach; - reads stdin unchanged. The submission has no text then, unless --text is given',
    ],
    ['--name <name>', 'name of the file from stdin, or of the only file'],
    ['--text <text>', 'the text; visible in `ps` to other users of the machine. With --file, - reads it from stdin'],
    ['--edit', 'write the text in $VISUAL or $EDITOR'],
    ['--no-chomp', 'keep the line end of a single-line text'],
    ['--ttl <duration>', 'time until the submission expires (default: with the request)'],
  ],
  examples: [
    ['a text from stdin', 'mayfly request submit "$LINK" < .env'],
    ['several files', 'mayfly request submit "$LINK" --file report.pdf logs.tgz'],
    ['type the text', 'mayfly request submit "$LINK"'],
  ],
  async run({ io, flags, args }) {
    await limitSemiSpace(io)
    const { submitSecret } = await import('./submit-secret.js')
    await submitSecret(args[0] ?? '', flags, io)
  },
})
