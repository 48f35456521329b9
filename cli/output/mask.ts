/** Masks values in the log of a CI job. */
import { CliError } from '../lib/cli-error.js'
import type { Io } from './io.js'

/**
 * Throws CliError `usage` outside GitHub Actions, where the mask commands would print the values.
 * Call it before a secret is created or opened.
 */
export function checkMask(kind: string | undefined, io: Io): void {
  if (kind === 'github' && io.env.GITHUB_ACTIONS !== 'true') {
    throw new CliError(
      'usage',
      '--mask github works only in GitHub Actions',
      'leave it out: elsewhere it would print the values',
    )
  }
}

/**
 * Prints mask commands on stderr, which the GitHub runner parses like stdout. Each line of a value needs its own mask.
 */
export function printMasks(kind: string | undefined, values: string[], io: Io): void {
  if (kind === undefined) return
  const lines = values.flatMap((value) => value.split(/\r?\n/)).filter((line) => line.trim() !== '')
  io.writeErr(lines.map((line) => `::add-mask::${escapeCommandValue(line)}\n`).join(''))
}

/** Escapes a value for a workflow command. */
const escapeCommandValue = (line: string) => line.replaceAll('%', '%25').replaceAll('\r', '%0D')
