import type { AuthContext } from '../contracts/auth-context.js'
import type { ReceiptReader } from '../contracts/receipts.js'
import { viewsLeft } from '../contracts/secret-state.js'
import type { Secret, SecretMeta, ViewedSecret as StoredView } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'
import type { ViewedSecret } from '../shared/api/index.js'
import { newClaim, storedProof } from '../shared/crypto/keys.js'
import { completeView } from './ack-secret.js'
import { checkPassword, isRightProof, lockedError } from './check-password.js'
import { toViewedEvents } from './durable-secret-events.js'
import { assertAuthorized } from './load-authorized.js'
import { loadServerEncryption } from './load-server-encryption.js'
import { describeReader } from './receipts.js'
import { recordsEnds } from './retention.js'
import { isAuthorized, parseSecretRef, type SecretRef } from './secret-access.js'
import type { SecretDeps } from './secret-deps.js'

/** What a client sends to view a secret. Without a claim (a plain GET) the view cannot be retried. */
export interface ViewRequest {
  access?: string | undefined
  password?: string | undefined
  claim?: string | undefined
  /** Family of the browser, for the receipt. */
  browser?: string | null | undefined
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
  const { downloads, recorder, instance, settings, now } = deps
  const ref = parseSecretRef(id, request.access)
  const claim = request.claim ?? newClaim()
  const claimHash = storedProof(claim)
  const graceMs = request.claim ? settings.readGraceSeconds * 1000 : 0
  const current = await instance.current()
  const reader = describeReader(caller, request.browser ?? null, current)
  const attempt = { ref, claimHash, graceMs, password: request.password, reader, recordsEnd: recordsEnds(current) }
  const secret = await countView(deps, attempt, caller)
  if (secret.counted) await recorder.recordViewed(secret, caller, now())
  const left = viewsLeft(secret)
  const tickets = await downloads.open(secret, claim, left === 0)
  if (graceMs === 0 && left === 0) await completeView(deps, secret.id, claimHash)
  return { id, maxViews: left, ...(await buildContent(secret, ref.rawKey, tickets)) }
}

interface Attempt {
  ref: SecretRef
  claimHash: string
  graceMs: number
  password: string | undefined
  reader: ReceiptReader | undefined
  recordsEnd: boolean
}

/**
 * Checks the link, the address and the password in the transaction that counts the view. Only the slow hash of a password is
 * checked between two transactions, because nothing may wait for it with a locked row.
 */
async function countView(deps: SecretDeps, attempt: Attempt, caller: AuthContext): Promise<StoredView> {
  const { ref, claimHash, graceMs, password, reader, recordsEnd } = attempt
  const view = (authorize: (meta: SecretMeta) => boolean) =>
    deps.store.view(
      ref.lookup,
      claimHash,
      deps.now(),
      graceMs,
      authorize,
      toViewedEvents(deps.events),
      reader,
      recordsEnd,
    )
  const seen: { meta: SecretMeta | null; isAllowed: boolean } = { meta: null, isAllowed: false }
  const secret = await view((meta) => {
    const isAllowed = isAuthorized(meta, ref, caller.address) && isRightProof(meta, password)
    Object.assign(seen, { meta, isAllowed })
    return isAllowed
  })
  if (secret && seen.isAllowed) return secret
  const meta = await assertAuthorized(deps, seen.meta, ref, caller)
  // With a right proof, the view failed because its claim was acknowledged, or because the secret is locked.
  if (seen.isAllowed && meta.lockedUntil <= deps.now()) throw new AppError('secret.not_found')
  await checkPassword(deps, meta, password, caller)
  const second = await view((again) => isAuthorized(again, ref, caller.address))
  if (second) return second
  throw await explainLostRace(deps, ref.lookup, claimHash)
}

/** Between the two transactions other callers used the last view or locked the secret with wrong passwords. */
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
