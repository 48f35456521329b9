import { type Command, command } from '../command.js'
import { PASSWORD_FD_OPTION } from '../shared-options.js'
import type { RunFlags } from './run-command.js'

const run = command<RunFlags>({
  name: 'run',
  summary: 'run a command with secrets in its environment',
  argument: ['[command...]', 'command to run, after --'],
  options: [
    ['--env <name=link...>', 'variable and the link to its value; visible in `ps` to other users'],
    ['--links <file>', 'file with lines of NAME=LINK to secrets without files; - reads stdin'],
    [
      '--as-file <name...>',
      'write the value of this variable to a private file, and pass the path of the file instead',
    ],
    ['--allow-variable <name...>', 'accept this name from --links although it changes how programs run, such as PATH'],
    ['--password-file <file>', 'read the password of the secrets from a file; - reads stdin'],
    PASSWORD_FD_OPTION,
    ['--mask <runner>', 'mask the values in the log of a CI job', undefined, ['github']],
  ],
  examples: [
    ['pass a password to psql; the exit code is that of psql', 'mayfly run --env "PGPASSWORD=$LINK" -- psql'],
    ['keep the links out of ps', 'mayfly run --links links.env -- ./deploy.sh'],
    [
      'a value that is binary or longer than 128 KiB',
      'mayfly run --env "KEYSTORE=$LINK" --as-file KEYSTORE -- ./sign.sh',
    ],
  ],
  async run({ io, flags, args }) {
    const { runCommand } = await import('./run-command.js')
    await runCommand(args, flags, io)
  },
})

export const runCommands: Command[] = [run]
