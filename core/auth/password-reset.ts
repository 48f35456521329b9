/** Password reset by e-mail: a link that works once, for an hour. */
import type { AuthContext } from '../contracts/auth-context.js'
import type { PasswordResetStore } from '../contracts/password-resets.js'
import type { User } from '../contracts/users.js'
import { AppError } from '../lib/errors.js'
import { preferredLanguage } from '../lib/language.js'
import type { LimitsService } from '../rate-limits/rate-limit-service.js'
import type { RequestReset, ResetPassword } from '../shared/api/index.js'
import type { AccountDeps } from './account-deps.js'
import { passwordResetEvents } from './durable-account-events.js'
import { createLinkToken, hashLinkToken } from './link-token.js'
import { assertPasswordAllowed } from './password-policy.js'
import { hasLocalPasswords } from './sign-in-methods.js'

const HOUR_MS = 60 * 60_000
/** Lifetime of a link. */
const RESET_MS = HOUR_MS

interface Deps
  extends Pick<AccountDeps, 'users' | 'getProviders' | 'settings' | 'hasher' | 'events' | 'audit' | 'now'> {
  /** Undefined: the storage has none. */
  store: PasswordResetStore | undefined
  limits: Pick<LimitsService, 'tryConsume'>
  /** Whether a plugin sends notifications. */
  canNotify: boolean
  /** Stores events that belong to no change. */
  storeEvents(events: ReturnType<typeof passwordResetEvents>): void
}

export interface PasswordResetService {
  /** False: this instance sends no links, or has no passwords of its own. */
  isEnabled(): boolean
  /**
   * Sends a link to the account with this address, if it has a password. Resolves in the same way for every address. Throws
   * AppError `request.invalid` if it is not enabled.
   */
  request(body: RequestReset, caller: AuthContext, acceptLanguage: string | undefined): Promise<void>
  /** Sets a new password. Throws AppError `auth.reset_link`, `auth.password_common` or `request.invalid`. */
  reset(body: ResetPassword, caller: AuthContext): Promise<void>
}

export function passwordResetService(deps: Deps): PasswordResetService {
  const { store, users, settings, hasher, events, limits, audit, now } = deps
  const isEnabled = () => store !== undefined && deps.canNotify && hasLocalPasswords(deps)
  return {
    isEnabled,

    async request({ email }, caller, acceptLanguage = '') {
      if (!isEnabled()) throw new AppError('request.invalid', { message: 'This server sends no e-mail.' })
      // An address gets few messages, and the response does not say when it gets no more.
      const allowed = await limits.tryConsume('password-reset-email', caller, email)
      const user = await users.findByEmail(email)
      if (!user || user.passwordHash === null || allowed?.granted === false) return
      deps.storeEvents(passwordResetEvents(events, user.id, preferredLanguage(acceptLanguage)))
      await audit({ action: 'account.reset_requested', caller, subject: user.username })
    },

    async reset({ token, newPassword: password }, caller) {
      const hash = hashLinkToken(token)
      const user = await store?.find(hash, now())
      if (!user) throw new AppError('auth.reset_link')
      const { username, role } = user
      await assertPasswordAllowed({ password, username, role, field: 'newPassword' }, settings)
      const changed = await store?.use(hash, await hasher.hash(password), now())
      if (!changed) throw new AppError('auth.reset_link')
      await audit({ action: 'account.reset', caller, subject: username })
    },
  }
}

/** Stores a new reset, and returns the URL of its link. Throws AppError `storage.conflict` for an unknown user. */
export async function createResetLink(
  store: PasswordResetStore,
  { user: { id: userId, email }, publicUrl, now }: { user: User; publicUrl: string; now: number },
): Promise<{ url: string; expiresAt: number }> {
  const { token, hash } = createLinkToken()
  const expiresAt = now + RESET_MS
  await store.create({ hash, userId, email, expiresAt })
  return { url: `${publicUrl}/reset-password#${token}`, expiresAt }
}
