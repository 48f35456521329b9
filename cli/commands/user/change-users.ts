/** `mayfly user role`, `groups`, `suspend`, `resume`, `email`, `verify-email`, `end-sessions` and `reset-factors`. */
import { UpdateUser } from '#shared/api'
import { type AdminFlags, assertLocal, withAdministration } from '../../instance/with-administration.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { formatCount, toSingleLine } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'
import { parseInput, parseUsername } from './account-input.js'

type Flags = AdminFlags & GlobalFlags

export interface UserGroupsFlags extends AdminFlags {
  none?: true
}

export interface UserEmailFlags extends AdminFlags {
  verified?: true
}

export async function setRole(words: string[], flags: Flags, io: Io): Promise<void> {
  const example = 'for example: mayfly user role anna admin'
  const [name, role] = requireTwoArguments(words, 'user name and role', example)
  if (role !== 'user' && role !== 'admin') throw new CliError('usage', 'the role must be user or admin', example)
  const wanted = parseInput(UpdateUser, { username: name, role })
  assertLocal(flags, 'roles are changed')
  await withAdministration(flags, io, async (administration) => {
    const { username, role } = await administration.updateUser(wanted)
    if (flags.json) await io.writeJson({ username, role })
    io.note(`${username} is ${role === 'admin' ? 'an administrator' : 'a user'}`)
  })
}

/** Sets the groups of a user, or prints the groups that an administrator set. `words`: user name and groups. */
export async function manageGroups(
  [name, ...given]: string[],
  flags: UserGroupsFlags & GlobalFlags,
  io: Io,
): Promise<void> {
  if (flags.none && given.length > 0) throw new CliError('usage', '--none excludes groups')
  const isChange = flags.none || given.length > 0
  const wanted = parseInput(UpdateUser, { username: name ?? '', ...(isChange && { groups: given }) })
  await withAdministration(flags, io, async (administration) => {
    const { username } = wanted
    const user = isChange ? await administration.updateUser(wanted) : await administration.findUser(username)
    if (!user) throw new CliError('gone', 'user not found')
    if (isChange) io.note(`groups of ${username}: ${user.groups.join(', ') || '(none)'}`)
    if (flags.json) await io.writeJson({ username, groups: user.groups })
    else if (!isChange) await io.write(user.groups.map((group) => `${toSingleLine(group)}\n`).join(''))
  })
}

export async function setSuspended(words: string[], suspended: boolean, flags: Flags, io: Io): Promise<void> {
  const wanted = { username: parseUsername(words), suspended }
  await withAdministration(flags, io, async (administration) => {
    const { username } = await administration.updateUser(wanted)
    if (flags.json) await io.writeJson({ username, suspended })
    io.note(`${username} is ${suspended ? 'suspended' : 'active'}`)
  })
}

export async function setEmail(words: string[], flags: UserEmailFlags & GlobalFlags, io: Io): Promise<void> {
  const [name, address] = requireTwoArguments(
    words,
    'user name and e-mail address',
    'for example: mayfly user email anna anna@example.org',
  )
  const wanted = { username: name, email: address, ...(flags.verified && { emailVerified: true }) }
  await saveEmail(parseInput(UpdateUser, wanted), flags, io)
}

export const verifyEmail = (words: string[], flags: Flags, io: Io): Promise<void> =>
  saveEmail({ username: parseUsername(words), emailVerified: true }, flags, io)

async function saveEmail(wanted: UpdateUser, flags: Flags, io: Io): Promise<void> {
  assertLocal(flags, 'addresses are changed')
  await withAdministration(flags, io, async (administration) => {
    const { username, email, emailVerified } = await administration.updateUser(wanted)
    const isVerified = emailVerified !== null
    if (flags.json) await io.writeJson({ username, email, email_verified: isVerified })
    io.note(`the address of ${username} is ${email}, ${isVerified ? 'confirmed' : 'not confirmed'}`)
  })
}

export async function endSessions(words: string[], flags: Flags, io: Io): Promise<void> {
  const username = parseUsername(words)
  await withAdministration(flags, io, async (administration) => {
    const { ended } = await administration.endSessions(username)
    if (flags.json) await io.writeJson({ username, ended })
    io.note(`ended ${formatCount(ended, 'session')} of ${username} and deleted all API tokens`)
  })
}

export async function resetFactors(words: string[], flags: Flags, io: Io): Promise<void> {
  const username = parseUsername(words)
  await withAdministration(flags, io, async (administration) => {
    await administration.resetFactors(username)
    if (flags.json) await io.writeJson({ username, factors_reset: true })
    io.note(`${username} has no second factor, and signs in with the first one only`)
  })
}

/** Throws CliError `usage` for another number of arguments. */
function requireTwoArguments([first, second, ...more]: string[], what: string, example: string): [string, string] {
  if (first === undefined || second === undefined || more.length > 0) {
    throw new CliError('usage', `missing argument: ${what}`, example)
  }
  return [first, second]
}
