/**
 * Writes to the receipts of locked secrets. A receipt belongs to one secret, whose row is locked first, so these
 * statements never wait for another transaction.
 */
import { isUsedUp, type ReceiptOutcome, type ReceiptReader, type SecretMeta } from '#core'
import type { EpochMs } from '#shared/epoch-ms'
import { RECEIPT_VIEWS_MAX } from '#shared/limits'
import type { Queries } from '../connection/batch-transaction.js'

export interface RecordedView {
  /** The secret before the view. */
  secret: SecretMeta
  now: EpochMs
  reader: ReceiptReader | undefined
  /** Number of the named recipient; null: none. */
  recipient: number | null
}

/** Records counted views of different secrets. Without receipts it runs no statement. */
export async function recordReceiptViews(tx: Queries, recorded: RecordedView[]): Promise<void> {
  for (const { secret, now, reader, recipient } of recorded) {
    const { receiptHash, views } = secret
    if (receiptHash === undefined) continue
    const number = views + 1
    const end = isUsedUp({ ...secret, views: number }) && { outcome: 'used-up', ended_at: now }
    await tx('receipts')
      .where({ hash: receiptHash })
      .update({ views: number, viewed_at: now, ...end })
    if (number > RECEIPT_VIEWS_MAX) continue
    const { network = null, browser = null } = reader ?? {}
    await tx('receipt_views').insert({ receipt_hash: receiptHash, number, at: now, network, browser, recipient })
  }
}

/** Records the end of secrets that were not used up. */
export async function endReceipts(
  tx: Queries,
  outcome: ReceiptOutcome,
  ended: { secret: SecretMeta; at: EpochMs }[],
): Promise<void> {
  for (const { secret, at } of ended) {
    if (secret.receiptHash === undefined || isUsedUp(secret)) continue
    await tx('receipts').where({ hash: secret.receiptHash }).update({ outcome, ended_at: at })
  }
}
