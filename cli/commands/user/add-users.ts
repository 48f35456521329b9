/** `mayfly user add`: one account, or one for each line of a list. */
import { isAppError } from '#core'
import { LOCAL_CLI } from '#core/runtime'
import { CreateUser } from '#shared/api'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { asCliError, atDesk, type Desk } from '../../instance/local-app.js'
import { CliError, EXIT } from '../../lib/cli-error.js'
import { parseDuration } from '../../output/duration.js'
import type { Io } from '../../output/io.js'
import type { GlobalFlags } from '../command.js'
import { type AccountPasswordFlags, chosenPassword, isChosen, parsed, word } from './account-input.js'
import { credentialsLink } from './credentials-link.js'
import { type TeamLine, teamFrom } from './users-csv.js'

export interface UserAddFlags extends InstanceFlags, AccountPasswordFlags {
  email?: string
  role?: 'user' | 'admin'
  mustChange: boolean
  sendLink?: true
  ttl: string
  ifMissing?: true
  from?: string
}

type Flags = UserAddFlags & GlobalFlags

/** What is told about an account that was made. */
interface Made {
  username: string
  email: string
  role: string
  password?: string
  link?: string
}

export async function addUsers(words: string[], flags: Flags, io: Io): Promise<void> {
  const { from, email, role } = flags
  const ttl = parseDuration('--ttl', flags.ttl)
  if (from === undefined) {
    const username = word(words, 'the user name')
    if (email === undefined) throw new CliError('usage', 'an e-mail address is needed', 'use --email')
    return atDesk(flags, io, (desk) => addOne(desk, { username, email, role: role ?? 'user' }, ttl, flags, io))
  }
  if (words.length > 0 || email !== undefined) {
    throw new CliError('usage', '--from brings names and addresses', 'leave out the name and --email')
  }
  if (isChosen(flags)) {
    throw new CliError('usage', 'everyone of a list gets a password of their own', 'leave out the one you chose')
  }
  const team = await teamFrom(from, role ?? 'user', io)
  return atDesk(flags, io, (desk) => addTeam(desk, team, ttl, flags, io))
}

async function addOne(desk: Desk, line: TeamLine, ttl: number, flags: Flags, io: Io): Promise<void> {
  if (flags.ifMissing && (await isThere(desk, line))) return io.note(`${line.username} is there already`)
  const made = await make(desk, line, ttl, flags, io)
  io.note(`added ${made.username}${made.role === 'admin' ? ', who is an administrator' : ''}`)
  if (flags.json) return io.write(`${JSON.stringify(made)}\n`)
  const result = made.link ?? made.password
  if (result !== undefined) await io.write(`${result}\n`)
}

/** Each by itself: one that fails is told in its place, and the others go on. */
async function addTeam(desk: Desk, team: TeamLine[], ttl: number, flags: Flags, io: Io): Promise<void> {
  let [added, failed] = [0, 0]
  for (const line of team) {
    let answer: object
    try {
      if (flags.ifMissing && (await isThere(desk, line))) continue
      answer = await make(desk, line, ttl, flags, io)
      added += 1
    } catch (error) {
      const failure = isAppError(error) ? asCliError(error) : error
      if (!(failure instanceof CliError) || failure.outcome === 'unavailable') throw error
      failed += 1
      const { outcome, message } = failure
      io.warn(`${line.username}: ${message}`)
      answer = { username: line.username, error: { code: outcome, message, exit: EXIT[outcome] } }
    }
    await io.write(`${JSON.stringify(answer)}\n`)
  }
  io.note(`added ${added} of ${team.length}`)
  if (failed > 0) throw new CliError('conflict', `${failed} of ${team.length} could not be added`)
}

/** Throws CliError `conflict` for somebody of that name who is not the one that is wanted. */
async function isThere({ storage }: Desk, { username, email, role }: TeamLine): Promise<boolean> {
  const user = await storage.users.find(username.toLowerCase())
  if (!user) return false
  if (user.email !== email.toLowerCase() || user.role !== role) {
    throw new CliError('conflict', `${user.username} is there already, with another e-mail address or role`)
  }
  return true
}

async function make(desk: Desk, line: TeamLine, ttl: number, flags: Flags, io: Io): Promise<Made> {
  const { password, isGenerated } = await chosenPassword(flags, desk.passwordMax, io)
  const wanted = parsed(CreateUser, { ...line, password, generated: flags.mustChange })
  const { username, email, role } = wanted
  // First: an account whose password nobody was told would be worse than a link to nowhere.
  const sent = flags.sendLink ? await credentialsLink(desk, wanted, ttl) : null
  try {
    await desk.services.admin.create(wanted, LOCAL_CLI)
  } catch (error) {
    await sent?.takeBack()
    throw error
  }
  if (sent) return { username, email, role, link: sent.link }
  return { username, email, role, ...(isGenerated ? { password } : {}) }
}
