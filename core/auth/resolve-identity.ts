/** Maps an external identity to an account: the linked one, or a new one. */

import { z } from 'zod'
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { AuthProvider, Identity } from '../contracts/auth-provider.js'
import type { User } from '../contracts/users.js'
import { createEvents, storeEvents } from '../events/durable-events.js'
import { AppError, isAppError } from '../lib/errors.js'
import { newId } from '../lib/random-token.js'
import { Email } from '../shared/api/index.js'
import { securityFacts, userCreatedFacts } from './account-facts.js'
import { NEW_ACCOUNT } from './account-mapping.js'
import { assertCanSignUp, assertEmailAllowed } from './account-policy.js'
import { suggestUsernames } from './suggest-username.js'
import { selectGroups, updateGroups } from './user-groups.js'

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
  canCreate: z.boolean().optional(),
  groups: z.array(z.string()).optional(),
  secondFactor: z.boolean().optional(),
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
 * provider has `linkByEmail`. Throws AppError `auth.refused`, `auth.account_exists`, or the error of a refused sign-up.
 */
export async function resolveIdentity(
  app: App,
  provider: AuthProvider,
  asserted: Identity,
  caller: AuthContext,
): Promise<User> {
  const { users } = app.storage
  const identity = parseIdentity(asserted)
  const names = suggestUsernames([identity.username, identity.email])
  for (;;) {
    // By address first: an account that is created between both reads already has its identity, and is found by it.
    const sameEmail = await users.findByEmail(identity.email)
    const linked = await users.findByIdentity({ provider: provider.id, subject: identity.subject })
    if (linked) {
      const user = await updateRole(app, await verifyEmail(app, linked, identity), identity, { provider, caller })
      return updateGroups(app, await updateCreation(app, user, identity, { provider, caller }), identity, provider.id)
    }
    if (sameEmail && !provider.linkByEmail) throw new AppError('auth.account_exists')
    try {
      if (!sameEmail) return await createUser(app, names, identity, { provider, caller })
      await takeOver(app, sameEmail, identity, { provider, caller })
      await verifyEmail(app, sameEmail, identity)
      // After the address is verified, so that the message goes to it.
      await storeEvents(app, securityFacts(sameEmail.id, 'identity'))
    } catch (error) {
      // The storage decides races for a name, an address or an identity. The next round reads the result.
      if (!isAppError(error, 'storage.conflict')) throw error
    }
  }
}

/** The provider has verified its address: if the user has the same one, it is verified. */
export async function verifyEmail(app: App, user: User, { email }: ParsedIdentity): Promise<User> {
  if (user.emailVerified !== null || user.email !== email) return user
  return (await app.storage.users.update(user.id, { emailVerified: app.now() }, { ifEmail: email })) ?? user
}

interface Origin {
  provider: AuthProvider
  caller: AuthContext
}

/** Links an identity to an account. Throws AppError `storage.conflict` when it is linked to another one. */
export async function linkIdentity(
  app: App,
  { id, username, epoch }: User,
  { subject }: ParsedIdentity,
  { provider, caller }: Origin,
): Promise<void> {
  await app.storage.users.link(id, { provider: provider.id, subject, createdAt: app.now() }, epoch)
  await storeEvents(app, securityFacts(id, 'identity'))
  await app.audit.note({ action: 'account.linked', caller, subject: username, detail: { provider: provider.id } })
}

/** Throws AppError `storage.conflict` when the next name is taken. */
async function createUser(
  app: App,
  names: Generator<string>,
  { subject, email, role = 'user', canCreate = false, groups = [] }: ParsedIdentity,
  { provider, caller }: Origin,
): Promise<User> {
  if (!provider.signUp) throw new AppError('auth.sign_up_disabled')
  const settings = await app.settings.current()
  assertCanSignUp(settings)
  assertEmailAllowed(email, settings)
  const id = newId()
  const username = takeNext(names)
  const user: User = {
    id,
    username,
    email,
    role,
    passwordHash: null,
    mustChangePassword: false,
    createdAt: app.now(),
    ...NEW_ACCOUNT,
    // A provider asserts verified addresses only.
    emailVerified: app.now(),
    creationDeniedBy: provider.decidesCreation && !canCreate ? provider.id : null,
    groups: selectGroups(groups, provider.id, settings),
  }
  await app.storage.users.create(user, {
    identity: { provider: provider.id, subject, createdAt: app.now() },
    events: createEvents(app, userCreatedFacts(id, provider.id)),
  })
  await app.audit.note({
    action: 'user.created',
    caller,
    subject: username,
    detail: { provider: provider.id, role },
  })
  await app.emit('user.created', { userId: id, provider: provider.id })
  return user
}

/**
 * Links an identity to an account with the same address. The account may have been created by someone who does not own
 * the address, so its password, other identities, sessions, API tokens, links in e-mails and webhooks are removed.
 */
async function takeOver(
  app: App,
  { id, username }: User,
  { subject }: ParsedIdentity,
  { provider, caller }: Origin,
): Promise<void> {
  await app.storage.users.takeOver(id, { provider: provider.id, subject, createdAt: app.now() })
  await app.audit.note({ action: 'account.linked', caller, subject: username, detail: { provider: provider.id } })
  await app.webhooks.invalidate()
}

/**
 * Applies the role that the provider asserts, if it asserts one. A new role ends every session. The last administrator
 * keeps the role. A new administrator with a local password has to change it first.
 */
async function updateRole(app: App, user: User, { role }: ParsedIdentity, { provider, caller }: Origin): Promise<User> {
  if (role === undefined || role === user.role) return user
  const note = { caller, subject: user.username, detail: { provider: provider.id, role } }
  try {
    // A user may have a password that is too short for an administrator.
    const mustChangePassword = user.mustChangePassword || (role === 'admin' && user.passwordHash !== null)
    const changed = await app.storage.users.update(
      user.id,
      { role, mustChangePassword },
      { endSessions: {}, events: createEvents(app, securityFacts(user.id, 'role')) },
    )
    if (!changed) throw new AppError('auth.refused')
    await app.audit.note({ action: 'user.changed', ...note })
    return changed
  } catch (error) {
    if (!isAppError(error, 'user.last_admin')) throw error
    await app.audit.note({ action: 'user.role_kept', ...note })
    return user
  }
}

/**
 * Applies the provider's decision about the creation of secrets. Only the provider that denied it can allow it again.
 */
async function updateCreation(
  app: App,
  user: User,
  { canCreate }: ParsedIdentity,
  { provider, caller }: Origin,
): Promise<User> {
  if (!provider.decidesCreation || canCreate === undefined) return user
  const isDenied = user.creationDeniedBy === provider.id
  if (isDenied !== canCreate) return user
  const changed = await app.storage.users.update(user.id, { creationDeniedBy: canCreate ? null : provider.id })
  if (!changed) throw new AppError('auth.refused')
  const detail = { provider: provider.id, creates: canCreate }
  await app.audit.note({ action: 'user.changed', caller, subject: user.username, detail })
  return changed
}

/** Throws AppError `user.name_taken` after the last name. */
function takeNext(names: Generator<string>): string {
  const { value, done } = names.next()
  if (done) throw new AppError('user.name_taken')
  return value
}
