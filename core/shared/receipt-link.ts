/**
 * Receipt links, version 1: `{publicUrl}/receipt#{fragment}`. The fragment contains the receipt token, 32 random bytes, which
 * leads to no secret. It is in the fragment, so that it is in no access log.
 */
import { base64urlnopad } from '@scure/base'
import { decodePart, type FragmentFormat, formatFragment, LinkError, parseFragment, parseLinkUrl } from './link.js'

const RECEIPT_FRAGMENT: FragmentFormat = { label: 'mayfly/v1/receipt/link', keyLength: 43 }

/** `base`: everything before `/receipt`. `token`: base64url. */
export interface ReceiptLink {
  base: string
  token: string
}

/** `token`: 32 bytes. */
export const formatReceiptLink = ({ base, token }: ReceiptLink): string =>
  `${base}/receipt#${formatFragment(base64urlnopad.decode(token), RECEIPT_FRAGMENT)}`

/** Returns the token in the fragment of a receipt link. Throws LinkError. */
export const parseReceiptFragment = (fragment: string): string =>
  base64urlnopad.encode(parseFragment(fragment, RECEIPT_FRAGMENT))

/** Throws LinkError, also for a link of another kind. */
export function parseReceiptLink(link: string): ReceiptLink {
  const url = parseLinkUrl(link)
  const [, base] = /^(.*)\/receipt\/?$/.exec(decodePart(url.pathname)) ?? []
  if (base === undefined) throw new LinkError('not-a-link', 'this is not a receipt link')
  return { base: url.origin + base, token: parseReceiptFragment(decodePart(url.hash)) }
}
