import { CliError } from '../lib/cli-error.js'
import { createEscapedStream } from '../output/escaped-stream.js'
import type { Io } from '../output/io.js'
import { checkStdoutOpen, isStdout, type Output, openOutput } from './output-file.js'

export interface SecretOutputFlags {
  output?: string
  yes?: true
}

/**
 * Opens the output of a command whose result is for programs. A terminal shows secrets only with `--output -`. Throws
 * CliError `usage`.
 */
export async function openSecretOutput({ output, yes }: SecretOutputFlags, io: Io): Promise<Output> {
  if (output === undefined && io.isTty.stdout) {
    const hint = 'use a pipe or --output FILE; --output - shows the secrets. Nothing was opened'
    throw new CliError('usage', 'stdout is a terminal, which would show the secrets', hint)
  }
  if (isStdout(output)) await checkStdoutOpen(io)
  if (!isStdout(output) || !io.isTty.stdout) return openOutput(output, yes, io)
  const shown = createEscapedStream(io)
  return { write: (bytes) => shown.write(Buffer.from(bytes)), close: () => shown.end() }
}
