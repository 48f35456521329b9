import type { AuthContext } from '../contracts/auth-context.js'
import type { AckSecret } from '../shared/api/index.js'
import { storedProof } from '../shared/crypto/keys.js'
import { loadAuthorized } from './load-authorized.js'
import { parseSecretRef } from './secret-access.js'
import type { SecretDeps } from './secret-deps.js'

/** Acknowledges a view: its claim is closed, and a used-up secret without open claims is deleted. Throws `secret.not_found`. */
export async function ackSecret(
  deps: SecretDeps,
  id: string,
  { access, claim }: AckSecret,
  caller: AuthContext,
): Promise<void> {
  const claimHash = storedProof(claim)
  const meta = await loadAuthorized(deps, parseSecretRef(id, access), caller, claimHash)
  await completeView(deps, meta.id, claimHash)
}

/** Closes a claim. `id`: as it is stored. */
export async function completeView({ store, now, tidyUp }: SecretDeps, id: string, claimHash: string): Promise<void> {
  if (await store.ack(id, claimHash, now())) tidyUp({ hasFiles: false })
}
