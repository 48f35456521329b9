/**
 * `mayfly run`: checks every link before it opens the first one, and passes the secrets in the environment of one
 * command.
 */
import { isUtf8 } from 'node:buffer'
import { CliError } from '../../lib/cli-error.js'
import { handleSignals } from '../../lib/signals.js'
import type { Io } from '../../output/io.js'
import { checkMask, printMasks } from '../../output/mask.js'
import { acknowledgeSecrets, explainDelivery, findSecrets, openSecrets } from '../../secrets/open-links.js'
import { type PasswordFlags, readPassword } from '../../secrets/secret-password.js'
import { stripLineEnd } from '../../secrets/strip-line-end.js'
import type { GlobalFlags } from '../command.js'
import { checkProgram, runChild } from './child-process.js'
import { readVariables, type Variable, type VariableFlags } from './link-variables.js'
import { createValueFolder } from './value-files.js'
import { listUses, toVariable } from './variable-value.js'

export interface RunFlags extends PasswordFlags, VariableFlags {
  asFile?: string[]
  mask?: string
}

const FILE_HINT = 'pass it as a file, with --as-file'

/** Exits with the code of the command. Throws LinkError, CliError or ApiError. */
export async function runCommand(words: string[], flags: RunFlags & GlobalFlags, io: Io): Promise<void> {
  const [program] = words
  if (program === undefined) {
    throw new CliError('usage', 'missing argument: command', 'use: mayfly run --env NAME=LINK -- command')
  }
  checkMask(flags.mask, io)
  const variables = await readVariables(flags, io)
  checkFileNames(variables, flags)
  checkProgram(program, io)
  const files = createValueFolder(io)
  const toValue = async (name: string, text: Uint8Array) =>
    flags.asFile?.includes(name) ? await files.write(name, text) : toVariable(name, text, `${FILE_HINT} ${name}`)
  const values: Record<string, string> = {}
  for (const { name, value, isLink } of variables) if (!isLink) values[name] = await toValue(name, Buffer.from(value))
  const password = await readPassword(flags, io)
  const links = listUses(variables)
  const found = await findSecrets(links, password, flags, io)
  const masked: string[] = []
  const received = await openSecrets(
    found,
    password,
    async ({ uses, opened: { text } }) => {
      for (const { name } of uses) values[name] = await toValue(name, text)
      if (isUtf8(text)) masked.push(stripLineEnd(Buffer.from(text)).toString())
    },
    io,
  )
  printMasks(flags.mask, [...masked, ...links.map(({ link }) => link)], io)
  // The output belongs to the command.
  const quiet = io.withFlags({ ...flags, quiet: true })
  const acknowledgeAll = () => acknowledgeSecrets(received, quiet)
  const child = handleSignals(io.cleanup, () => runChild(words, values, acknowledgeAll, io))
  const code = await child.catch((error) => {
    throw explainDelivery(toStartError(error), received)
  })
  await files.remove()
  io.setExitCode(code)
}

function checkFileNames(variables: Variable[], { asFile = [] }: RunFlags): void {
  const missing = asFile.find((name) => !variables.some((variable) => variable.name === name))
  if (missing === undefined) return
  throw new CliError('usage', `--as-file names no variable of --env or --links: ${missing}`, 'nothing was opened')
}

/** Returns the error of a command that was not started, so that nothing is acknowledged. */
function toStartError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined) return error
  const reason = code === 'E2BIG' ? 'its arguments and environment are too large together' : code
  return new CliError(
    'not_written',
    `cannot start the command: ${reason}`,
    code === 'E2BIG' ? `${FILE_HINT} NAME` : undefined,
  )
}
