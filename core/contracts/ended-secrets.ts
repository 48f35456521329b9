/** Ended secrets as their owners see them. Without text, title, key, password hash and address. */
import type { Page } from './page.js'
import type { ReceiptOutcome } from './receipts.js'
import type { SecretKind } from './secret-kind.js'

/** Times are epoch ms. */
export interface EndedSecret {
  /** Id of the secret. */
  id: string
  ownerId: string
  kind: SecretKind
  outcome: ReceiptOutcome
  createdAt: number
  /** The time of the last view, of the burn, or when the secret expired. */
  endedAt: number
  views: number
  /** null: unlimited. */
  maxViews: number | null
  hasPassword: boolean
  /** Number of attached files. */
  files: number
}

export interface EndedSecretFilter {
  ownerId: string
  /** Only secrets that ended this way. */
  outcome?: ReceiptOutcome
  /** Only secrets that ended later than this. */
  since: number
  /** Only secrets that ended at this time or earlier. */
  until: number
  /** Only secrets that come after this one in the list. */
  after?: Pick<EndedSecret, 'id' | 'endedAt'>
}

/**
 * The ended secrets of users. `SecretStore` and `RequestStore` add an entry in the transaction in which a secret ends,
 * if it has an owner and their argument `recordsEnd` is true: `view` for the last view, `burn`, `deleteExpired` and
 * `close`. The first end counts: a burn of a used-up secret changes nothing. A secret without an owner causes no
 * statement. When an id is used again, the last entry replaces the earlier one. The entries of a user end with the
 * user.
 */
export interface EndedSecretStore {
  /**
   * The last one to end comes first; those with the same time have a stable order across pages. Includes expired
   * secrets that `deleteExpired` has not deleted yet, so that a secret is either here or in `SecretStore.listByOwner`.
   */
  list(filter: EndedSecretFilter, page: Page): Promise<EndedSecret[]>
  /** Deletes up to `limit` entries of secrets that ended at `before` or earlier, and returns their number. */
  deleteEnded(before: number, limit: number): Promise<number>
}
