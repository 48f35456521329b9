/** `mayfly user list`, `role`, `passwd` and `delete`. */
import { LOCAL_CLI } from '#core/runtime'
import { UpdateUser, Username } from '#shared/api'
import { TAKE_MAX } from '#shared/limits'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { atDesk, type Desk } from '../../instance/local-app.js'
import { CliError } from '../../lib/cli-error.js'
import { parseDuration } from '../../output/duration.js'
import { isoTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { counted } from '../../output/sanitize.js'
import { type ListFlags, listText } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { type PageFlags, pageOf } from '../page-options.js'
import { type AccountPasswordFlags, chosenPassword, parsed, word } from './account-input.js'
import { credentialsLink } from './credentials-link.js'

export interface UserPasswdFlags extends InstanceFlags, AccountPasswordFlags {
  mustChange: boolean
  sendLink?: true
  ttl: string
}

export interface UserListFlags extends InstanceFlags, ListFlags, PageFlags {
  role?: 'user' | 'admin'
  search?: string
  all?: true
}

export interface UserDeleteFlags extends InstanceFlags {
  confirm?: string
}

export async function listAccounts(flags: UserListFlags & GlobalFlags, io: Io): Promise<void> {
  const { search = '', role } = flags
  const page = pageOf(flags)
  await atDesk(flags, io, async ({ services }) => {
    const filter = { search, ...(role === undefined ? {} : { role }) }
    const { users, total } = await services.admin.list({ ...filter, ...page })
    while (flags.all && users.length < total - page.skip) {
      const next = await services.admin.list({ ...filter, skip: page.skip + users.length, take: TAKE_MAX })
      if (next.users.length === 0) break
      users.push(...next.users)
    }
    const rows = users.map(({ username, email, role, secrets, generated, createdAt }) => {
      return { username, email, role, secrets, must_change_password: generated, created_at: isoTime(createdAt) }
    })
    await io.write(listText(rows, ['username', 'email', 'role', 'secrets', 'created_at'], flags, io))
    if (users.length < total) io.note(`${users.length} of ${counted(total, 'user')}`)
  })
}

export async function setRole(
  [name, role, ...more]: string[],
  flags: InstanceFlags & GlobalFlags,
  io: Io,
): Promise<void> {
  if (name === undefined || role === undefined || more.length > 0) {
    throw new CliError('usage', 'a user name and a role are needed', 'such as: mayfly user role anna admin')
  }
  const wanted = parsed(UpdateUser, { username: name, role })
  await atDesk(flags, io, async ({ services }) => {
    const account = await services.admin.update(wanted, LOCAL_CLI)
    if (flags.json) await io.write(`${JSON.stringify({ username: account.username, role: account.role })}\n`)
    io.note(`${account.username} is ${account.role === 'admin' ? 'an administrator' : 'a user'}`)
  })
}

export async function setPassword(words: string[], flags: UserPasswdFlags & GlobalFlags, io: Io): Promise<void> {
  const username = parsed(Username, word(words, 'the user name'))
  const ttl = parseDuration('--ttl', flags.ttl)
  await atDesk(flags, io, async (desk) => {
    const { password, isGenerated } = await chosenPassword(flags, desk.passwordMax, io)
    const sent = flags.sendLink ? await credentialsLink(desk, { username, password }, ttl) : null
    try {
      await desk.services.admin.setPassword(username, password, flags.mustChange, LOCAL_CLI)
    } catch (error) {
      await sent?.takeBack()
      throw error
    }
    io.note(`${username} has another password, and is signed out everywhere`)
    const told = sent ? { link: sent.link } : isGenerated ? { password } : {}
    if (flags.json) return io.write(`${JSON.stringify({ username, ...told })}\n`)
    for (const result of Object.values(told)) await io.write(`${result}\n`)
  })
}

export async function deleteAccount(words: string[], flags: UserDeleteFlags & GlobalFlags, io: Io): Promise<void> {
  const username = parsed(Username, word(words, 'the user name'))
  await atDesk(flags, io, async (desk) => {
    await confirm(desk, username, flags, io)
    await desk.services.admin.remove(username, LOCAL_CLI)
    if (flags.json) await io.write(`${JSON.stringify({ username, action: 'deleted' })}\n`)
    io.note(`deleted ${username}`)
  })
}

/** By the name, not by a yes: nothing brings a user back. */
async function confirm({ storage }: Desk, username: string, flags: UserDeleteFlags, io: Io): Promise<void> {
  if (!(await storage.users.find(username))) throw new CliError('gone', 'there is no such user')
  let typed = flags.confirm
  if (typed === undefined) {
    if (!io.canAsk) throw new CliError('usage', 'deleting a user has to be confirmed', `use --confirm ${username}`)
    typed = await io.ask(`${username} goes with all their secrets. Type the name to delete them:`, '')
  }
  if (typed !== username) throw new CliError('interrupted', 'that is another name: nothing was deleted')
}
