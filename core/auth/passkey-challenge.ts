/** Challenges for passkeys: an encrypted cookie that is accepted once. */
import { randomBytes } from 'node:crypto'
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { User } from '../contracts/users.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { encryptedCookie } from './encrypted-cookie.js'

/** How long a user may take to confirm. */
export const CHALLENGE_MS = 5 * 60_000

/** Purpose of a challenge. It is refused for any other purpose. */
export interface ChallengeUse {
  purpose: 'registration' | 'sign-in' | 'second-step' | 'proof'
  /** null: any user. */
  userId: string | null
  /** null: without a session. */
  sessionId: string | null
}

/** Of a user in the session of the caller, if it has one. */
export const challengeUse = (
  purpose: ChallengeUse['purpose'],
  { id: userId }: User,
  { sessionId }: AuthContext,
): ChallengeUse => ({ purpose, userId, sessionId })

interface StoredChallenge extends ChallengeUse {
  challenge: string
  endsAt: EpochMs
}

/** 32 random bytes as base64url, and the cookie. */
export function createChallenge(app: App, use: ChallengeUse): { challenge: string; cookie: string } {
  const challenge = randomBytes(32).toString('base64url')
  const stored: StoredChallenge = { ...use, challenge, endsAt: app.now() + CHALLENGE_MS }
  return { challenge, cookie: cookieOf(app).write(stored) }
}

/** The challenge of a cookie. Null if it is forged, expired, used, or has another purpose. */
export async function takeChallenge(app: App, cookie: string | null, use: ChallengeUse): Promise<string | null> {
  const stored = cookieOf(app).read(cookie)
  if (!stored || stored.endsAt <= app.now()) return null
  const { purpose, userId, sessionId } = use
  if (stored.purpose !== purpose || stored.userId !== userId || stored.sessionId !== sessionId) return null
  return (await app.limits.takeOnce('challenge', stored.challenge, CHALLENGE_MS)) ? stored.challenge : null
}

const cookieOf = (app: App) => encryptedCookie<StoredChallenge>(app, 'passkey-challenge')
