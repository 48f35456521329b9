#!/usr/bin/env node
import { CommanderError } from 'commander'
import { EXIT } from './errors.js'
import { createIo, endOnBrokenPipe } from './io.js'
import { buildProgram } from './program.js'
import { report } from './report.js'
import { usageError } from './usage.js'

endOnBrokenPipe()
const program = buildProgram()
try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = outcome(error)
}

function outcome(error: unknown): number {
  const isCommander = error instanceof CommanderError
  if (isCommander && error.exitCode === 0) return EXIT.ok
  const failure = isCommander ? usageError(error, program) : error
  return failure === null ? EXIT.ok : report(failure, createIo(program.opts()), program.opts())
}
