import { command } from '../command.js'
import type { RunFlags } from './run-command.js'

export const run = command<RunFlags>({
  name: 'run',
  summary: 'open links into the environment of one command, and run it',
  argument: ['[command...]', 'the command, behind --'],
  options: [
    ['--env <name=link...>', 'a variable, and the link that its value is behind; other users can see it in ps'],
    ['--links <file>', 'the same, a line each; - is stdin'],
    ['--password-file <file>', 'the password of those that need one'],
    ['--password-fd <number>', 'the same, from a file descriptor'],
    ['--mask <runner>', 'hide the values from the log of a CI job', undefined, ['github']],
  ],
  examples: [
    [
      'nothing is printed or written; the exit code is that of the command',
      'mayfly run --env "PGPASSWORD=$LINK" -- psql',
    ],
    ['links of which ps sees nothing', 'mayfly run --links links.env -- ./deploy.sh'],
  ],
  async run({ io, flags, args }) {
    const { runCommand } = await import('./run-command.js')
    await runCommand(args, flags, io)
  },
})
