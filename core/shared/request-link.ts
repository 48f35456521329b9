/**
 * Links of secret requests, version 1. The request link, which the requester sends, contains the share secret and the
 * fingerprint of the recipient; the collect link, which the requester keeps, contains the request key.
 */
import { concatBytes } from '@noble/hashes/utils.js'
import { decodePart, type FragmentFormat, formatFragment, LinkError, parseFragment, parseLinkUrl } from './link.js'

const ID = /^[A-Za-z0-9_-]{21}[AQgw]$/
const SHARE_SECRET_LENGTH = 32

/** 48 and 32 bytes as base64url. */
const REQUEST_FRAGMENT: FragmentFormat = { label: 'mayfly/v1/request/link', keyLength: 64 }
const COLLECT_FRAGMENT: FragmentFormat = { label: 'mayfly/v1/collect/link', keyLength: 43 }

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

/** Builds the link that the requester sends. `base`: URL of the server. */
export const formatRequestLink = ({ base, id, shareSecret, fingerprint }: RequestLink): string =>
  `${base}/request/${id}#${formatFragment(concatBytes(shareSecret, fingerprint), REQUEST_FRAGMENT)}`

/** Builds the link that the requester keeps. `base`: URL of the server. */
export const formatCollectLink = ({ base, id, requestKey }: CollectLink): string =>
  `${base}/collect/${id}#${formatFragment(requestKey, COLLECT_FRAGMENT)}`

/** Parses a request link. Throws LinkError, also for a link of another kind. */
export function parseRequestLink(link: string): RequestLink {
  const { base, id, key } = parseParts(link, 'request', REQUEST_FRAGMENT)
  return { base, id, shareSecret: key.subarray(0, SHARE_SECRET_LENGTH), fingerprint: key.subarray(SHARE_SECRET_LENGTH) }
}

/** Parses a collect link. Throws LinkError, also for a link of another kind. */
export function parseCollectLink(link: string): CollectLink {
  const { base, id, key } = parseParts(link, 'collect', COLLECT_FRAGMENT)
  return { base, id, requestKey: key }
}

function parseParts(link: string, kind: 'request' | 'collect', format: FragmentFormat) {
  const url = parseLinkUrl(link)
  const [, base, actual, id] = /^(.*)\/(request|collect|secret)\/([^/]+)\/?$/.exec(decodePart(url.pathname)) ?? []
  if (base === undefined || id === undefined || !isRequestId(id))
    throw new LinkError('not-a-link', `this is not a ${kind} link`)
  if (actual !== kind) throw new LinkError('not-a-link', `this is a ${actual} link; a ${kind} link is needed`)
  return { base: url.origin + base, id, key: parseFragment(decodePart(url.hash), format) }
}
