/** Maps an external identity to an account: the linked one, or a new one. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Audit } from '../contracts/audit.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { AuthProvider, Identity } from '../contracts/auth-provider.js'
import type { Emit } from '../contracts/events.js'
import type { User, UserStore } from '../contracts/users.js'
import type { EventService } from '../events/event-service.js'
import { AppError, isAppError } from '../lib/errors.js'
import type { SettingsService } from '../settings/settings-service.js'
import { Email } from '../shared/api/index.js'
import { NEW_ACCOUNT } from './account-mapping.js'
import { assertCanSignUp, assertEmailAllowed } from './account-policy.js'
import { userCreatedEvents } from './durable-account-events.js'
import { suggestUsernames } from './suggest-username.js'

export interface IdentityDeps {
  users: UserStore
  /** The configured auth providers. */
  getProviders: () => AuthProvider[]
  instance: SettingsService
  emit: Emit
  events: Pick<EventService, 'create'>
  audit: Audit
  /** Called after webhooks may have been deleted: updates the index of webhooks in all processes. */
  updateWebhooks: () => Promise<void>
  /** Epoch ms. */
  now: () => number
}

/** Data of a provider is validated like user input. */
const identitySchema = z.object({
  subject: z
    .string()
    .min(1)
    .max(255)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text)),
  username: z.string(),
  email: Email,
  role: z.enum(['user', 'admin']).optional(),
})
export type ParsedIdentity = z.output<typeof identitySchema>

/** Throws AppError `auth.refused` for invalid data. */
export function parseIdentity(asserted: Identity): ParsedIdentity {
  const { success, data } = identitySchema.safeParse(asserted)
  if (!success) throw new AppError('auth.refused')
  return data
}

/**
 * Finds or creates the account of an identity. An existing account with the same e-mail address is linked only when the
 * provider has `linkByEmail`. Throws AppError `auth.refused`, `auth.account_exists`, or what prevents a sign-up.
 */
export async function resolveIdentity(
  deps: IdentityDeps,
  provider: AuthProvider,
  asserted: Identity,
  caller: AuthContext,
): Promise<User> {
  const { users } = deps
  const identity = parseIdentity(asserted)
  const names = suggestUsernames([identity.username, identity.email])
  for (;;) {
    // By address first: an account that is created between both reads already has its identity, and is found by it.
    const sameEmail = await users.findByEmail(identity.email)
    const linked = await users.findByIdentity({ provider: provider.id, subject: identity.subject })
    if (linked) return updateRole(deps, await verifyEmail(deps, linked, identity), identity, { provider, caller })
    if (sameEmail && !provider.linkByEmail) throw new AppError('auth.account_exists')
    try {
      if (!sameEmail) return await createUser(deps, names, identity, { provider, caller })
      await takeOver(deps, sameEmail, identity, { provider, caller })
      await verifyEmail(deps, sameEmail, identity)
    } catch (error) {
      // The storage decides about races for a name, an address or an identity. The next round sees the result.
      if (!isAppError(error, 'storage.conflict')) throw error
    }
  }
}

/** The provider has verified its address: if the user has the same one, it is verified. */
export async function verifyEmail(
  { users, now }: Pick<IdentityDeps, 'users' | 'now'>,
  user: User,
  { email }: ParsedIdentity,
): Promise<User> {
  if (user.emailVerified !== null || user.email !== email) return user
  return (await users.update(user.id, { emailVerified: now() }, { ifEmail: email })) ?? user
}

interface Origin {
  provider: AuthProvider
  caller: AuthContext
}

/** Links an identity to an account. Throws AppError `storage.conflict` when it is linked to another one. */
export async function linkIdentity(
  { users, audit }: IdentityDeps,
  { id, username }: User,
  { subject }: ParsedIdentity,
  { provider, caller }: Origin,
): Promise<void> {
  await users.link(id, { provider: provider.id, subject })
  await audit({ action: 'account.linked', caller, subject: username, detail: { provider: provider.id } })
}

/** Throws AppError `storage.conflict` when the next name is taken. */
async function createUser(
  { users, instance, audit, emit, events, now }: IdentityDeps,
  names: Generator<string>,
  { subject, email, role = 'user' }: ParsedIdentity,
  { provider, caller }: Origin,
): Promise<User> {
  if (!provider.signUp) throw new AppError('auth.sign_up_disabled')
  const settings = await instance.current()
  assertCanSignUp(settings)
  assertEmailAllowed(email, settings)
  const id = randomBytes(16).toString('base64url')
  const username = takeNext(names)
  const user: User = {
    id,
    username,
    email,
    role,
    passwordHash: null,
    mustChangePassword: false,
    createdAt: now(),
    ...NEW_ACCOUNT,
    // A provider asserts verified addresses only.
    emailVerified: now(),
  }
  await users.create(user, {
    identity: { provider: provider.id, subject },
    events: userCreatedEvents(events, id, provider.id),
  })
  await audit({ action: 'account.created', caller, subject: username, detail: { provider: provider.id, role } })
  await emit('user:created', { id, username, provider: provider.id })
  return user
}

/**
 * Links an identity to an account with the same address. The account may have been created by someone who does not own the
 * address, so its password, other identities, sessions, API tokens, links in e-mails and webhooks are removed.
 */
async function takeOver(
  { users, audit, updateWebhooks }: IdentityDeps,
  { id, username }: User,
  { subject }: ParsedIdentity,
  { provider, caller }: Origin,
): Promise<void> {
  await users.takeOver(id, { provider: provider.id, subject })
  await audit({ action: 'account.linked', caller, subject: username, detail: { provider: provider.id } })
  await updateWebhooks()
}

/**
 * Applies the role that the provider asserts, if it asserts one. A new role ends every session. The last administrator keeps
 * the role. A new administrator with a local password has to change it first.
 */
async function updateRole(
  { users, audit }: IdentityDeps,
  user: User,
  { role }: ParsedIdentity,
  { provider, caller }: Origin,
): Promise<User> {
  if (role === undefined || role === user.role) return user
  const note = { caller, subject: user.username, detail: { provider: provider.id, role } }
  try {
    // A user may have a password that is too short for an administrator.
    const mustChangePassword = user.mustChangePassword || (role === 'admin' && user.passwordHash !== null)
    const changed = await users.update(user.id, { role, mustChangePassword }, { endSessions: {} })
    if (!changed) throw new AppError('auth.refused')
    await audit({ action: 'user.changed', ...note })
    return changed
  } catch (error) {
    if (!isAppError(error, 'user.last_admin')) throw error
    await audit({ action: 'user.role_kept', ...note })
    return user
  }
}

/** Throws AppError `user.name_taken` after the last name. */
function takeNext(names: Generator<string>): string {
  const { value, done } = names.next()
  if (done) throw new AppError('user.name_taken')
  return value
}
