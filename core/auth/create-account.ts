import { randomBytes } from 'node:crypto'
import type { AuthContext } from '../contracts/auth-context.js'
import type { Role, User, UserStore } from '../contracts/users.js'
import { AppError, isAppError } from '../lib/errors.js'
import type { SignUp } from '../shared/api/index.js'
import type { AccountDeps } from './account-deps.js'
import { NEW_ACCOUNT } from './account-mapping.js'
import { assertCanSignUp, assertEmailAllowed } from './account-policy.js'
import { userCreatedEvents } from './durable-account-events.js'
import { assertPasswordAllowed } from './password-policy.js'
import type { RequestHeaders } from './request-headers.js'
import type { OpenedSession } from './session-service.js'
import { LOCAL } from './sign-in.js'
import { hasLocalPasswords } from './sign-in-methods.js'

export interface NewUser {
  username: string
  email: string
  password: string
  role: Role
  /** The user should change the password. */
  generated: boolean
}

/**
 * Creates an account of role `user`, signs in, and sends a link that verifies the address. Throws AppError `auth.*`, `user.name_taken` or
 * `user.email_taken`.
 */
export async function signUp(
  deps: AccountDeps,
  body: SignUp,
  caller: AuthContext,
  { client, acceptLanguage }: RequestHeaders,
): Promise<OpenedSession> {
  const { instance, audit, signIn, verification } = deps
  assertCanSignUp(await instance.current())
  if (!hasLocalPasswords(deps)) throw new AppError('auth.sign_up_disabled')
  const user = await createAccount(deps, { ...body, role: 'user', generated: false })
  await audit({ action: 'account.created', caller, subject: user.username })
  await verification.send(user, caller, acceptLanguage)
  return signIn.openSession(user, caller, client)
}

/**
 * Creates an account with a password. The caller checks permissions before. `unlessAdmin`: throws `storage.conflict` when an
 * administrator exists. Throws AppError `auth.email_domain`, `auth.password_common`, `request.invalid`, `user.name_taken` or
 * `user.email_taken`.
 */
export async function createAccount(
  { users, instance, settings, hasher, emit, events, now }: AccountDeps,
  { username, email, password, role, generated }: NewUser,
  options: { unlessAdmin?: boolean } = {},
): Promise<User> {
  assertEmailAllowed(email, await instance.current())
  await assertPasswordAllowed({ password, username, role, field: 'password' }, settings)
  // Checked before the slow hash. The storage checks again.
  await assertFree(users, username, email)
  const id = randomBytes(16).toString('base64url')
  const passwordHash = await hasher.hash(password)
  const user: User = {
    id,
    username,
    email,
    passwordHash,
    role,
    mustChangePassword: generated,
    createdAt: now(),
    ...NEW_ACCOUNT,
  }
  await users.create(user, { ...options, events: userCreatedEvents(events, id, LOCAL) }).catch(async (error) => {
    if (isAppError(error, 'storage.conflict')) await assertFree(users, username, email)
    throw error
  })
  await emit('user:created', { id, username, provider: LOCAL })
  return user
}

async function assertFree(users: UserStore, username: string, email: string): Promise<void> {
  if (await users.find(username)) throw new AppError('user.name_taken', { field: 'username' })
  if (await users.findByEmail(email)) throw new AppError('user.email_taken', { field: 'email' })
}
