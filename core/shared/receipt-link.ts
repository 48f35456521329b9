/**
 * Receipt links, version 1: `{publicUrl}/receipt#{fragment}`. The fragment contains the receipt token, 32 random bytes,
 * which does not open a secret. Fragments do not appear in access logs.
 */
import { base64urlnopad } from '@scure/base'
import { type FragmentFormat, formatFragment } from './link.js'

export const RECEIPT_FRAGMENT: FragmentFormat = { label: 'mayfly/v1/receipt/link', keyLength: 43 }

/** `base`: everything before `/receipt`. `token`: base64url. */
export interface ReceiptLink {
  base: string
  token: string
}

/** `token`: 32 bytes. */
export const formatReceiptLink = ({ base, token }: ReceiptLink): string =>
  `${base}/receipt#${formatFragment(base64urlnopad.decode(token), RECEIPT_FRAGMENT)}`
