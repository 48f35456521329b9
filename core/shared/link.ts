/** Links, version 1: `{publicUrl}/secret/{id}#{fragment}`, where fragment = "1" + b64url(32 bytes) + 2 check characters. */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'

const VERSION = '1'
const KEY_LENGTH = 43
const FRAGMENT_LENGTH = 46
const ID = /^[A-Za-z0-9_-]{21}[AQgw]$/
/** The last characters of 16 and 32 bytes in base64url carry only some of their bits: one spelling per value. */
const RAW_ID = /^[A-Za-z0-9_-]{21}[AQgw]~[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** Why a link or key cannot be used. Found without asking a server, so nothing was used up. */
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

/** A link taken apart. `base` is what stands before `/secret/`; `fragment` is null when the key travels apart. */
export interface Link {
  base: string
  id: string
  fragment: string | null
}

/** The key of a link as people carry it. */
export function formatFragment(linkKey: Uint8Array): string {
  const key = base64urlnopad.encode(linkKey)
  return VERSION + key + check(key)
}

/** The 32 bytes behind a fragment. Tolerates what pasting adds: spaces, quotes, a leading `#`. Throws LinkError. */
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

/** True for `{lookup}~{key}`: a secret that the server encrypted, whose id carries the key. */
export const isRawId = (id: string): boolean => RAW_ID.test(id)

/** True for anything that can name a secret. */
export const isSecretId = (id: string): boolean => ID.test(id) || RAW_ID.test(id)

/** The link that is sent to people. Without a fragment: the keyless form. */
export const formatLink = (url: string, fragment: string | null): string => (fragment ? `${url}#${fragment}` : url)

/** Reads every form of a link: share, keyless, and `/secret/{encryptionKey}/{secretId}`. Throws LinkError. */
export function parseLink(link: string): Link {
  const url = parseUrl(link.trim().replace(/^[<"'`]+|[>"'`]+$/g, ''))
  const [, base, key, id] = /^(.*)\/secret\/(?:([^/]+)\/)?([^/]+)\/?$/.exec(decoded(url.pathname)) ?? []
  if (base === undefined || id === undefined || !isSecretId(id)) throw new LinkError('not-a-link')
  return { base: url.origin + base, id, fragment: key ?? (decoded(url.hash).slice(1) || null) }
}

function parseUrl(text: string): URL {
  try {
    const url = new URL(text)
    if (url.protocol === 'http:' || url.protocol === 'https:') return url
  } catch {}
  throw new LinkError('not-a-link')
}

/** Messengers percent-encode what they do not know. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new LinkError('not-a-link')
  }
}

/** Catches a link that was cut or mangled before any request is made. */
const check = (key: string): string => base64urlnopad.encode(sha256(utf8ToBytes(`mayfly/v1/link${key}`))).slice(0, 2)
