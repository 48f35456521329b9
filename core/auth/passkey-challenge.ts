/** Challenges for passkeys: an encrypted cookie that is accepted once. */
import { createHash, randomBytes } from 'node:crypto'
import type { App } from '../app.js'
import { createTextCipher } from '../lib/text-cipher.js'
import type { EpochMs } from '../shared/epoch-ms.js'

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

interface StoredChallenge extends ChallengeUse {
  challenge: string
  endsAt: EpochMs
}

/** 32 random bytes as base64url, and the cookie. */
export function createChallenge(app: App, use: ChallengeUse): { challenge: string; cookie: string } {
  const challenge = randomBytes(32).toString('base64url')
  const stored: StoredChallenge = { ...use, challenge, endsAt: app.now() + CHALLENGE_MS }
  return { challenge, cookie: cipherOf(app).encrypt(JSON.stringify(stored)) }
}

/** The challenge of a cookie. Null if it is forged, expired, used, or has another purpose. */
export async function takeChallenge(app: App, cookie: string | null, use: ChallengeUse): Promise<string | null> {
  const text = cookie === null ? null : cipherOf(app).decrypt(cookie)
  const stored: StoredChallenge | null = text === null ? null : JSON.parse(text)
  if (!stored || stored.endsAt <= app.now()) return null
  const { purpose, userId, sessionId } = use
  if (stored.purpose !== purpose || stored.userId !== userId || stored.sessionId !== sessionId) return null
  const mark = `challenge${createHash('sha256').update(stored.challenge).digest('hex').slice(0, 48)}`
  return (await app.limits.takeOnce(mark, CHALLENGE_MS)) ? stored.challenge : null
}

const cipherOf = ({ key }: App) => createTextCipher(key, 'mayfly/v1/passkey-challenge')
