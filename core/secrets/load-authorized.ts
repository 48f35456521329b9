import type { AuthContext } from '../contracts/auth-context.js'
import type { SecretMeta } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'
import { isAuthorized, type SecretRef } from './secret-access.js'
import type { SecretDeps } from './secret-deps.js'

type Deps = Pick<SecretDeps, 'store' | 'recorder' | 'now'>

/**
 * Loads a secret that the caller may access. `claimHash`: also finds a used-up secret while this claim is open. Throws
 * AppError `secret.not_found`, the same for every reason.
 */
export async function loadAuthorized(
  deps: Deps,
  ref: SecretRef,
  caller: AuthContext,
  claimHash?: string,
): Promise<SecretMeta> {
  return assertAuthorized(deps, await deps.store.peek(ref.lookup, deps.now(), claimHash), ref, caller)
}

/** Returns the secret if the caller may access it. `meta`: null when it does not exist. Throws as `loadAuthorized` does. */
export async function assertAuthorized(
  { recorder }: Pick<Deps, 'recorder'>,
  meta: SecretMeta | null,
  ref: SecretRef,
  caller: AuthContext,
): Promise<SecretMeta> {
  if (meta && isAuthorized(meta, ref, caller.address)) return meta
  const hasValidLink = meta && isAuthorized({ ...meta, allowedIp: null }, ref, caller.address)
  if (hasValidLink) await recorder.recordRefused('secret.address_refused', meta, caller)
  throw new AppError('secret.not_found')
}
