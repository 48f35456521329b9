import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { Role, User } from '../contracts/users.js'
import { createEvents } from '../events/durable-events.js'
import { AppError, isAppError } from '../lib/errors.js'
import { newId } from '../lib/random-token.js'
import type { SignUp } from '../shared/api/index.js'
import { sortGroups } from '../shared/policies.js'
import { userCreatedFacts } from './account-facts.js'
import { NEW_ACCOUNT } from './account-mapping.js'
import { assertCanSignUp, assertEmailAllowed } from './account-policy.js'
import { sendVerification } from './email-verification.js'
import { assertPasswordAllowed } from './password-policy.js'
import type { RequestHeaders } from './request-headers.js'
import type { OpenedSession } from './sessions.js'
import { LOCAL, openAuditedSession } from './sign-in.js'
import { hasLocalPasswords } from './sign-in-methods.js'

export interface NewUser {
  username: string
  email: string
  password: string
  role: Role
  /** The user should change the password. */
  generated: boolean
  /** The address counts as verified. Default: false. */
  emailVerified?: boolean
  /** Names of groups for policies. Default: none. */
  groups?: string[]
}

/**
 * Creates an account of role `user`, signs in, and sends a link that verifies the address. Throws AppError `auth.*`,
 * `user.name_taken` or `user.email_taken`.
 */
export async function signUp(
  app: App,
  body: SignUp,
  caller: AuthContext,
  { client, acceptLanguage }: RequestHeaders,
): Promise<OpenedSession> {
  assertCanSignUp(await app.settings.current())
  if (!hasLocalPasswords(app)) throw new AppError('auth.sign_up_disabled')
  const user = await createAccount(app, { ...body, role: 'user', generated: false })
  await app.audit.note({ action: 'user.created', caller, subject: user.username })
  await sendVerification(app, user, caller, acceptLanguage)
  return openAuditedSession(app, user, caller, { client, level: 1 })
}

/**
 * Creates an account with a password. The caller checks permissions before. `unlessAdmin`: throws `storage.conflict`
 * when an administrator exists. Throws AppError `auth.email_domain`, `auth.password_common`, `request.invalid`,
 * `user.name_taken` or `user.email_taken`.
 */
export async function createAccount(
  app: App,
  { username, email, password, role, generated, emailVerified = false, groups = [] }: NewUser,
  options: { unlessAdmin?: boolean } = {},
): Promise<User> {
  assertEmailAllowed(email, await app.settings.current())
  await assertPasswordAllowed({ password, username, role, field: 'password' }, app.config)
  // Checked before the slow hash. The storage checks again.
  await assertFree(app, username, email)
  const id = newId()
  const passwordHash = await app.hasher.hash(password)
  const user: User = {
    id,
    username,
    email,
    passwordHash,
    role,
    mustChangePassword: generated,
    createdAt: app.now(),
    ...NEW_ACCOUNT,
    emailVerified: emailVerified ? app.now() : null,
    assignedGroups: sortGroups(groups),
  }
  await app.storage.users
    .create(user, { ...options, events: createEvents(app, userCreatedFacts(id, LOCAL)) })
    .catch(async (error) => {
      if (isAppError(error, 'storage.conflict')) await assertFree(app, username, email)
      throw error
    })
  await app.emit('user.created', { userId: id, provider: LOCAL })
  return user
}

async function assertFree(app: App, username: string, email: string): Promise<void> {
  if (await app.storage.users.find(username)) throw new AppError('user.name_taken', { field: 'username' })
  if (await app.storage.users.findByEmail(email)) throw new AppError('user.email_taken', { field: 'email' })
}
