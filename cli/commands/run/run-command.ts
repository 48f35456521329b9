/** `mayfly run`: checks every link before it opens the first one, and passes the secrets in the environment of one command. */
import { isUtf8 } from 'node:buffer'
import type { SecretExists } from '#shared/api'
import { newClaim } from '#shared/crypto/keys'
import { connectToServer } from '../../client/connect.js'
import { CliError } from '../../lib/cli-error.js'
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

/** Peeks the secret of a variable. Throws without using a view. */
async function findSecret(name: string, link: string, flags: GlobalFlags, io: Io): Promise<FoundSecret> {
  const address = await resolveLink(link, undefined, io)
  const { client } = await connectToServer(address.server, flags, io)
  const { found: exists, linkKey } = await peekSecret(client, address, io)
  if (exists.files > 0) {
    throw new CliError('usage', `${name}: this secret has files`, 'use `mayfly secret read`; nothing was opened')
  }
  return { name, link, peek: exists, access: { client, id: exists.id, linkKey, claim: newClaim() } }
}

const needsPassword = ({ peek }: FoundSecret) => peek.passwordRequired

async function openValue({ name, access, peek }: FoundSecret, password: string | undefined, io: Io): Promise<string> {
  const { text } = await openSecret(access, peek, peek.passwordRequired ? password : undefined, io)
  if (!isUtf8(text) || text.includes(0) || name.length + text.length + 2 > VARIABLE_MAX) {
    throw new CliError('usage', `${name}: this secret does not fit into a variable`, 'use `mayfly secret read`')
  }
  // As in `$(...)`, a password in a variable ends without the line end that `echo` added.
  return stripLineEnd(Buffer.from(text)).toString()
}
