/**
 * Receipts: the views and the end of a secret, for its sender. A receipt contains neither the text, the id nor a key of
 * its secret.
 */

/** Why a secret ended. `expired`: before its views were used up. */
export type ReceiptOutcome = 'used-up' | 'burned' | 'expired'

/** Details about a reader. Both are null if the instance does not record details. */
export interface ReceiptReader {
  /** Network of the address, such as `192.0.2.0/24` or `2001:db8:1::/48`. */
  network: string | null
  /** Family of the browser, such as `Firefox`. */
  browser: string | null
}

export interface ReceiptView extends ReceiptReader {
  at: number
  /** Number of the named recipient; null: the secret has none. */
  recipient: number | null
}

/** Times are epoch ms; null: never. */
export interface Receipt {
  /** Hex SHA-256 of the receipt token. */
  hash: string
  /** As in the secret. `maxViews`: null for unlimited. */
  ownerId: string | null
  maxViews: number | null
  createdAt: number
  expiresAt: number
  views: number
  viewedAt: number | null
  wrongPasswords: number
  wrongPasswordAt: number | null
  refusedAddresses: number
  refusedAddressAt: number | null
  /** null: the secret has not ended, or it has expired and the cleanup has not deleted it yet. */
  outcome: ReceiptOutcome | null
  endedAt: number | null
  /** The first `RECEIPT_VIEWS_MAX` views, oldest first. Further views are only counted. */
  viewList: ReceiptView[]
}

/**
 * The receipts of secrets with a `receiptHash`. `SecretStore` writes them in the transactions of its changes: `create`,
 * `view`, `recordWrongPassword`, `changeLimits`, and the end of a secret by `view`, `burn` or `deleteExpired`. The
 * first end counts: a burn of a used-up secret changes nothing. A secret without a receipt causes no statement. A
 * receipt ends with its owner.
 */
export interface ReceiptStore {
  find(hash: string): Promise<Receipt | null>
  /**
   * Counts a refusal that changes nothing else. Changes nothing for an unknown receipt, and for a secret that has
   * ended.
   */
  recordRefusal(hash: string, kind: 'address' | 'password', now: number): Promise<void>
  /** Deletes up to `limit` receipts whose secrets ended at `before` or earlier, and returns their number. */
  deleteEnded(before: number, limit: number): Promise<number>
}
