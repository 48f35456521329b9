/** Receipts: creation of their tokens, details about readers, and their use case. */
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { ReceiptReader, Receipt as StoredReceipt } from '../contracts/receipts.js'
import { AppError } from '../lib/errors.js'
import { anonymizeIp } from '../lib/ip.js'
import { randomToken } from '../lib/random-token.js'
import { storedProof } from '../lib/stored-proof.js'
import type { CurrentSettings } from '../settings/create-settings.js'
import type { Receipt } from '../shared/api/index.js'
import { formatReceiptLink } from '../shared/receipt-link.js'
import { drawSafeEnds } from '../shared/safe-ends.js'
import { retentionOf } from './retention.js'

/** Returns the receipt of a token. Throws AppError `receipt.not_found`, the same for every reason. */
export async function readReceipt({ storage, settings, now }: App, token: string): Promise<Receipt> {
  const [current, receipt] = await Promise.all([settings.current(), storage.receipts.find(storedProof(token))])
  const shown = receipt && toResponse(receipt, current, now())
  if (!shown) throw new AppError('receipt.not_found')
  return shown
}

/** Deletes up to `limit` receipts after their retention. Returns their number. */
export async function deleteEndedReceipts({ storage, settings, now }: App, limit: number): Promise<number> {
  return storage.receipts.deleteEnded(now() - retentionOf(await settings.current()), limit)
}

/** A new token, which is independent of the secret, its hash for the store, and the link with the token. */
export function createReceipt(publicUrl: string): { hash: string; link: string } {
  const draw = () => randomToken(32)
  const token = drawSafeEnds(draw, (each) => formatReceiptLink({ base: publicUrl, token: each }))
  return { hash: storedProof(token), link: formatReceiptLink({ base: publicUrl, token }) }
}

/** Details of a receipt about a reader; undefined unless the instance records them. */
export function describeReader(
  { address }: AuthContext,
  browser: string | null,
  { receipt_reader_details }: Pick<CurrentSettings, 'receipt_reader_details'>,
): ReceiptReader | undefined {
  return receipt_reader_details ? { network: anonymizeIp(address), browser } : undefined
}

/** Null when the receipt's retention is over: the cleanup may not have deleted it yet. */
function toResponse(receipt: StoredReceipt, settings: CurrentSettings, now: number): Receipt | null {
  const { createdAt, expiresAt, views, maxViews, viewedAt, viewList } = receipt
  const { wrongPasswords, wrongPasswordAt, refusedAddresses, refusedAddressAt } = receipt
  const endedAt = receipt.endedAt ?? (expiresAt <= now ? expiresAt : null)
  const keptUntil = endedAt === null ? null : endedAt + retentionOf(settings)
  if (keptUntil !== null && keptUntil <= now) return null
  const hidden = { network: null, browser: null }
  return {
    state: toState(receipt, endedAt !== null),
    createdAt,
    expiresAt,
    endedAt,
    keptUntil,
    views,
    maxViews,
    viewedAt,
    viewList: settings.receipt_reader_details
      ? viewList
      : viewList.map(({ at, recipient }) => ({ at, ...hidden, recipient })),
    wrongPasswords,
    wrongPasswordAt,
    refusedAddresses,
    refusedAddressAt,
  }
}

function toState({ outcome, views }: StoredReceipt, hasEnded: boolean): Receipt['state'] {
  if (outcome !== null) return outcome
  if (hasEnded) return 'expired'
  return views > 0 ? 'opened' : 'waiting'
}
