/** Proof: a recent check of the person behind a session, required before changes by which a thief could stay. */
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { AppError } from '../lib/errors.js'

/** How long a proof counts. */
const PROOF_MS = 10 * 60_000

/**
 * Throws AppError `auth.sign_in_again` without a session that was proven within ten minutes. A reverse proxy
 * authenticates each request, so that always counts as a proof.
 */
export function assertProven(app: App, { sessionId, tokenId, provenAt }: AuthContext): void {
  if (sessionId === null && tokenId === null) return
  if (provenAt === null || app.now() - provenAt >= PROOF_MS) throw new AppError('auth.sign_in_again')
}
