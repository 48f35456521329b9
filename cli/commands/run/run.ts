import { command } from '../command.js'
import type { RunFlags } from './run-command.js'

export const run = command<RunFlags>({
  name: 'run',
  summary: 'run a command with secrets in its environment',
  argument: ['[command...]', 'command to run, after --'],
  options: [
    ['--env <name=link...>', 'variable and the link to its value; visible in `ps` to other users'],
    ['--links <file>', 'file with lines of NAME=LINK to secrets without files; - reads stdin'],
    ['--password-file <file>', 'read the password of the secrets from a file; - reads stdin'],
    ['--password-fd <number>', 'read the password from a file descriptor'],
    ['--mask <runner>', 'mask the values in the log of a CI job', undefined, ['github']],
  ],
  examples: [
    ['pass a password to psql; the exit code is that of psql', 'mayfly run --env "PGPASSWORD=$LINK" -- psql'],
    ['keep the links out of ps', 'mayfly run --links links.env -- ./deploy.sh'],
  ],
  async run({ io, flags, args }) {
    const { runCommand } = await import('./run-command.js')
    await runCommand(args, flags, io)
  },
})
