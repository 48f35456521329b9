import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { viewsLeft } from '../contracts/secret-state.js'
import type { SecretExists } from '../shared/api/index.js'
import { loadAuthorized } from './load-authorized.js'
import { parseSecretRef } from './secret-access.js'

/** Describes a secret without viewing it. Throws AppError `secret.not_found`. */
export async function peekSecret(
  app: App,
  id: string,
  access: string | undefined,
  caller: AuthContext,
): Promise<SecretExists> {
  const meta = await loadAuthorized(app, parseSecretRef(id, access), caller)
  app.caches.knownSecrets.add(meta)
  const { kind, expiresAt, files, passwordHash, recipients = 0 } = meta
  const required = { passwordRequired: passwordHash !== null, codeRequired: recipients > 0 }
  return { id, maxViews: viewsLeft(meta), ...required, expiresAt, files, kind }
}
