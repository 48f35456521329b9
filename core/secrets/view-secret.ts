import type { AuthContext } from '../contracts/auth-context.js'
import { viewsLeft } from '../contracts/secret-state.js'
import type { Secret } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'
import type { ViewedSecret } from '../shared/api/index.js'
import { newClaim, storedProof } from '../shared/crypto/keys.js'
import { completeView } from './ack-secret.js'
import { checkPassword, lockedError } from './check-password.js'
import { loadAuthorized } from './load-authorized.js'
import { loadServerEncryption } from './load-server-encryption.js'
import { parseSecretRef } from './secret-access.js'
import type { SecretDeps } from './secret-deps.js'

/** What a client sends to view a secret. Without a claim (a plain GET) the view cannot be retried. */
export interface ViewRequest {
  access?: string | undefined
  password?: string | undefined
  claim?: string | undefined
}

/**
 * Uses one view and returns the secret. The same claim gets the same response again during the grace period and counts
 * once. Throws AppError `secret.not_found`, `secret.password_required`, `secret.password_wrong` or `secret.locked`.
 */
export async function viewSecret(
  deps: SecretDeps,
  id: string,
  request: ViewRequest,
  caller: AuthContext,
): Promise<ViewedSecret> {
  const { store, downloads, recorder, settings, now } = deps
  const ref = parseSecretRef(id, request.access)
  const claim = request.claim ?? newClaim()
  const claimHash = storedProof(claim)
  const graceMs = request.claim ? settings.readGraceSeconds * 1000 : 0
  const meta = await loadAuthorized(deps, ref, caller, claimHash)
  await checkPassword(deps, meta, request.password, caller)
  const secret = await store.view(ref.lookup, claimHash, now(), graceMs)
  if (!secret) throw await explainLostRace(deps, ref.lookup, claimHash)
  if (secret.counted) await recorder.recordViewed(secret, caller, now())
  const left = viewsLeft(secret)
  const tickets = await downloads.open(secret, claim, left === 0)
  if (graceMs === 0 && left === 0) await completeView(deps, secret.id, claimHash)
  return { id, maxViews: left, ...(await buildContent(secret, ref.rawKey, tickets)) }
}

/** Between the checks and the view other callers used the last view or locked the secret with wrong passwords. */
async function explainLostRace({ store, now }: SecretDeps, lookup: string, claimHash: string): Promise<AppError> {
  const meta = await store.peek(lookup, now(), claimHash)
  return meta && meta.lockedUntil > now() ? lockedError(meta.lockedUntil, now()) : new AppError('secret.not_found')
}

async function buildContent(secret: Secret, rawKey: string | null, tickets: ViewedSecret['files']) {
  const { kind, preventBurn, expiresAt } = secret
  const { text, title, files } = rawKey
    ? await (await loadServerEncryption()).decryptRaw(secret, rawKey, tickets)
    : { ...secret, files: tickets }
  return { kind, text, title, files, preventBurn, isPublic: kind === 'public', expiresAt }
}
