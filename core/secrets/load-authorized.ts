import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { SecretMeta } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'
import { recordAddressRefused } from './record-secret-event.js'
import { isAuthorized, type SecretRef } from './secret-access.js'

/**
 * Loads a secret that the caller may access. `claimHash`: also finds a used-up secret while this claim is open. Throws
 * AppError `secret.not_found`, the same for every reason.
 */
export async function loadAuthorized(
  app: App,
  ref: SecretRef,
  caller: AuthContext,
  claimHash?: string,
): Promise<SecretMeta> {
  const meta = await app.storage.secrets.peek(ref.lookup, app.now(), claimHash)
  if (meta && isAuthorized(meta, ref, caller.address)) return meta
  const hasValidLink = meta && isAuthorized({ ...meta, allowedIp: null }, ref, caller.address)
  if (hasValidLink) await recordAddressRefused(app, meta, caller)
  throw new AppError('secret.not_found')
}
