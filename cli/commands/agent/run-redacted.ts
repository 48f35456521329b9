/** Runs a command of an agent with secrets in its environment, and returns its output without them. */
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { acknowledgeSecrets, explainDelivery, findSecrets, openSecrets } from '../../secrets/open-links.js'
import type { GlobalFlags } from '../command.js'
import { checkProgram, runChild } from '../run/child-process.js'
import { toVariable } from '../run/variable-value.js'
import { capture } from './agent-io.js'
import { redactOutput } from './redact-output.js'

/** Characters of each stream in a result. */
export const OUTPUT_MAX = 64 * 1024
/** Read beyond OUTPUT_MAX, so that a secret at the end is found as a whole: longer than any form of a variable. */
const MARGIN_BYTES = 2 * 2 ** 20

export interface CommandRun {
  words: string[]
  cwd: string
  timeoutS: number
}

export interface CommandResult {
  exit_code: number | null
  stdout: string
  stderr: string
  /** The output is longer. */
  is_cut: boolean
}

/** A variable with a link, or with a value that is known already. */
export type AgentVariable = { name: string; link: string } | { name: string; value: Uint8Array }

/** The command gets no token of the user. */
const PRIVATE_VARIABLES = ['MAYFLY_TOKEN']

const HINT = 'a variable holds up to 128 KiB of text'

/**
 * All links are checked before one is opened, and acknowledged when the command has started. Throws CliError, LinkError
 * or ApiError.
 */
export async function runWithSecrets(
  run: CommandRun,
  variables: AgentVariable[],
  flags: GlobalFlags,
  outer: Io,
): Promise<CommandResult> {
  return capture(
    outer,
    { cwd: run.cwd, maxBytes: OUTPUT_MAX + MARGIN_BYTES, withoutVariables: PRIVATE_VARIABLES },
    async (captured) => {
      const { io } = captured
      checkProgram(run.words[0] as string, io)
      const values: Record<string, string> = {}
      const set = (name: string, text: Uint8Array) => {
        values[name] = toVariable(name, text, HINT)
      }
      for (const variable of variables) if ('value' in variable) set(variable.name, variable.value)
      const found = await findSecrets(
        variables.filter((variable) => 'link' in variable),
        undefined,
        flags,
        io,
      )
      const receive = ({ uses, opened }: { uses: { name: string }[]; opened: { text: Uint8Array } }) => {
        for (const { name } of uses) set(name, opened.text)
      }
      // Notes and warnings of reading are not output of the command.
      const quiet = await capture(outer, { cwd: run.cwd, maxBytes: 0 }, async (silent) => silent.io)
      const received = await openSecrets(found, undefined, receive, quiet)
      const code = await runChild(run.words, values, () => acknowledgeSecrets(received, quiet), io, run.timeoutS).catch(
        (error) => {
          throw explainDelivery(toStartError(error, run), received)
        },
      )
      return toResult(code, captured, Object.values(values))
    },
  )
}

/** Returns the output of a command. Throws CliError if it fails, without its output. */
export async function readCommandOutput(run: CommandRun, maxBytes: number, outer: Io): Promise<Uint8Array> {
  return capture(
    outer,
    { cwd: run.cwd, maxBytes, withoutVariables: PRIVATE_VARIABLES },
    async ({ io, stdout, isCut }) => {
      checkProgram(run.words[0] as string, io)
      const code = await runChild(run.words, {}, async () => {}, io, run.timeoutS).catch((error) => {
        throw toStartError(error, run)
      })
      if (code !== 0) throw new CliError('usage', `the command failed with exit code ${code}`, 'nothing was created')
      if (isCut()) throw new CliError('limit', `the command printed more than ${maxBytes} bytes`, 'nothing was created')
      return stdout()
    },
  )
}

function toStartError(error: unknown, { timeoutS }: CommandRun): unknown {
  const { code, name } = error as NodeJS.ErrnoException
  if (name === 'AbortError') return new CliError('unavailable', `the command was ended after ${timeoutS} seconds`)
  return code === undefined ? error : new CliError('not_written', `cannot start the command: ${code}`)
}

function toResult(
  code: number,
  { stdout, stderr, isCut }: { stdout(): Buffer; stderr(): Buffer; isCut(): boolean },
  values: string[],
): CommandResult {
  const [out, err] = [toText(stdout()), toText(stderr())]
  return {
    exit_code: code,
    stdout: redactOutput(out, values, OUTPUT_MAX),
    stderr: redactOutput(err, values, OUTPUT_MAX),
    is_cut: isCut() || out.length > OUTPUT_MAX || err.length > OUTPUT_MAX,
  }
}

/** Binary output is not shown: secrets in it would not be found. */
function toText(bytes: Buffer): string {
  try {
    // With `stream`, a character that was cut off at the end is not an error.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
    if (!text.includes('\0')) return text
  } catch {}
  return `(${bytes.length} bytes that are not text)`
}
