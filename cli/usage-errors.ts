/** What commander refuses, in our words: what is wrong, and the nearest thing that is right. */
import type { Command as Commander, CommanderError } from 'commander'
import { CliError } from './lib/cli-error.js'
import type { Io } from './output/io.js'
import { COMMANDS } from './program.js'

const SHORT_HELP = `Mayfly shares secrets that live once: the link opens, and then it is gone.

  mayfly secret create < .env      encrypt it here, store it there, print the link
  mayfly secret read               open a link
  mayfly serve                     run an instance

mayfly --help lists every command, mayfly help examples shows more.
`

/**
 * The failure to report; null when nothing was asked for on a terminal and a short help was the answer.
 * The values of flags are never repeated: they may be passwords.
 */
export function toUsageError({ code, message }: CommanderError, program: Commander, io: Io): CliError | null {
  if (code === 'commander.help') return reportMissingCommand(program.args, io)
  if (code === 'commander.unknownCommand') return createUnknownCommandError(program.args)
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n')
  const text = first.replace(/=[^']*/s, '').replace(/(argument) '.*?' (is|missing)/s, '$1 $2')
  if (text.includes("'--password'")) {
    return new CliError('usage', '--password takes no value', 'it asks; or use --password-file or --password-fd')
  }
  const near = suggestion?.match(/Did you mean (.*)\?/)?.[1]
  return new CliError('usage', text, near ? `did you mean ${near}?` : 'see --help')
}

function reportMissingCommand([group]: string[], io: Io): CliError | null {
  if (group !== undefined) {
    const names = COMMANDS.map(({ name }) => name).filter((name) => name.startsWith(`${group} `))
    return new CliError('usage', `${group}: a command is missing`, `one of: ${names.join(', ')}`)
  }
  if (!io.isTty.stdin) {
    return new CliError('usage', 'a command is missing', 'to make a secret of stdin: mayfly secret create')
  }
  io.stdout.write(SHORT_HELP)
  return null
}

/** What looks like a link or a text is not repeated: it may be what was to be shared. */
function createUnknownCommandError(args: string[]): CliError {
  if (/^https?:/.test(args[0] ?? '')) {
    return new CliError('usage', 'a command is missing', 'to open a link: mayfly secret read')
  }
  const words = args.slice(0, 2).filter((word) => /^[a-z-]{1,20}$/.test(word))
  const near = findNearestCommand(words)
  return new CliError('usage', 'there is no such command', near ? `did you mean \`${near}\`?` : 'see mayfly --help')
}

/** The command whose name, or whose last word, is at most two letters away from the first words. */
function findNearestCommand(words: string[]): string | undefined {
  const typed = [words.join(' '), words[0] ?? '']
  const found = COMMANDS.map(({ name }) => {
    const names = [name, name.split(' ').at(-1) as string]
    return { name, letters: Math.min(...typed.flatMap((text) => names.map((each) => getEditDistance(text, each)))) }
  })
  return found.filter(({ letters }) => letters <= 2).sort((a, b) => a.letters - b.letters)[0]?.name
}

/** Levenshtein distance: letters to add, drop or change. */
function getEditDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] as number) + (letter === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
