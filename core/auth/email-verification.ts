/** Verification of e-mail addresses: a link that works once, for a day, and only for the address that got it. */
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { User } from '../contracts/users.js'
import { storeEvents } from '../events/durable-events.js'
import { AppError } from '../lib/errors.js'
import { preferredLanguage } from '../lib/language.js'
import type { VerifiedEmail } from '../shared/api/index.js'
import { verificationRequestedFacts } from './account-facts.js'
import { createOneTimeLink, hashLinkToken, type OneTimeLink } from './link-token.js'
import { loadSelf } from './verify-caller.js'

/** Lifetime of a link. */
const LINK_MS = 24 * 60 * 60_000

/** Time between two reminders. */
const REMINDER_MS = 7 * LINK_MS

/**
 * Sends a link to the address of a user, unless it is verified or the instance cannot verify addresses. An address gets
 * few messages, and the response is the same when the limit is reached. `acceptLanguage`: header of the request.
 */
export async function sendVerification(app: App, user: User, caller: AuthContext, acceptLanguage = ''): Promise<void> {
  if (!app.settings.canVerifyEmail || user.emailVerified !== null) return
  const allowed = await app.limits.tryConsume('verification-email', caller, user.email)
  if (allowed?.granted === false) return
  void storeEvents(app, verificationRequestedFacts(user, preferredLanguage(acceptLanguage)))
}

/**
 * Sends a link to the address of the caller. Throws AppError `auth.required`, or `request.invalid` if the instance
 * cannot verify addresses.
 */
export async function sendOwnVerification(
  app: App,
  caller: AuthContext,
  acceptLanguage: string | undefined,
): Promise<void> {
  if (!app.settings.canVerifyEmail) throw new AppError('request.invalid', { message: 'This server sends no e-mail.' })
  await sendVerification(app, await loadSelf(app, caller), caller, acceptLanguage)
}

/** Sends a link to a user who misses a notification because the address is not verified; up to one a week. */
export async function remindToVerify(app: App, user: User): Promise<void> {
  const { id, language } = user
  if (await app.limits.takeOnce('remind', id, REMINDER_MS))
    void storeEvents(app, verificationRequestedFacts(user, language))
}

/** Marks an address as verified with the token of a link, and returns it. Throws AppError `auth.verification_link`. */
export async function verifyAddress(app: App, token: string, caller: AuthContext): Promise<VerifiedEmail> {
  const user = await app.storage.oneTimeLinks.verifyEmail(hashLinkToken(token), app.now())
  if (!user) throw new AppError('auth.verification_link')
  await app.audit.note({ action: 'account.verified', caller, subject: user.username })
  return { email: user.email }
}

/**
 * Stores a new verification, and returns the URL of its link. Throws AppError `storage.conflict` for an unknown user.
 */
export const createVerificationLink = (app: App, user: User): Promise<OneTimeLink> =>
  createOneTimeLink(app, user, { purpose: 'email-verification', page: 'verify-email', lifetimeMs: LINK_MS })
