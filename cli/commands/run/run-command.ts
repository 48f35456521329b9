/**
 * `mayfly run`: checks every link before it opens the first one, and passes the secrets in the environment of one
 * command.
 */
import { isUtf8 } from 'node:buffer'
import type { SecretExists } from '#shared/api'
import { LinkError } from '#shared/link'
import { connectToServer } from '../../client/connect.js'
import { CliError } from '../../lib/cli-error.js'
import { handleSignals } from '../../lib/signals.js'
import { describeError } from '../../output/error-output.js'
import type { Io } from '../../output/io.js'
import { checkMask, printMasks } from '../../output/mask.js'
import { formatCount } from '../../output/sanitize.js'
import {
  acknowledgeView,
  type OpenedSecret,
  openSecret,
  peekSecret,
  type SecretAccess,
} from '../../secrets/open-secret.js'
import { createReadClaim, takeUnfinishedRead } from '../../secrets/read-claims.js'
import { resolveLink } from '../../secrets/resolve-link.js'
import { type PasswordFlags, readPassword } from '../../secrets/secret-password.js'
import { stripLineEnd } from '../../secrets/strip-line-end.js'
import type { GlobalFlags } from '../command.js'
import { checkProgram, runChild } from './child-process.js'
import { readVariables, type VariableFlags } from './link-variables.js'
import { createValueFolder } from './value-files.js'

export interface RunFlags extends PasswordFlags, VariableFlags {
  mask?: string
}

/** A secret that exists and is not opened yet. */
interface FoundSecret {
  name: string
  link: string
  access: SecretAccess
  peek: SecretExists
}

/** Maximum size of a variable on Linux in bytes, including name, `=` and the final NUL. */
const VARIABLE_MAX = 128 * 1024

const FILE_HINT = 'pass it as a file, with --as-file'
const NOT_A_LINK = 'this is not a link to a secret'
const PLAIN_HINT = 'set plain values before the command, as in A=value mayfly run ...; nothing was opened'
const KEY_HINT = 'use the whole link, with the key after the #; nothing was opened'

/** Exits with the code of the command. Throws LinkError, CliError or ApiError. */
export async function runCommand(words: string[], flags: RunFlags & GlobalFlags, io: Io): Promise<void> {
  const [program] = words
  if (program === undefined) {
    throw new CliError('usage', 'missing argument: command', 'use: mayfly run --env NAME=LINK -- command')
  }
  checkMask(flags.mask, io)
  const variables = await readVariables(flags, io)
  checkProgram(program, io)
  const password = await readPassword(flags, io)
  const all: FoundSecret[] = []
  for (const [name, link] of variables) all.push(await findSecret(name, link, flags, io))
  checkViews(all)
  if (all.some(needsPassword) && password === undefined && !io.canPromptHidden()) {
    throw new CliError('usage', 'missing password, and no terminal to ask on', 'use --password-file or --password-fd')
  }
  // Secrets with a password first: a wrong password uses no view.
  all.sort((a, b) => Number(needsPassword(b)) - Number(needsPassword(a)))
  const files = createValueFolder(io)
  const values: Record<string, string> = {}
  const masked: string[] = []
  const opened: OpenedSecret[] = []
  for (const found of all) {
    const secret = await openSecret(found.access, found.peek, needsPassword(found) ? password : undefined, io)
    opened.push(secret)
    const isFile = flags.asFile?.includes(found.name) ?? false
    const passing = isFile ? files.write(found.name, secret.text) : toVariable(found.name, secret.text)
    values[found.name] = await passing.catch((error) => {
      throw found.access.claim.explain(error)
    })
    if (isUtf8(secret.text)) masked.push(stripLineEnd(Buffer.from(secret.text)).toString())
  }
  printMasks(flags.mask, [...masked, ...variables.values()], io)
  // The output belongs to the command.
  const quiet = io.withFlags({ ...flags, quiet: true })
  const acknowledgeAll = async () => {
    await Promise.all(all.map(({ access }, index) => acknowledgeView(access, opened[index]?.viewsLeft ?? null, quiet)))
  }
  const child = handleSignals(io.cleanup, () => runChild(words, values, acknowledgeAll, io))
  const code = await child.catch((error) => {
    throw all[0]?.access.claim.explain(toStartError(error)) ?? error
  })
  await files.remove()
  io.setExitCode(code)
}

/** The command was not started, so nothing is acknowledged. */
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

/** One secret may fill several variables. Throws CliError `usage` when it has too few views. */
function checkViews(all: FoundSecret[]): void {
  for (const { peek, access } of all) {
    const same = all.filter((other) => other.access.id === access.id && !other.access.claim.isRepeated)
    const names = same.map(({ name }) => name)
    if (peek.maxViews === null || names.length <= peek.maxViews) continue
    const message = `${names.join(' and ')} use the same secret, which can be opened ${formatCount(peek.maxViews, 'more time')}`
    throw new CliError('usage', message, 'nothing was opened')
  }
}

/** Peeks the secret of a variable. Throws without using a view. The error names the variable. */
async function findSecret(name: string, link: string, flags: GlobalFlags, io: Io): Promise<FoundSecret> {
  const found = await peekLink(link, flags, io).catch((error) => {
    const { outcome, message, hint } = describeError(error)
    if (outcome === 'unexpected' || outcome === 'interrupted') throw error
    throw new CliError(outcome, `${name}: ${message}`, hint)
  })
  const { files } = found.peek
  if (files === 0) return { name, link, ...found }
  throw new CliError(
    'usage',
    `${name}: this secret has ${formatCount(files, 'file')}, and a variable can only hold a text`,
    'save files with `mayfly secret read --out-dir FOLDER`; nothing was opened',
  )
}

async function peekLink(link: string, flags: GlobalFlags, io: Io): Promise<Pick<FoundSecret, 'access' | 'peek'>> {
  // `-` would be read from stdin.
  if (link === '-') throw new CliError('usage', NOT_A_LINK, PLAIN_HINT)
  const address = await resolveLink(link, undefined, io).catch((error) => {
    throw isOtherText(error) ? new CliError('usage', NOT_A_LINK, PLAIN_HINT) : error
  })
  const { client, server } = await connectToServer(address.server, flags, io)
  const unfinished = await takeUnfinishedRead(server, address.id, io)
  const { found, linkKey } = await peekSecret(client, address, io, { keyHint: KEY_HINT, unfinished })
  const claim = createReadClaim(server, found, unfinished, io)
  return { peek: found, access: { client, id: found.id, linkKey, claim } }
}

const isOtherText = (error: unknown) => error instanceof LinkError && error.problem === 'not-a-link'

const needsPassword = ({ peek }: FoundSecret) => peek.passwordRequired

/** Throws CliError `usage` when a variable cannot hold the text. The secret is not acknowledged then. */
async function toVariable(name: string, text: Uint8Array): Promise<string> {
  // As in `$(...)`, a password in a variable ends without the line end that `echo` added.
  const value = stripLineEnd(Buffer.from(text))
  if (isUtf8(value) && !value.includes(0) && name.length + value.length + 2 <= VARIABLE_MAX) return value.toString()
  throw new CliError('usage', `${name}: this secret does not fit into a variable`, `${FILE_HINT} ${name}`)
}
