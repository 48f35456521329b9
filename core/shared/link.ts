/**
 * Links, version 1: `{publicUrl}/secret/{id}#{fragment}`, where fragment = "1" + b64url(32 bytes) + 2 check characters.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import { sha256 } from './portable-hashes.js'

const VERSION = '1'
const CHECK_LENGTH = 2
const ID = /^[A-Za-z0-9_-]{21}[AQgw]$/
/**
 * The last base64url character of 16 or 32 bytes encodes only some of its bits: only one encoding per value is valid.
 */
const RAW_ID = /^[A-Za-z0-9_-]{21}[AQgw]~[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** Why a link or key is invalid. Detected without a request, so no view is used up. */
export type LinkProblem = 'not-a-link' | 'incomplete' | 'newer-version' | 'several'

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
  several: 'there are two different links in this text; paste one of them',
}

/** Format of a fragment: version, key and check characters. */
export interface FragmentFormat {
  /** Part of the input of the check characters, so that links of different kinds are not mistaken for each other. */
  label: string
  /** Length of the key in base64url characters. */
  keyLength: number
}

export const SECRET_FRAGMENT: FragmentFormat = { label: 'mayfly/v1/link', keyLength: 43 }

/** The fragment of a link whose key is sent separately. */
export const KEYLESS = '0'

/** Length of a fragment in characters. */
export const fragmentLength = ({ keyLength }: FragmentFormat): number => VERSION.length + keyLength + CHECK_LENGTH

/** Encodes a link key as the fragment of a link. `format`: of a link that does not open a secret. */
export function formatFragment(linkKey: Uint8Array, { label }: FragmentFormat = SECRET_FRAGMENT): string {
  const key = base64urlnopad.encode(linkKey)
  return VERSION + key + check(key, label)
}

/**
 * Decodes a fragment to the bytes of its key. Ignores characters that messages and pasting add, such as spaces, quotes,
 * a leading `#` and a final period. They do not occur in keys. Throws LinkError.
 */
export function parseFragment(fragment: string, format: FragmentFormat = SECRET_FRAGMENT): Uint8Array {
  const { label, keyLength } = format
  const text = decodePercent(fragment).replace(/[^\w-]/g, '')
  const length = fragmentLength(format)
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

/**
 * True if a link can open a secret of this kind. A server that reports another kind tries to get the password or to
 * replace the text. `fragment`: of the link, or a key that was typed.
 */
export function isPossibleKind(kind: 'sealed' | 'raw' | 'public', id: string, fragment: string | null): boolean {
  if (isRawId(id)) return kind === 'raw'
  return kind === 'sealed' || (kind === 'public' && !fragment)
}

/** Builds a link. Without a fragment, the link to a raw or public secret. */
export const formatLink = (url: string, fragment: string | null): string => (fragment ? `${url}#${fragment}` : url)

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new LinkError('incomplete')
  }
}

/** Check characters, to detect a truncated or changed link before any request. */
const check = (key: string, label: string): string =>
  base64urlnopad.encode(sha256(utf8ToBytes(label + key))).slice(0, CHECK_LENGTH)
