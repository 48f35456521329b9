/** Verification of e-mail addresses: a link that works once, for a day, and only for the address that got it. */
import { createHash } from 'node:crypto'
import type { Audit } from '../contracts/audit.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { EmailVerificationStore } from '../contracts/email-verifications.js'
import type { LimitStore } from '../contracts/limits.js'
import type { User, UserStore } from '../contracts/users.js'
import type { EventService } from '../events/event-service.js'
import { AppError } from '../lib/errors.js'
import { preferredLanguage } from '../lib/language.js'
import type { LimitsService } from '../rate-limits/rate-limit-service.js'
import { verificationEvents } from './durable-account-events.js'
import { createLinkToken, hashLinkToken } from './link-token.js'

/** Lifetime of a link. */
const LINK_MS = 24 * 60 * 60_000

/** Time between two reminders. */
const REMINDER_MS = 7 * LINK_MS

interface Deps {
  /** Undefined: the storage has none. */
  store: EmailVerificationStore | undefined
  /** Whether a plugin sends notifications. */
  canNotify: boolean
  users: Pick<UserStore, 'get'>
  limits: Pick<LimitsService, 'tryConsume'>
  counters: Pick<LimitStore, 'consume'>
  events: Pick<EventService, 'create' | 'store'>
  audit: Audit
  /** Epoch ms. */
  now: () => number
}

export interface EmailVerificationService {
  /** False: this instance cannot verify addresses, so it requires no verified ones. */
  isEnabled: boolean
  /**
   * Sends a link to the address of a user, unless it is verified. An address gets few messages, and the caller is not told when it
   * gets no more. `acceptLanguage`: header of the request.
   */
  send(user: User, caller: AuthContext, acceptLanguage?: string): Promise<void>
  /** Sends a link to the address of the caller. Throws AppError `auth.required`, or `request.invalid` if it is not enabled. */
  sendToSelf(caller: AuthContext, acceptLanguage: string | undefined): Promise<void>
  /** Sends a link to a user who misses a notification because the address is not verified; up to one a week. */
  remind(user: User): Promise<void>
  /** Marks an address as verified with the token of a link. Throws AppError `auth.verification_link`. */
  verify(token: string, caller: AuthContext): Promise<void>
}

export function emailVerificationService(deps: Deps): EmailVerificationService {
  const { store, users, limits, counters, events, audit, now } = deps
  const isEnabled = store !== undefined && deps.canNotify

  async function send(user: User, caller: AuthContext, acceptLanguage = ''): Promise<void> {
    if (!isEnabled || user.emailVerified !== null) return
    const allowed = await limits.tryConsume('verification-email', caller, user.email)
    if (allowed?.granted === false) return
    events.store(verificationEvents(events, user.id, preferredLanguage(acceptLanguage)))
  }

  return {
    isEnabled,
    send,

    async sendToSelf(caller, acceptLanguage) {
      if (!isEnabled) throw new AppError('request.invalid', { message: 'This server sends no e-mail.' })
      const user = caller.userId === null ? null : await users.get(caller.userId)
      if (!user) throw new AppError('auth.required')
      await send(user, caller, acceptLanguage)
    },

    async remind({ id, language }) {
      const name = `remind${createHash('sha256').update(id).digest('hex').slice(0, 48)}`
      const [result] = await counters.consume([{ name, points: 1, limit: 1, windowMs: REMINDER_MS }], now())
      if (result?.granted) events.store(verificationEvents(events, id, language))
    },

    async verify(token, caller) {
      const user = await store?.use(hashLinkToken(token), now())
      if (!user) throw new AppError('auth.verification_link')
      await audit({ action: 'account.verified', caller, subject: user.username })
    },
  }
}

/** Stores a new verification, and returns the URL of its link. Throws AppError `storage.conflict` for an unknown user. */
export async function createVerificationLink(
  store: EmailVerificationStore,
  { user: { id: userId, email }, publicUrl, now }: { user: User; publicUrl: string; now: number },
): Promise<{ url: string; expiresAt: number }> {
  const { token, hash } = createLinkToken()
  const expiresAt = now + LINK_MS
  await store.create({ hash, userId, email, expiresAt })
  return { url: `${publicUrl}/verify-email#${token}`, expiresAt }
}
