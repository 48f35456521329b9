/** Runs the command line once. */
import { CommanderError } from 'commander'
import { loadPluginCommands } from './instance/plugin-commands.js'
import { EXIT } from './lib/cli-error.js'
import { endRun } from './lib/signals.js'
import { printError } from './output/error-output.js'
import type { Io } from './output/io.js'
import { buildProgram, COMMANDS } from './program.js'
import { toUsageError } from './usage-errors.js'

/** Parses the arguments, runs the command and returns the exit code. Prints failures and never throws. */
export async function runCli(argv: string[], io: Io): Promise<number> {
  let program = buildProgram(io)
  try {
    const added = await loadPluginCommands(
      argv,
      COMMANDS.map(({ name }) => name),
      io,
    )
    if (added.length > 0) program = buildProgram(io, added)
    await program.parseAsync(moveIdsLast(argv), { from: 'user' })
    return io.exitCode
  } catch (error) {
    const isCommander = error instanceof CommanderError
    if (isCommander && error.exitCode === 0) return EXIT.ok
    const failure = isCommander ? toUsageError(error, program, io) : error
    return failure === null ? EXIT.ok : printError(failure, io.withFlags(program.opts()), program.opts())
  } finally {
    endRun(io.cleanup)
  }
}

/** Subcommands of `secret` that take an id. */
const COMMANDS_WITH_ID = ['read', 'burn', 'wait']
/** An id that starts with a dash, from older servers. The second character must not be a short flag. */
const DASHED_ID = /^-(?![qvyshofV])[\w-]{21}$/

/** Moves ids that look like flags after `--`, so that commander doesn't parse them as flags. */
function moveIdsLast(argv: string[]): string[] {
  const [group, name = ''] = argv
  if (group !== 'secret' || !COMMANDS_WITH_ID.includes(name) || argv.includes('--')) return argv
  const ids = argv.filter((word) => DASHED_ID.test(word))
  return ids.length === 0 ? argv : [...argv.filter((word) => !ids.includes(word)), '--', ...ids]
}
