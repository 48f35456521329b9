/** `mayfly user list`, `passwd` and `delete`. */
import { LOCAL_CLI, setUserPassword } from '#core/runtime'
import type { ListedUser } from '#shared/api'
import { TAKE_MAX } from '#shared/limits'
import type { Administration } from '../../instance/administration.js'
import { toLocalAdministration } from '../../instance/local-administration.js'
import { withLocalApp } from '../../instance/local-app.js'
import { type AdminFlags, assertLocal, withAdministration } from '../../instance/with-administration.js'
import { CliError } from '../../lib/cli-error.js'
import { parseDuration } from '../../output/duration.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { formatCount } from '../../output/sanitize.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { type PageFlags, parsePage } from '../parse-page.js'
import { type KeepFlags, parseKeep } from './access.js'
import { type AccountPasswordFlags, parseUsername, resolveAccountPassword } from './account-input.js'
import { createCredentialsLink } from './credentials-link.js'

export interface UserPasswdFlags extends AdminFlags, AccountPasswordFlags, KeepFlags {
  mustChange: boolean
  sendLink?: true
  ttl: string
}

export interface UserListFlags extends AdminFlags, ListFlags, PageFlags {
  role?: 'user' | 'admin'
  search?: string
  all?: true
  factors?: true
}

export interface UserDeleteFlags extends AdminFlags {
  confirm?: string
}

export async function listUsers(flags: UserListFlags & GlobalFlags, io: Io): Promise<void> {
  const { search = '', role } = flags
  const page = parsePage(flags)
  await withAdministration(flags, io, async (administration) => {
    const filter = { search, ...(role === undefined ? {} : { role }) }
    const { users, total } = await administration.listUsers({ ...filter, ...page })
    while (flags.all && users.length < total - page.skip) {
      const next = await administration.listUsers({ ...filter, skip: page.skip + users.length, take: TAKE_MAX })
      if (next.users.length === 0) break
      users.push(...next.users)
    }
    await io.write(formatList(users.map(toRow), flags.factors ? FACTOR_COLUMNS : COLUMNS, flags, io))
    if (users.length < total) io.note(`${users.length} of ${formatCount(total, 'user')}`)
  })
}

const COLUMNS = ['username', 'email', 'role', 'secrets', 'created_at', 'email_verified', 'last_sign_in', 'suspended_at']
const FACTOR_COLUMNS = ['username', 'role', 'passkeys', 'authenticator', 'grace_ends_at', 'last_sign_in']

function toRow({ username, email, role, secrets, passkeys, authenticator, ...user }: ListedUser) {
  const { generated, createdAt, ...times } = user
  return {
    username,
    email,
    email_verified: formatTime(times.emailVerified),
    role,
    groups: user.groups,
    secrets,
    passkeys,
    authenticator,
    grace_ends_at: formatTime(times.graceEndsAt),
    must_change_password: generated,
    created_at: formatTime(createdAt),
    last_sign_in: formatTime(times.signedInAt),
    suspended_at: formatTime(times.suspendedAt),
  }
}

export async function setPassword(words: string[], flags: UserPasswdFlags & GlobalFlags, io: Io): Promise<void> {
  const username = parseUsername(words)
  assertLocal(flags, 'passwords are set')
  const ttl = parseDuration('--ttl', flags.ttl)
  await withLocalApp(flags, io, async (app) => {
    const { password, isGenerated } = await resolveAccountPassword(flags, app.passwordMax, io)
    const sent = flags.sendLink
      ? await createCredentialsLink(toLocalAdministration(app), { username, password }, ttl)
      : null
    try {
      const wanted = { password, mustChangePassword: flags.mustChange, keep: parseKeep(flags.except) }
      await setUserPassword(app, username, wanted, LOCAL_CLI)
    } catch (error) {
      await sent?.burn()
      throw error
    }
    io.note(`changed the password of ${username} and locked everyone else out`)
    const credentials = sent ? { link: sent.link } : isGenerated ? { password } : {}
    if (flags.json) return io.writeJson({ username, ...credentials })
    for (const result of Object.values(credentials)) await io.write(`${result}\n`)
  })
}

export async function deleteUser(words: string[], flags: UserDeleteFlags & GlobalFlags, io: Io): Promise<void> {
  const username = parseUsername(words)
  await withAdministration(flags, io, async (administration) => {
    await confirm(administration, username, flags, io)
    await administration.removeUser(username)
    if (flags.json) await io.writeJson({ username, action: 'deleted' })
    io.note(`deleted ${username}`)
  })
}

/** Asks for the user name instead of yes, because a deletion cannot be undone. */
async function confirm(
  administration: Administration,
  username: string,
  flags: UserDeleteFlags,
  io: Io,
): Promise<void> {
  if (!(await administration.findUser(username))) throw new CliError('gone', 'user not found')
  let typed = flags.confirm
  if (typed === undefined) {
    if (!io.canPrompt) throw new CliError('usage', 'deleting a user must be confirmed', `use --confirm ${username}`)
    typed = await io.promptText(
      `This deletes ${username} and all secrets of this user. Type the user name to confirm:`,
      '',
    )
  }
  if (typed !== username) throw new CliError('interrupted', 'wrong user name, nothing was deleted')
}
