/** Schemas of receipts. */
import { z } from 'zod'
import { RECEIPT_VIEWS_MAX } from '../limits.js'
import { count, proof, shortText, time } from './common.js'

const timeOrNull = time.nullable()

export const ReceiptToken = proof.describe('receipt token: 32 bytes as base64url, decoded from the receipt link')

export const Receipt = z.object({
  state: z
    .enum(['waiting', 'opened', 'used-up', 'burned', 'expired'])
    .describe('waiting: not opened yet; opened: has views left; used-up: opened for the last time'),
  createdAt: time,
  expiresAt: time,
  endedAt: timeOrNull.describe('null: the secret still exists'),
  keptUntil: timeOrNull.describe('when the receipt is deleted; null while the secret exists'),
  views: count.describe('views so far'),
  maxViews: count.nullable().describe('null: unlimited'),
  viewedAt: timeOrNull.describe('last view'),
  viewList: z
    .array(
      z.object({
        at: time,
        network: shortText.nullable().describe('of the reader, such as 192.0.2.0/24; null: not recorded'),
        browser: shortText.nullable().describe('family, such as Firefox; null: not recorded'),
        recipient: count
          .nullable()
          .describe('number of the named recipient, in the order of the request; null: the secret has none'),
      }),
    )
    .describe(`the first ${RECEIPT_VIEWS_MAX} views, oldest first`),
  wrongPasswords: count.describe('wrong passwords, and wrong codes of named recipients'),
  wrongPasswordAt: timeOrNull.describe('last wrong password'),
  refusedAddresses: count.describe('attempts with the complete link from an address that is not allowed'),
  refusedAddressAt: timeOrNull.describe('last of these attempts'),
})

export type Receipt = z.infer<typeof Receipt>
