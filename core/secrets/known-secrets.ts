/** The secrets that this process has created or checked lately. */
import { LRUCache } from 'lru-cache'
import type { AuthContext } from '../contracts/auth-context.js'
import type { Secret, SecretMeta } from '../contracts/storage.js'
import { lazy } from '../lib/lazy.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { isRightProof } from './check-password.js'
import { isAuthorized, type SecretRef } from './secret-access.js'

/** About 500 bytes each. */
const SECRETS_MAX = 10_000

export type KnownSecrets = ReturnType<typeof createKnownSecrets>

/**
 * Decides which requests may begin a view without reading the secret first, and nothing else: the storage checks the
 * secret again, and an entry may be out of date. See docs/decisions/008.
 */
export function createKnownSecrets() {
  const getSecrets = lazy(() => new LRUCache<string, SecretMeta>({ max: SECRETS_MAX }))
  return {
    add: ({ id, text: _, ...meta }: SecretMeta & Partial<Pick<Secret, 'text'>>): void =>
      void getSecrets().set(id, { id, ...meta }),
    delete: (id: string): void => void getSecrets().delete(id),
    /** Null: unknown, or the request may be refused. */
    findViewable(
      ref: SecretRef,
      password: string | undefined,
      { address }: AuthContext,
      now: EpochMs,
    ): SecretMeta | null {
      const meta = getSecrets().get(ref.lookup)
      if (!meta || meta.expiresAt <= now || meta.lockedUntil > now) return null
      return isAuthorized(meta, ref, address) && isRightProof(meta, password) ? meta : null
    },
  }
}
