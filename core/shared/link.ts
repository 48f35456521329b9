/** Links, version 1: `{publicUrl}/secret/{id}#{fragment}`, where fragment = "1" + b64url(32 bytes) + 2 check characters. */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'

const VERSION = '1'
const CHECK_LENGTH = 2
const ID = /^[A-Za-z0-9_-]{21}[AQgw]$/
/** The last base64url character of 16 or 32 bytes encodes only some of its bits: only one encoding per value is valid. */
const RAW_ID = /^[A-Za-z0-9_-]{21}[AQgw]~[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** Why a link or key is invalid. Detected without a request, so no view is used up. */
export type LinkProblem = 'not-a-link' | 'incomplete' | 'newer-version'

export class LinkError extends Error {
  override name = 'LinkError'
  constructor(
    readonly problem: LinkProblem,
    message: string = PROBLEMS[problem],
  ) {
    super(message)
  }
}

const PROBLEMS: Record<LinkProblem, string> = {
  'not-a-link': 'this is not a link to a secret',
  incomplete: 'this link or key is incomplete or was changed on its way; copy it again',
  'newer-version': 'this link needs a newer version',
}

/** Format of a fragment: version, key and check characters. */
export interface FragmentFormat {
  /** Part of what the check characters are computed from, so that links of different kinds are not mistaken for each other. */
  label: string
  /** Length of the key in base64url characters. */
  keyLength: number
}

const SECRET_FRAGMENT: FragmentFormat = { label: 'mayfly/v1/link', keyLength: 43 }

/** A parsed link. `base`: everything before `/secret/`. `fragment`: null in a link without the key. */
export interface Link {
  base: string
  id: string
  fragment: string | null
}

/** Encodes a link key as the fragment of a link. `format`: of a link that opens another thing than a secret. */
export function formatFragment(linkKey: Uint8Array, { label }: FragmentFormat = SECRET_FRAGMENT): string {
  const key = base64urlnopad.encode(linkKey)
  return VERSION + key + check(key, label)
}

/**
 * Decodes a fragment to the bytes of its key. Ignores what messages and pasting add, such as spaces, quotes, a leading `#` and a
 * final period: no such character occurs in a key. Throws LinkError.
 */
export function parseFragment(fragment: string, { label, keyLength }: FragmentFormat = SECRET_FRAGMENT): Uint8Array {
  const text = decodePart(fragment, 'incomplete').replace(/[^\w-]/g, '')
  const length = VERSION.length + keyLength + CHECK_LENGTH
  if (text === '') throw new LinkError('incomplete')
  if (text[0] !== VERSION && text.length >= length) throw new LinkError('newer-version')
  const key = text.slice(1, 1 + keyLength)
  if (text[0] !== VERSION || text.length !== length || text.slice(1 + keyLength) !== check(key, label)) {
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

/**
 * Parses a link with or without the key, the form `/secret/{encryptionKey}/{secretId}`, and a link of the lite version. Ignores
 * quotes, brackets and punctuation around it. Throws LinkError.
 */
export function parseLink(link: string): Link {
  const url = parseLinkUrl(link)
  const [, base, key, id] = /^(.*)\/(?:secret|lite)\/(?:([^/]+)\/)?([^/]+)\/?$/.exec(decodePart(url.pathname)) ?? []
  if (base === undefined || id === undefined || !isSecretId(id)) throw new LinkError('not-a-link')
  return { base: url.origin + base, id, fragment: key ?? (decodePart(url.hash).slice(1) || null) }
}

/** Takes linear time, also for a long text that is no link. */
function stripPunctuation(text: string): string {
  let end = text.length
  while (end > 0 && !/[\w/~-]/.test(text[end - 1] as string)) end--
  return text.slice(0, end).replace(/^\W+/, '')
}

/** Parses the URL of a pasted link. Ignores quotes, brackets and punctuation around it. Throws LinkError. */
export function parseLinkUrl(link: string): URL {
  try {
    const url = new URL(stripPunctuation(link))
    if (url.protocol === 'http:' || url.protocol === 'https:') return url
  } catch {}
  throw new LinkError('not-a-link')
}

/** Decodes a path or fragment: messengers percent-encode some characters. Throws LinkError with `problem`. */
export function decodePart(text: string, problem: LinkProblem = 'not-a-link'): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new LinkError(problem)
  }
}

/** Check characters, to detect a truncated or changed link before any request. */
const check = (key: string, label: string): string =>
  base64urlnopad.encode(sha256(utf8ToBytes(label + key))).slice(0, CHECK_LENGTH)
