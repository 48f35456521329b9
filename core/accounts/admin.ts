/** What administrators do with the accounts of others. They can end and delete what is there, and read none of it. */
import type { AuthContext } from '../caller.js'
import type { Audit } from '../contracts/audit.js'
import type { SessionStore } from '../contracts/sessions.js'
import type { Role, User, UserChanges, UserStore } from '../contracts/users.js'
import { AppError } from '../errors.js'
import type { SettingsService } from '../settings/service.js'
import type { Account, UpdateUser, Users } from '../shared/api.js'
import { checkEmail } from './entry.js'
import { type AccountsService, accountOf, fieldsOf, type NewUser, taken } from './service.js'

interface Parts {
  users: UserStore
  sessions: SessionStore
  accounts: AccountsService
  instance: SettingsService
  audit: Audit
  /** Epoch ms. */
  now: () => number
}

/** Which accounts to list. */
interface ListUsers {
  /** Part of a name or an address. */
  search: string
  role?: Role | undefined
  skip: number
  take: number
}

export type AdminService = ReturnType<typeof adminService>

export function adminService({ users, sessions, accounts, instance, audit, now }: Parts) {
  async function named(username: string): Promise<User> {
    const user = await users.find(username)
    if (!user) throw new AppError('user.not_found', { field: 'username' })
    return user
  }

  async function list({ search, role, skip, take }: ListUsers): Promise<Users> {
    const filter = { ...(search === '' ? {} : { search }), ...(role === undefined ? {} : { role }) }
    const found = await users.list(filter, { skip, take }, now())
    return {
      users: found.users.map((user) => ({ ...accountOf(user), secrets: user.secrets })),
      total: found.total,
    }
  }

  /** Also where people cannot sign up themselves. */
  async function create(wanted: NewUser, caller: AuthContext): Promise<Account> {
    const user = await accounts.create(wanted)
    await audit({ action: 'user.created', caller, subject: user.username, detail: { role: user.role } })
    return accountOf(user)
  }

  /**
   * Another role ends every session of theirs. A new administrator should choose another password: theirs may be shorter
   * than those of administrators, which nobody can see. Throws AppError `user.*` or `auth.email_domain`.
   */
  async function update({ username, email, role }: UpdateUser, caller: AuthContext): Promise<Account> {
    const user = await named(username)
    const changes: UserChanges = {}
    if (email !== undefined && email !== user.email) {
      checkEmail(email, await instance.current())
      changes.email = email
    }
    if (role !== undefined && role !== user.role) changes.role = role
    if (changes.role === 'admin' && user.passwordHash !== null) changes.generated = true
    if (Object.keys(changes).length === 0) return accountOf(user)
    const options = changes.role === undefined ? {} : { endSessions: {} }
    const changed = await users.update(user.id, changes, options).catch(taken)
    if (!changed) throw new AppError('user.not_found', { field: 'username' })
    const detail = { fields: fieldsOf(changes), ...(changes.role === undefined ? {} : { role: changes.role }) }
    await audit({ action: 'user.changed', caller, subject: username, detail })
    return accountOf(changed)
  }

  /** Ends every session of theirs. `isGenerated`: they should change it. Throws AppError `user.not_found` or as a new account does. */
  async function setPassword(
    username: string,
    password: string,
    isGenerated: boolean,
    by: AuthContext,
  ): Promise<Account> {
    const changed = await accounts.setPassword(await named(username), password, isGenerated)
    await audit({ action: 'user.changed', caller: by, subject: username, detail: { fields: 'password' } })
    return accountOf(changed)
  }

  /** Throws AppError `user.not_found` or `user.last_admin`. */
  async function remove(username: string, caller: AuthContext): Promise<Account> {
    const user = await named(username)
    await accounts.destroy(user, caller)
    return accountOf(user)
  }

  /** Answers how many. */
  async function endSessions(username: string, caller: AuthContext): Promise<number> {
    const user = await named(username)
    const ended = await sessions.endAll(user.id)
    await audit({ action: 'session.ended', caller, subject: username, detail: { sessions: ended } })
    return ended
  }

  return { list, create, update, setPassword, remove, endSessions }
}
