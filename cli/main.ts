#!/usr/bin/env node
import { CommanderError } from 'commander'
import { CliError, EXIT } from './errors.js'
import { buildProgram } from './program.js'

try {
  await buildProgram().parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  if (error instanceof CliError) {
    for (const line of error.message.split('\n')) process.stderr.write(`mayfly: error: ${line}\n`)
    if (error.hint) process.stderr.write(`mayfly: hint: ${error.hint}\n`)
    return error.exitCode
  }
  throw error
}
