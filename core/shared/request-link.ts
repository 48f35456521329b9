/**
 * Links of secret requests, version 1. The request link, which the requester sends, contains the share secret and the
 * fingerprint of the recipient; the collect link, which the requester keeps, contains the request key.
 */
import { concatBytes } from '@noble/hashes/utils.js'
import { type FragmentFormat, formatFragment } from './link.js'

const ID = /^[A-Za-z0-9_-]{21}[AQgw]$/
/** In bytes. */
export const SHARE_SECRET_LENGTH = 32

/** 48 and 32 bytes as base64url. */
export const REQUEST_FRAGMENT: FragmentFormat = { label: 'mayfly/v1/request/link', keyLength: 64 }
export const COLLECT_FRAGMENT: FragmentFormat = { label: 'mayfly/v1/collect/link', keyLength: 43 }

/** `base`: everything before `/request/`. */
export interface RequestLink {
  base: string
  id: string
  /** 32 bytes. */
  shareSecret: Uint8Array
  /** 16 bytes. */
  fingerprint: Uint8Array
}

/** `base`: everything before `/collect/`. */
export interface CollectLink {
  base: string
  id: string
  /** 32 bytes. */
  requestKey: Uint8Array
}

export const isRequestId = (id: string): boolean => ID.test(id)

/** Encodes the fragment of a request link. */
export const formatRequestFragment = ({
  shareSecret,
  fingerprint,
}: Pick<RequestLink, 'shareSecret' | 'fingerprint'>): string =>
  formatFragment(concatBytes(shareSecret, fingerprint), REQUEST_FRAGMENT)

/** Encodes the fragment of a collect link. */
export const formatCollectFragment = (requestKey: Uint8Array): string => formatFragment(requestKey, COLLECT_FRAGMENT)

/** Builds the link that the requester sends. `base`: URL of the server. */
export const formatRequestLink = ({ base, id, ...keys }: RequestLink): string =>
  `${base}/request/${id}#${formatRequestFragment(keys)}`

/** Builds the link that the requester keeps. `base`: URL of the server. */
export const formatCollectLink = ({ base, id, requestKey }: CollectLink): string =>
  `${base}/collect/${id}#${formatCollectFragment(requestKey)}`

/** Builds both links of a new request. `base`: URL of the server. */
export function formatRequestLinks(
  place: { base: string; id: string },
  {
    keys,
    fingerprint,
    requestKey,
  }: { keys: Pick<RequestLink, 'shareSecret'> } & Pick<RequestLink, 'fingerprint'> & Pick<CollectLink, 'requestKey'>,
): { requestLink: string; collectLink: string } {
  const { shareSecret } = keys
  return {
    requestLink: formatRequestLink({ ...place, shareSecret, fingerprint }),
    collectLink: formatCollectLink({ ...place, requestKey }),
  }
}
