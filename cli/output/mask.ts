/** What hides values from the log of a CI job. */
import { CliError } from '../lib/cli-error.js'
import type { Io } from './io.js'

export const MASKS = ['github']

/**
 * Throws CliError `usage` outside of the runner that takes the lines away: anywhere else they would print what they hide.
 * To be called before anything is made or opened.
 */
export function checkMask(kind: string | undefined, io: Io): void {
  if (kind === 'github' && io.env.GITHUB_ACTIONS !== 'true') {
    throw new CliError(
      'usage',
      '--mask github is for a job of GitHub Actions',
      'elsewhere it would print what it hides',
    )
  }
}

/** On stderr, which GitHub's runner reads for commands as it does stdout. A value of several lines takes one mask each. */
export function printMasks(kind: string | undefined, values: string[], io: Io): void {
  if (kind === undefined) return
  const lines = values.flatMap((value) => value.split(/\r?\n/)).filter((line) => line.trim() !== '')
  io.writeErr(lines.map((line) => `::add-mask::${escapeCommandValue(line)}\n`).join(''))
}

/** As the runner takes it apart again. */
const escapeCommandValue = (line: string) => line.replaceAll('%', '%25').replaceAll('\r', '%0D')
