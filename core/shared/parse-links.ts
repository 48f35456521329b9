/** Parses links of every kind as a person pastes them, see `findLink`. */
import { base64urlnopad } from '@scure/base'
import { findLink } from './find-link.js'
import { LinkError, parseFragment } from './link.js'
import { RECEIPT_FRAGMENT, type ReceiptLink } from './receipt-link.js'
import {
  COLLECT_FRAGMENT,
  type CollectLink,
  REQUEST_FRAGMENT,
  type RequestLink,
  SHARE_SECRET_LENGTH,
} from './request-link.js'

/** A link to a secret. `base`: everything before `/secret/`. */
export interface Link {
  base: string
  id: string
  /** Null in a link without one; KEYLESS in a link whose key is sent separately. */
  fragment: string | null
}

/** `isExact`: the text was the link, with nothing around it. */
type Parsed<L> = L & { isExact: boolean }

/**
 * Finds a link to a secret: also the form `/secret/{encryptionKey}/{secretId}`, and one of the lite version. Throws
 * LinkError.
 */
export const parseLink = (text: string): Parsed<Link> => findLink(text, 'secret')

/** Finds a request link. Throws LinkError, also for a link of another kind. */
export function parseRequestLink(text: string): Parsed<RequestLink> {
  const { fragment, ...place } = findLink(text, 'request')
  const key = parseFragment(requireFragment(fragment), REQUEST_FRAGMENT)
  return { ...place, shareSecret: key.subarray(0, SHARE_SECRET_LENGTH), fingerprint: key.subarray(SHARE_SECRET_LENGTH) }
}

/** Finds a collect link. Throws LinkError, also for a link of another kind. */
export function parseCollectLink(text: string): Parsed<CollectLink> {
  const { fragment, ...place } = findLink(text, 'collect')
  return { ...place, requestKey: parseFragment(requireFragment(fragment), COLLECT_FRAGMENT) }
}

/** Finds a receipt link. Throws LinkError, also for a link of another kind. */
export function parseReceiptLink(text: string): Parsed<ReceiptLink> {
  const { base, fragment, isExact } = findLink(text, 'receipt')
  const token = base64urlnopad.encode(parseFragment(requireFragment(fragment), RECEIPT_FRAGMENT))
  return { base, token, isExact }
}

function requireFragment(fragment: string | null): string {
  if (fragment === null) throw new LinkError('incomplete')
  return fragment
}
