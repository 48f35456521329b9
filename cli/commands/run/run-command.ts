/** `mayfly run`: checks every link before it opens the first one, and passes the secrets in the environment of one command. */
import { isUtf8 } from 'node:buffer'
import type { SecretExists } from '#shared/api'
import { newClaim } from '#shared/crypto/keys'
import { LinkError } from '#shared/link'
import { connectToServer } from '../../client/connect.js'
import { CliError } from '../../lib/cli-error.js'
import { describeError } from '../../output/error-output.js'
import type { Io } from '../../output/io.js'
import { checkMask, printMasks } from '../../output/mask.js'
import { formatCount } from '../../output/sanitize.js'
import { acknowledgeView, openSecret, peekSecret, type SecretAccess } from '../../secrets/open-secret.js'
import { resolveLink } from '../../secrets/resolve-link.js'
import { type PasswordFlags, readPassword } from '../../secrets/secret-password.js'
import { stripLineEnd } from '../../secrets/strip-line-end.js'
import type { GlobalFlags } from '../command.js'
import { checkProgram, runChild } from './child-process.js'
import { readVariables, type VariableFlags } from './link-variables.js'

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
  const values: Record<string, string> = {}
  for (const found of all) values[found.name] = await openValue(found, password, io)
  printMasks(flags.mask, [...Object.values(values), ...variables.values()], io)
  const acknowledgeAll = async () => void (await Promise.all(all.map(({ access }) => acknowledgeView(access))))
  io.setExitCode(await runChild(words, values, acknowledgeAll, io))
}

/** One secret may fill several variables. Throws CliError `usage` when it has too few views. */
function checkViews(all: FoundSecret[]): void {
  for (const { peek, access } of all) {
    const names = all.filter((other) => other.access.id === access.id).map(({ name }) => name)
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
  const { client } = await connectToServer(address.server, flags, io)
  const { found, linkKey } = await peekSecret(client, address, io, KEY_HINT)
  return { peek: found, access: { client, id: found.id, linkKey, claim: newClaim() } }
}

const isOtherText = (error: unknown) => error instanceof LinkError && error.problem === 'not-a-link'

const needsPassword = ({ peek }: FoundSecret) => peek.passwordRequired

async function openValue({ name, access, peek }: FoundSecret, password: string | undefined, io: Io): Promise<string> {
  const { text } = await openSecret(access, peek, peek.passwordRequired ? password : undefined, io)
  if (!isUtf8(text) || text.includes(0) || name.length + text.length + 2 > VARIABLE_MAX) {
    throw new CliError('usage', `${name}: this secret does not fit into a variable`, 'use `mayfly secret read`')
  }
  // As in `$(...)`, a password in a variable ends without the line end that `echo` added.
  return stripLineEnd(Buffer.from(text)).toString()
}
