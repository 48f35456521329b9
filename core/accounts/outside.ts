/** From whom a provider vouches for to an account here: the one that is theirs, or a new one. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { AuthContext } from '../caller.js'
import type { Audit } from '../contracts/audit.js'
import type { AuthProvider, Identity } from '../contracts/auth-provider.js'
import type { TokenStore } from '../contracts/tokens.js'
import type { User, UserStore } from '../contracts/users.js'
import { AppError, isAppError } from '../errors.js'
import type { Emit } from '../events.js'
import type { SettingsService } from '../settings/service.js'
import { Email, type Identities } from '../shared/api.js'
import { checkEmail, checkMaySignUp } from './entry.js'
import { LOCAL } from './sign-in.js'
import { usernames } from './username.js'

interface Parts {
  users: UserStore
  tokens: TokenStore
  /** All of this instance. */
  providers: AuthProvider[]
  instance: SettingsService
  emit: Emit
  audit: Audit
  /** Epoch ms. */
  now: () => number
}

export type OutsideService = ReturnType<typeof outsideService>

/** What a provider says is checked like what a stranger says. */
const Vouched = z.object({
  subject: z
    .string()
    .min(1)
    .max(255)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text)),
  username: z.string(),
  email: Email,
  role: z.enum(['user', 'admin']).optional(),
})
type Known = z.output<typeof Vouched>

export function outsideService({ users, tokens, providers, instance, emit, audit, now }: Parts) {
  /**
   * An account that has the same e-mail address is not handed over: see `linkByEmail`. Throws AppError `auth.refused`,
   * `auth.account_exists`, or what keeps people from signing up.
   */
  async function accountOf(provider: AuthProvider, vouched: Identity, caller: AuthContext): Promise<User> {
    const { success, data: identity } = Vouched.safeParse(vouched)
    if (!success) throw new AppError('auth.refused')
    const by = { provider: provider.id, subject: identity.subject }
    const names = usernames([identity.username, identity.email])
    for (;;) {
      // Address first: an account that is made meanwhile has its identity from the start, so it is not taken for another's.
      const other = await users.findByEmail(identity.email)
      const known = await users.findByIdentity(by)
      if (known) return withRole(known, identity.role, provider, caller)
      if (other && !provider.linkByEmail) throw new AppError('auth.account_exists')
      const settings = await instance.current()
      // Whether the name is free is the storage's to say: two who come at once may want the same.
      try {
        if (other) {
          await handOver(other, provider, identity, caller)
          continue
        }
        if (!provider.signUp) throw new AppError('auth.sign_up_disabled')
        checkMaySignUp(settings)
        checkEmail(identity.email, settings)
        return await create(nextOf(names), provider, identity, caller)
      } catch (error) {
        if (!isAppError(error, 'storage.conflict')) throw error
      }
    }
  }

  async function create(username: string, provider: AuthProvider, identity: Known, caller: AuthContext): Promise<User> {
    const { subject, email, role = 'user' } = identity
    const user: User = {
      ...{ id: randomBytes(16).toString('base64url'), username, email, role },
      ...{ passwordHash: null, generated: false, createdAt: now() },
    }
    await users.create(user, { identity: { provider: provider.id, subject } })
    const detail = { provider: provider.id, role }
    await audit({ action: 'account.created', caller, subject: username, detail })
    await emit('user:created', { id: user.id, username, provider: provider.id })
    return user
  }

  /** From now on the identity signs in to this account. Throws AppError `storage.conflict` when it is another's. */
  async function link({ id, username }: User, provider: AuthProvider, { subject }: Known, caller: AuthContext) {
    await users.link(id, { provider: provider.id, subject })
    await audit({ action: 'account.linked', caller, subject: username, detail: { provider: provider.id } })
  }

  /**
   * Nobody here has proved that the address of this account is theirs, and whoever made it with somebody else's must not stay
   * in it: the password, sessions and tokens that it had are gone.
   */
  async function handOver(user: User, provider: AuthProvider, identity: Known, caller: AuthContext): Promise<void> {
    await link(user, provider, identity, caller)
    await users.update(user.id, { passwordHash: null, generated: false }, { endSessions: {} })
    for (const { id } of await tokens.list(user.id, now())) await tokens.remove(id, user.id)
  }

  /** Connects somebody who is signed in. Throws AppError `auth.identity_taken`. */
  async function connect(user: User, provider: AuthProvider, vouched: Identity, caller: AuthContext): Promise<void> {
    const { success, data: identity } = Vouched.safeParse(vouched)
    if (!success) throw new AppError('auth.refused')
    const known = await users.findByIdentity({ provider: provider.id, subject: identity.subject })
    if (known?.id === user.id) return
    await link(user, provider, identity, caller).catch((error) => {
      throw isAppError(error, 'storage.conflict') ? new AppError('auth.identity_taken') : error
    })
  }

  /** Of a provider that is not configured any more, only the id is known. */
  async function connected({ userId }: AuthContext): Promise<Identities> {
    const ids = userId === null ? [] : await users.providersOf(userId)
    const labelOf = (id: string) => providers.find((provider) => provider.id === id)?.redirect?.label ?? ''
    return ids.map((provider) => ({ provider, label: labelOf(provider) }))
  }

  /** Ends every other session, too: nobody knows which of them it opened. Throws AppError `identity.not_found` or `auth.last_way`. */
  async function disconnect(provider: string, caller: AuthContext): Promise<void> {
    const { userId, username, sessionId } = caller
    if (userId === null) throw new AppError('auth.required')
    const ids = providers.map(({ id }) => id)
    const others = { providers: ids, password: ids.includes(LOCAL) }
    const endSessions = sessionId === null ? {} : { except: sessionId }
    if (!(await users.unlink(userId, provider, others, endSessions))) throw new AppError('identity.not_found')
    await audit({ action: 'account.unlinked', caller, subject: username, detail: { provider } })
  }

  /** Where the provider decides, its word holds, and another role ends every session; but somebody has to be left in charge. */
  async function withRole(user: User, role: Known['role'], provider: AuthProvider, caller: AuthContext): Promise<User> {
    if (role === undefined || role === user.role) return user
    const note = { caller, subject: user.username, detail: { provider: provider.id, role } }
    try {
      const changed = await users.update(user.id, { role }, { endSessions: {} })
      if (!changed) throw new AppError('auth.refused')
      await audit({ action: 'user.changed', ...note })
      return changed
    } catch (error) {
      if (!isAppError(error, 'user.last_admin')) throw error
      await audit({ action: 'user.role_kept', ...note })
      return user
    }
  }

  return { accountOf, connect, connected, disconnect }
}

/** Throws AppError `user.name_taken` when there are no more. */
function nextOf(names: Generator<string>): string {
  const { value, done } = names.next()
  if (done) throw new AppError('user.name_taken')
  return value
}
