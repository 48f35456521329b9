/** Proof: a recent check of the person behind a session, required before changes by which a thief could stay. */
import type { AuthContext } from '../contracts/auth-context.js'
import { AppError } from '../lib/errors.js'
import type { EpochMs } from '../shared/epoch-ms.js'

/** How long a proof counts. */
const PROOF_MS = 10 * 60_000

/** `with-factor`: only of accounts with a second factor; the request of others contains their password. */
export type ProofRule = 'always' | 'with-factor'

/**
 * Throws AppError `auth.proof_required` if a route needs a proof that the caller does not have. API tokens do not need
 * a proof: they have scopes.
 */
export function assertProof(caller: AuthContext, rule: ProofRule, now: EpochMs): void {
  const isExempt = caller.tokenId !== null || (rule === 'with-factor' && !caller.secondFactor)
  if (!isExempt) assertProven(caller, now)
}

/**
 * Throws AppError `auth.proof_required` if the last proof is older than ten minutes. A reverse proxy authenticates each
 * request, which is the proof of an account without a second factor.
 */
export function assertProven({ sessionId, tokenId, provenAt, secondFactor }: AuthContext, now: EpochMs): void {
  if (sessionId === null && tokenId === null && !secondFactor) return
  if (provenAt === null || now - provenAt >= PROOF_MS) throw new AppError('auth.proof_required')
}
