import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { AppError } from '../lib/errors.js'

interface Charge<T> {
  /** Bytes of the secret. Called only for tokens. */
  measure(): Promise<number>
  make(): Promise<T>
  /** False: the result existed before, so it costs nothing. */
  isNew(made: T): boolean
}

/**
 * Runs `make` and charges one secret and its bytes to the caller's API token, if there is one. The charge is refunded
 * when `make` throws or returns an old result. Throws AppError `token.used_up`.
 */
export async function chargeToken<T>(
  { storage, now }: App,
  { tokenId }: AuthContext,
  { measure, make, isNew }: Charge<T>,
): Promise<T> {
  if (tokenId === null) return make()
  const bytes = await measure()
  if (!(await storage.tokens.spend(tokenId, bytes, now()))) throw new AppError('token.used_up')
  let isSpent = false
  try {
    const made = await make()
    isSpent = isNew(made)
    return made
  } finally {
    if (!isSpent) await storage.tokens.refund(tokenId, bytes)
  }
}
