/** Runs the command line once. */
import { CommanderError } from 'commander'
import { loadPluginCommands } from './instance/plugin-commands.js'
import { type CliError, EXIT } from './lib/cli-error.js'
import { endRun } from './lib/signals.js'
import { printError } from './output/error-output.js'
import type { Io } from './output/io.js'
import { isBrokenPipe } from './output/write-all.js'
import { buildProgram, COMMANDS } from './program.js'
import { toUsageError } from './usage-errors.js'

/** Parses the arguments, runs the command and returns the exit code. Prints failures and never throws. */
export async function runCli(argv: string[], io: Io): Promise<number> {
  let program = buildProgram(io, [], argv[0])
  try {
    const added = await loadPluginCommands(
      argv,
      COMMANDS.map(({ name }) => name),
      io,
    )
    if (added.length > 0) program = buildProgram(io, added, argv[0])
    await program.parseAsync(argv, { from: 'user' })
    return io.exitCode
  } catch (error) {
    const isCommander = error instanceof CommanderError
    if (isCommander && error.exitCode === 0) return EXIT.ok
    // As in `mayfly audit | head -1`. An error with a hint is printed.
    if (isBrokenPipe(error) && (error as CliError).hint === undefined) return EXIT.unexpected
    const failure = isCommander ? toUsageError(error, program, io) : error
    return failure === null ? EXIT.ok : printError(failure, io.withFlags(program.opts()), program.opts())
  } finally {
    endRun(io.cleanup)
  }
}
