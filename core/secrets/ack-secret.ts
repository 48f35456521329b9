import type { AuthContext } from '../caller.js'
import type { AckSecret } from '../shared/api.js'
import { storedProof } from '../shared/keys.js'
import { parseSecretRef } from './access.js'
import type { SecretDeps } from './deps.js'
import { loadAuthorized } from './load-authorized.js'

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
