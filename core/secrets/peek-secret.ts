import type { AuthContext } from '../caller.js'
import { viewsLeft } from '../contracts/secret-state.js'
import type { SecretExists } from '../shared/api.js'
import { parseSecretRef } from './access.js'
import type { SecretDeps } from './deps.js'
import { loadAuthorized } from './load-authorized.js'

/** Describes a secret without viewing it. Throws AppError `secret.not_found`. */
export async function peekSecret(
  deps: SecretDeps,
  id: string,
  access: string | undefined,
  caller: AuthContext,
): Promise<SecretExists> {
  const meta = await loadAuthorized(deps, parseSecretRef(id, access), caller)
  const { kind, expiresAt, files } = meta
  return { id, maxViews: viewsLeft(meta), passwordRequired: meta.passwordHash !== null, expiresAt, files, kind }
}
