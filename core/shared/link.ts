/** Links, version 1: `{publicUrl}/secret/{id}#{fragment}`, where fragment = "1" + b64url(32 bytes) + 2 check characters. */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'

const VERSION = '1'
const KEY_LENGTH = 43
const FRAGMENT_LENGTH = 46
const ID = /^[A-Za-z0-9_-]{21}[AQgw]$/
/** The last base64url character of 16 or 32 bytes encodes only some of its bits: only one encoding per value is valid. */
const RAW_ID = /^[A-Za-z0-9_-]{21}[AQgw]~[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** Why a link or key is invalid. Detected without a request, so no view is used up. */
export type LinkProblem = 'not-a-link' | 'incomplete' | 'newer-version'

export class LinkError extends Error {
  override name = 'LinkError'
  constructor(readonly problem: LinkProblem) {
    super(PROBLEMS[problem])
  }
}

const PROBLEMS: Record<LinkProblem, string> = {
  'not-a-link': 'this is not a link to a secret',
  incomplete: 'this link or key is incomplete or was changed on its way; copy it again',
  'newer-version': 'this link needs a newer version',
}

/** A parsed link. `base`: everything before `/secret/`. `fragment`: null in a link without the key. */
export interface Link {
  base: string
  id: string
  fragment: string | null
}

/** Encodes a link key as the fragment of a link. */
export function formatFragment(linkKey: Uint8Array): string {
  const key = base64urlnopad.encode(linkKey)
  return VERSION + key + check(key)
}

/** Decodes a fragment to the 32 bytes of its key. Ignores spaces, quotes and a leading `#` from pasting. Throws LinkError. */
export function parseFragment(fragment: string): Uint8Array {
  const text = fragment.replace(/[\s"'<>`“”‘’]/g, '').replace(/^#/, '')
  if (text === '') throw new LinkError('incomplete')
  if (text[0] !== VERSION && text.length >= FRAGMENT_LENGTH) throw new LinkError('newer-version')
  const key = text.slice(1, 1 + KEY_LENGTH)
  if (text[0] !== VERSION || text.length !== FRAGMENT_LENGTH || text.slice(1 + KEY_LENGTH) !== check(key)) {
    throw new LinkError('incomplete')
  }
  try {
    return base64urlnopad.decode(key)
  } catch {
    throw new LinkError('incomplete')
  }
}

/** True for `{lookup}~{key}`: the id of a raw secret, which contains its key. */
export const isRawId = (id: string): boolean => RAW_ID.test(id)

/** True for every valid id of a secret. */
export const isSecretId = (id: string): boolean => ID.test(id) || RAW_ID.test(id)

/** Builds the link to share. Without a fragment, the link without the key. */
export const formatLink = (url: string, fragment: string | null): string => (fragment ? `${url}#${fragment}` : url)

/** Parses a link with or without the key, and the form `/secret/{encryptionKey}/{secretId}`. Throws LinkError. */
export function parseLink(link: string): Link {
  const url = parseUrl(link.trim().replace(/^[<"'`]+|[>"'`]+$/g, ''))
  const [, base, key, id] = /^(.*)\/secret\/(?:([^/]+)\/)?([^/]+)\/?$/.exec(decode(url.pathname)) ?? []
  if (base === undefined || id === undefined || !isSecretId(id)) throw new LinkError('not-a-link')
  return { base: url.origin + base, id, fragment: key ?? (decode(url.hash).slice(1) || null) }
}

function parseUrl(text: string): URL {
  try {
    const url = new URL(text)
    if (url.protocol === 'http:' || url.protocol === 'https:') return url
  } catch {}
  throw new LinkError('not-a-link')
}

/** Messengers percent-encode some characters. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new LinkError('not-a-link')
  }
}

/** Check characters, to detect a truncated or changed link before any request. */
const check = (key: string): string => base64urlnopad.encode(sha256(utf8ToBytes(`mayfly/v1/link${key}`))).slice(0, 2)
