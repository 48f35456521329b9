/** `mayfly user add`: adds one user, or one per line of a list. */
import { isDeepStrictEqual } from 'node:util'
import { isAppError } from '#core'
import { CreateUser } from '#shared/api'
import { sortGroups } from '#shared/policies'
import type { Administration } from '../../instance/administration.js'
import { toCliError } from '../../instance/local-app.js'
import { type AdminFlags, assertLocal, withAdministration } from '../../instance/with-administration.js'
import { CliError, EXIT } from '../../lib/cli-error.js'
import { parseDuration } from '../../output/duration.js'
import { describeError } from '../../output/error-output.js'
import type { Io } from '../../output/io.js'
import type { GlobalFlags } from '../command.js'
import {
  type AccountPasswordFlags,
  hasPasswordFlag,
  parseInput,
  requireOneArgument,
  resolveAccountPassword,
} from './account-input.js'
import { createCredentialsLink } from './credentials-link.js'
import { readUserList, type UserLine } from './users-csv.js'

export interface UserAddFlags extends AdminFlags, AccountPasswordFlags {
  email?: string
  role?: 'user' | 'admin'
  group?: string[]
  mustChange: boolean
  sendLink?: true
  ttl: string
  ifMissing?: true
  emailVerified?: true
  from?: string
  skipInvalid?: true
}

type Flags = UserAddFlags & GlobalFlags

/** Output about a new user. */
interface AddedUser {
  username: string
  email: string
  role: string
  groups?: string[]
  password?: string
  link?: string
}

export async function addUsers(words: string[], flags: Flags, io: Io): Promise<void> {
  assertLocal(flags, 'users are added')
  const { from, email, role, group, skipInvalid } = flags
  const ttl = parseDuration('--ttl', flags.ttl)
  if (from === undefined) {
    if (skipInvalid) throw new CliError('usage', '--skip-invalid needs --from')
    const username = requireOneArgument(words, 'user name')
    if (email === undefined) throw new CliError('usage', 'missing option: --email', 'use --email ADDRESS')
    return withAdministration(flags, io, (administration) =>
      addUser(
        administration,
        { username, email, role: role ?? 'user', ...(group && { groups: group }) },
        ttl,
        flags,
        io,
      ),
    )
  }
  if (words.length > 0 || email !== undefined) {
    throw new CliError('usage', '--from excludes a user name and --email', 'the list has names and addresses')
  }
  if (hasPasswordFlag(flags)) {
    throw new CliError('usage', '--from excludes password flags', 'each user of the list gets a generated password')
  }
  const lines = await readUserList(from, role ?? 'user', skipInvalid ?? false, io)
  if (group) for (const line of lines) line.groups ??= group
  return withAdministration(flags, io, (administration) => addUserList(administration, lines, ttl, flags, io))
}

async function addUser(
  administration: Administration,
  line: UserLine,
  ttl: number,
  flags: Flags,
  io: Io,
): Promise<void> {
  if (flags.ifMissing && (await userExists(administration, line))) {
    io.note(`${line.username} exists already`)
    if (flags.json) await io.writeJson({ ...line, username: line.username.toLowerCase() })
    return
  }
  const user = await createUser(administration, line, ttl, flags, io)
  io.note(`added ${user.username}${user.role === 'admin' ? ' as an administrator' : ''}`)
  if (flags.json) return io.writeJson(user)
  const result = user.link ?? user.password
  if (result !== undefined) await io.write(`${result}\n`)
}

/** Adds each user separately. A failed one is printed with its error, and the others continue. */
export async function addUserList(
  administration: Administration,
  lines: UserLine[],
  ttl: number,
  flags: Flags,
  io: Io,
): Promise<void> {
  let [added, failed] = [0, 0]
  for (const line of lines) {
    let result: object
    try {
      if (flags.ifMissing && (await userExists(administration, line))) continue
      result = await createUser(administration, line, ttl, flags, io)
      added += 1
    } catch (error) {
      const failure = describeError(isAppError(error) ? toCliError(error) : error)
      if (['unavailable', 'unexpected'].includes(failure.outcome)) throw error
      failed += 1
      const { outcome, message } = failure
      io.warn(`${line.username}: ${message}`)
      result = { username: line.username, error: { code: outcome, message, exit: EXIT[outcome] } }
    }
    await io.writeJson(result)
  }
  io.note(`added ${added} of ${lines.length}`)
  if (failed > 0) throw new CliError('conflict', `${failed} of ${lines.length} could not be added`)
}

/** Throws CliError `conflict` when the user exists with another e-mail address or role, or with other groups. */
async function userExists(
  administration: Administration,
  { username, email, role, groups }: UserLine,
): Promise<boolean> {
  const user = await administration.findUser(username.toLowerCase())
  if (!user) return false
  const hasGroups = groups === undefined || isDeepStrictEqual(sortGroups(groups), user.groups)
  if (user.email !== email.toLowerCase() || user.role !== role || !hasGroups) {
    throw new CliError('conflict', `${user.username} exists already with another e-mail address, role or groups`)
  }
  return true
}

async function createUser(
  administration: Administration,
  line: UserLine,
  ttl: number,
  flags: Flags,
  io: Io,
): Promise<AddedUser> {
  const { password, isGenerated } = await resolveAccountPassword(flags, administration.passwordMax, io)
  const wanted = parseInput(CreateUser, {
    ...line,
    password,
    generated: flags.mustChange,
    emailVerified: flags.emailVerified ?? false,
  })
  const { username, email, role } = wanted
  const added = { username, email, role, ...(wanted.groups.length > 0 && { groups: wanted.groups }) }
  // Link first: a user without a known password would be worse than an unused link.
  const sent = flags.sendLink ? await createCredentialsLink(administration, wanted, ttl) : null
  try {
    await administration.createUser(wanted)
  } catch (error) {
    await sent?.burn()
    throw error
  }
  if (sent) return { ...added, link: sent.link }
  return isGenerated ? { ...added, password } : added
}
