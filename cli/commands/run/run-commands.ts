import { type Command, command, type Option } from '../command.js'
import { PASSWORD_FD_OPTION } from '../shared-options.js'
import type { EnvFlags } from './env-command.js'
import type { InjectFlags } from './inject-command.js'
import type { RunFlags } from './run-command.js'

const VARIABLE_OPTIONS: Option[] = [
  ['--env <name=link...>', 'variable and the link to its value; visible in `ps` to other users'],
  ['--links <file>', 'file with lines of NAME=LINK to secrets without files; - reads stdin'],
  [
    '--allow-plain',
    'open values that are whole links, and pass others as they are; --links may be a .env file then. Values that look like damaged links are errors',
  ],
  ['--allow-variable <name...>', 'accept this name from --links although it changes how programs run, such as PATH'],
]

const PASSWORD_OPTIONS: Option[] = [
  ['--password-file <file>', 'read the password of the secrets from a file; - reads stdin'],
  PASSWORD_FD_OPTION,
]

const OUTPUT_OPTION: Option = [
  '-o, --output <file>',
  'write to this file, readable by you only, when everything was opened; - is stdout, also on a terminal',
]

const run = command<RunFlags>({
  name: 'run',
  summary: 'run a command with secrets in its environment',
  argument: ['[command...]', 'command to run, after --'],
  options: [
    ...VARIABLE_OPTIONS,
    [
      '--as-file <name...>',
      'write the value of this variable to a private file, and pass the path of the file instead',
    ],
    ...PASSWORD_OPTIONS,
    ['--mask <runner>', 'mask the values in the log of a CI job', undefined, ['github']],
  ],
  examples: [
    ['pass a password to psql; exits with the code of psql', 'mayfly run --env "PGPASSWORD=$LINK" -- psql'],
    ['keep the links out of ps', 'mayfly run --links links.env -- ./deploy.sh'],
    ['a file with links and plain values', 'mayfly run --links .env --allow-plain -- ./deploy.sh'],
    [
      'a value that is binary or longer than 128 KiB',
      'mayfly run --env "KEYSTORE=$LINK" --as-file KEYSTORE -- ./sign.sh',
    ],
  ],
  run: async ({ io, flags, args }) => (await import('./run-command.js')).runCommand(args, flags, io),
})

const env = command<EnvFlags>({
  name: 'env',
  summary: 'print shell commands that set variables to secrets',
  options: [
    ...VARIABLE_OPTIONS,
    [
      '--shell <shell>',
      'shell that reads the commands: sh, bash, zsh, fish or powershell',
      'sh',
      ['sh', 'bash', 'zsh', 'fish', 'powershell'],
    ],
    OUTPUT_OPTION,
    ...PASSWORD_OPTIONS,
  ],
  examples: [
    [
      'sh, bash, zsh; the shell stops if a link cannot be opened',
      'vars=$(mayfly env --links links.env) && eval "$vars"',
    ],
    ['fish', 'mayfly env --links links.env --shell fish | source'],
    ['PowerShell', 'mayfly env --links links.env --shell powershell | Out-String | Invoke-Expression'],
    ['one JSON document, for programs', 'mayfly env --links links.env --json'],
  ],
  run: async ({ io, flags }) => (await import('./env-command.js')).printVariables(flags, io),
})

const inject = command<InjectFlags>({
  name: 'inject',
  summary: 'fill a template with secrets: {{ mayfly:LINK }} becomes the text behind the link',
  options: [['-i, --template <file>', 'the template; - reads stdin (default)'], OUTPUT_OPTION, ...PASSWORD_OPTIONS],
  examples: [
    ['write a config file', 'mayfly inject -i config.template.yml -o config.yml'],
    ['replace the file of an earlier run', 'mayfly inject -i config.template.yml -o config.yml --yes'],
    ['in a pipe', 'mayfly inject -i secret.template.yml | kubectl apply -f -'],
  ],
  run: async ({ io, flags }) => (await import('./inject-command.js')).injectSecrets(flags, io),
})

export const runCommands: Command[] = [run, env, inject]
