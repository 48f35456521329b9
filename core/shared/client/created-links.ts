/** The links of a new secret. They begin with an address that the user trusts, never with an address of a response. */
import type { CreatedSecret } from '../api/index.js'
import { formatLink, KEYLESS } from '../link.js'
import { parseReceiptLink } from '../parse-links.js'
import { formatReceiptLink } from '../receipt-link.js'

export interface CreatedLinks {
  link: string
  /** For a key that is sent separately. */
  linkWithoutKey: string
  /** Shows the views and the end of the secret. Undefined if the request did not ask for it. */
  receipt?: string
}

/**
 * `base`: URL of the server without a slash at its end. `fragment`: null for a secret that is not sealed. Throws
 * LinkError for an invalid receipt link.
 */
export function buildCreatedLinks(
  { id, receipt }: Pick<CreatedSecret, 'id' | 'receipt'>,
  fragment: string | null,
  base: string,
): CreatedLinks {
  const url = `${base}/secret/${id}`
  return {
    link: formatLink(url, fragment),
    linkWithoutKey: formatLink(url, fragment && KEYLESS),
    ...(receipt && { receipt: formatReceiptLink({ base, token: parseReceiptLink(receipt).token }) }),
  }
}
