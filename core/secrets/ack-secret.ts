import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { storedProof } from '../lib/stored-proof.js'
import type { AckSecret } from '../shared/api/index.js'
import { loadAuthorized } from './load-authorized.js'
import { recordDamaged } from './record-secret-event.js'
import { parseSecretRef } from './secret-access.js'

/**
 * Acknowledges a view: its claim is closed, and a used-up secret without open claims is deleted. Also for content that
 * the reader refused as damaged, which is recorded. Throws `secret.not_found`.
 */
export async function ackSecret(
  app: App,
  id: string,
  { access, claim, damaged }: AckSecret,
  caller: AuthContext,
): Promise<void> {
  const claimHash = storedProof(claim)
  const meta = await loadAuthorized(app, parseSecretRef(id, access), caller, claimHash)
  await completeView(app, meta.id, claimHash)
  if (damaged) await recordDamaged(app, meta.id, caller)
}

/** Closes a claim. `id`: as stored. */
export async function completeView({ storage, background, now }: App, id: string, claimHash: string): Promise<void> {
  if (await storage.secrets.ack(id, claimHash, now())) background.cleanup.wipeSoon({ hasFiles: false })
}
