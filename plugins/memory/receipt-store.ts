import {
  isUsedUp,
  type Receipt,
  type ReceiptOutcome,
  type ReceiptReader,
  type ReceiptStore,
  type SecretMeta,
  viewsLeft,
} from '#core'
import { RECEIPT_VIEWS_MAX } from '#shared/limits'
import { deleteMatching, type Tables } from './tables.js'

/** Each operation is synchronous, and therefore atomic: see index.ts. */
export function createReceiptStore({ receipts }: Tables): ReceiptStore {
  return {
    async find(hash) {
      const receipt = receipts.get(hash)
      return receipt ? structuredClone(receipt) : null
    },
    async recordRefusal(hash, kind, now) {
      const receipt = receipts.get(hash)
      if (!receipt || receipt.endedAt !== null) return
      if (kind === 'password') countWrongPassword(receipt, now)
      else Object.assign(receipt, { refusedAddresses: receipt.refusedAddresses + 1, refusedAddressAt: now })
    },
    deleteEnded: async (before, limit) =>
      deleteMatching(receipts, ({ endedAt }) => endedAt !== null && endedAt <= before, limit),
  }
}

/** The receipt of a secret; undefined without one. */
export const findReceipt = ({ receipts }: Tables, { receiptHash }: SecretMeta): Receipt | undefined =>
  receiptHash === undefined ? undefined : receipts.get(receiptHash)

export function createReceipt({ receipts }: Tables, secret: SecretMeta): void {
  const { receiptHash: hash, ownerId, createdAt, expiresAt } = secret
  if (hash === undefined) return
  receipts.set(hash, {
    ...{ hash, ownerId, maxViews: viewsLeft(secret), createdAt, expiresAt },
    ...{ views: 0, viewedAt: null, wrongPasswords: 0, wrongPasswordAt: null },
    ...{ refusedAddresses: 0, refusedAddressAt: null, outcome: null, endedAt: null, viewList: [] },
  })
}

/** `secret`: as it is after the view. */
export function recordView(tables: Tables, secret: SecretMeta, now: number, reader: ReceiptReader | undefined): void {
  const receipt = findReceipt(tables, secret)
  if (!receipt) return
  Object.assign(receipt, { views: secret.views, viewedAt: now })
  if (isUsedUp(secret)) Object.assign(receipt, { outcome: 'last-view', endedAt: now })
  const { network = null, browser = null } = reader ?? {}
  if (secret.views <= RECEIPT_VIEWS_MAX) receipt.viewList.push({ at: now, network, browser })
}

export function countWrongPassword(receipt: Receipt | undefined, now: number): void {
  if (receipt) Object.assign(receipt, { wrongPasswords: receipt.wrongPasswords + 1, wrongPasswordAt: now })
}

/** Records the end of a secret, unless it was used up. `at`: epoch ms. */
export function endReceipt(tables: Tables, secret: SecretMeta, outcome: ReceiptOutcome, at: number): void {
  const receipt = findReceipt(tables, secret)
  if (receipt && !isUsedUp(secret)) Object.assign(receipt, { outcome, endedAt: at })
}
