import type { App } from '../app.js'
import { openTickets } from '../attachments/open-tickets.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { ReceiptReader } from '../contracts/receipts.js'
import { viewsLeft } from '../contracts/secret-state.js'
import type { Secret, ViewedSecret as StoredView, ViewInput } from '../contracts/storage.js'
import { createEvents } from '../events/durable-events.js'
import { AppError } from '../lib/errors.js'
import { storedProof } from '../lib/stored-proof.js'
import type { ViewedSecret } from '../shared/api/index.js'
import { newClaim } from '../shared/crypto/keys.js'
import { completeView } from './ack-secret.js'
import { checkPassword, lockedError } from './check-password.js'
import { loadAuthorized } from './load-authorized.js'
import { loadServerEncryption } from './load-server-encryption.js'
import { describeReader } from './receipts.js'
import { recordViewed } from './record-secret-event.js'
import { recordsEnds } from './retention.js'
import { isAuthorized, parseSecretRef, type SecretRef } from './secret-access.js'
import { viewedFacts } from './secret-facts.js'
import { viewAsRecipient } from './view-as-recipient.js'

/** Input of a client to view a secret. Without a claim (a plain GET) the view cannot be retried. */
export interface ViewRequest {
  access?: string | undefined
  password?: string | undefined
  claim?: string | undefined
  /** Mailed to a named recipient. */
  code?: string | undefined
  /** Family of the browser, for the receipt. */
  browser?: string | null | undefined
}

/**
 * Uses one view and returns the secret. The same claim gets the same response again during the grace period and counts
 * once. Throws AppError `secret.not_found`, `secret.password_required`, `secret.password_wrong`,
 * `secret.code_required`, `secret.code_wrong` or `secret.locked`.
 */
export async function viewSecret(
  app: App,
  id: string,
  request: ViewRequest,
  caller: AuthContext,
): Promise<ViewedSecret> {
  const ref = parseSecretRef(id, request.access)
  const claim = request.claim ?? newClaim()
  const claimHash = storedProof(claim)
  const graceMs = request.claim ? app.config.readGraceSeconds * 1000 : 0
  const current = await app.settings.current()
  const reader = describeReader(caller, request.browser ?? null, current)
  const { password, code } = request
  const attempt = { ref, claimHash, graceMs, password, code, reader, recordsEnd: recordsEnds(current) }
  const secret = await countView(app, attempt, caller)
  if (secret.counted) await recordViewed(app, secret, caller)
  const left = viewsLeft(secret)
  const tickets = await openTickets(app, secret, claim, left === 0)
  if (graceMs === 0 && left === 0) await completeView(app, secret.id, claimHash)
  return { id, maxViews: left, ...(await buildContent(secret, ref.rawKey, tickets)) }
}

interface Attempt {
  ref: SecretRef
  claimHash: string
  graceMs: number
  password: string | undefined
  code: string | undefined
  reader: ReceiptReader | undefined
  recordsEnd: boolean
}

/**
 * The transaction that counts the view checks the link and the address. Unless this process knows the secret, it is
 * read first, so that a refused request never acquires the write lock, and the slow hash of a password runs without a
 * lock.
 */
async function countView(app: App, attempt: Attempt, caller: AuthContext): Promise<StoredView> {
  const { ref, claimHash, graceMs, password, code, reader, recordsEnd } = attempt
  const { knownSecrets } = app.caches
  let read = knownSecrets.findViewable(ref, password, caller, app.now())
  if (!read) {
    read = await loadAuthorized(app, ref, caller, claimHash)
    await checkPassword(app, read, password, caller)
  }
  const link = { isChecked: false }
  const view: ViewInput = {
    id: ref.lookup,
    claimHash,
    now: app.now(),
    graceMs,
    read,
    authorize: (meta) => {
      link.isChecked = isAuthorized(meta, ref, caller.address)
      return link.isChecked
    },
    toEvents: (viewed, recipient) => createEvents(app, viewedFacts(viewed, recipient)),
    reader,
    recordsEnd,
  }
  const secret = read.recipients
    ? await viewAsRecipient(app, read, { view, code, caller })
    : await app.storage.secrets.view(view)
  // A faulty storage may return a secret without calling `authorize`.
  if (secret && link.isChecked) return secret
  knownSecrets.delete(ref.lookup)
  throw await explainLostRace(app, ref.lookup, claimHash)
}

/** Before the transaction, other callers used the last view or locked the secret with wrong passwords. */
async function explainLostRace({ storage, now }: App, lookup: string, claimHash: string): Promise<AppError> {
  const meta = await storage.secrets.peek(lookup, now(), claimHash)
  return meta && meta.lockedUntil > now() ? lockedError(meta.lockedUntil, now()) : new AppError('secret.not_found')
}

async function buildContent(secret: Secret, rawKey: string | null, tickets: ViewedSecret['files']) {
  const { kind, preventBurn, expiresAt } = secret
  const { text, title, files } = rawKey
    ? await (await loadServerEncryption()).decryptRaw(secret, rawKey, tickets)
    : { ...secret, files: tickets }
  return { kind, text, title, files, preventBurn, isPublic: kind === 'public', expiresAt }
}
