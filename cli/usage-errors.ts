/** Converts commander's usage errors to CliErrors with a hint, such as the nearest command. */
import type { Command as Commander, CommanderError } from 'commander'
import { CliError } from './lib/cli-error.js'
import type { Io } from './output/io.js'
import { COMMANDS } from './program.js'
import { suggestCommand } from './suggest-command.js'

const SHORT_HELP = `Share secrets through links that work once.

  mayfly secret create < .env      encrypt a file and print a link to it
  mayfly secret read               open a link
  mayfly serve                     run a server

mayfly --help lists every command, mayfly help examples shows more.
`

/**
 * Returns the error to print; null without arguments on a terminal, after printing a short help.
 * Values of flags are left out: they may be passwords.
 */
export function toUsageError({ code, message }: CommanderError, program: Commander, io: Io): CliError | null {
  if (code === 'commander.help') return reportMissingCommand(program, io)
  if (code === 'commander.unknownCommand') return createUnknownCommandError(program.args)
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n')
  const text = first.replace(/=[^']*/s, '').replace(/(argument) '.*?' (is|missing)/s, '$1 $2')
  if (text.includes("'--password'")) {
    return new CliError(
      'usage',
      '--password takes no value',
      '--password asks for it; in a script use --password-file or --password-fd',
    )
  }
  if (code === 'commander.excessArguments') {
    // The argument may be the secret itself.
    const isText = /'(create|submit)'/.test(text)
    const hint = isText ? 'pass the text on stdin; a file with --file' : 'see --help'
    return new CliError('usage', text, hint)
  }
  const near = suggestion?.match(/Did you mean (.*)\?/)?.[1]
  return new CliError('usage', text, near ? `did you mean ${near}?` : 'see --help')
}

function reportMissingCommand({ args: [group], commands }: Commander, io: Io): CliError | null {
  if (group !== undefined) {
    const names =
      commands.find((each) => each.name() === group)?.commands.map((each) => `${group} ${each.name()}`) ?? []
    return new CliError('usage', `missing command after ${group}`, `one of: ${names.join(', ')}`)
  }
  if (!io.isTty.stdin) {
    return new CliError('usage', 'missing command', 'to share stdin: mayfly secret create')
  }
  io.stdout.write(SHORT_HELP)
  return null
}

/** Leaves out arguments that look like a link or a text: they may be the secret itself. */
function createUnknownCommandError(args: string[]): CliError {
  if (/^https?:/.test(args[0] ?? '')) {
    return new CliError('usage', 'missing command', 'to open a link: mayfly secret read')
  }
  const words = args.slice(0, 2).filter((word) => /^[a-z-]{1,20}$/.test(word))
  const near = suggestCommand(
    words,
    COMMANDS.map(({ name }) => name),
  )
  return new CliError('usage', 'unknown command', near ? `did you mean \`${near}\`?` : 'see mayfly --help')
}
