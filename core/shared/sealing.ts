/** A whole secret, sealed and opened by the client: keys, envelope, age file and the comparison of what was promised. */
import { armorText, decrypt, encrypt, unarmorText } from './age.js'
import type { CreateSecret, ViewedSecret } from './api.js'
import { type EnvelopeFile, type EnvelopeHeader, packEnvelope, unpackEnvelope } from './envelope.js'
import { deriveKeys, newLinkKey } from './keys.js'
import { formatFragment } from './link.js'
import { partCount, sealedFileLength } from './parts.js'

/** A file whose parts are at the server already; `token` is what its upload was given. */
export interface DraftFile extends EnvelopeFile {
  token: string
}

/** What a sender decides. `text` is bytes, so that anything arrives as it was given. */
export interface Draft {
  text: Uint8Array
  files?: DraftFile[]
  /** Seconds. */
  ttl: number
  title?: string
  maxViews?: number
  password?: string
  allowedIp?: string
  preventBurn?: boolean
}

/** `fragment` goes into the link and nowhere else; `body` is what `POST /secret` takes. */
export interface Sealed {
  fragment: string
  body: CreateSecret
}

/** The server was more generous than the sender asked for, or tells of other files. */
export type Mismatch = 'expiry' | 'views' | 'files'

export interface Opened {
  header: EnvelopeHeader
  text: Uint8Array
  mismatches: Mismatch[]
}

/** Longest that a text of `maxTextBytes` becomes when sealed: armour and line ends (4/3 · 65/64), padding (at most 12 %), headers with FILES_MAX files. */
export const sealedLength = (maxTextBytes: number) => Math.ceil(maxTextBytes * 1.6) + 96 * 1024
/** Clocks of sender and server may differ by this much before an expiry counts as altered, in ms. */
const CLOCK_SKEW_MS = 10 * 60_000

/** Seals a draft under a new link key, `now` being epoch ms. Takes about half a second when there is a password. */
export async function seal(
  draft: Draft,
  now: number = Date.now(),
  linkKey: Uint8Array = newLinkKey(),
): Promise<Sealed> {
  const { text, files = [], ttl, title = '', maxViews = 1, password, allowedIp, preventBurn = false } = draft
  const keys = await deriveKeys(linkKey, password)
  const header: EnvelopeHeader = {
    title,
    created: now,
    ttl,
    maxViews: preventBurn ? null : maxViews,
    preventBurn,
    hasPassword: keys.passwordProof !== null,
    files: files.map(({ token, ...file }) => file),
  }
  const file = await encrypt(packEnvelope(header, text), keys.passphrase)
  return {
    fragment: formatFragment(linkKey),
    body: {
      text: armorText(file),
      ttl,
      access: keys.access,
      preventBurn,
      ...(preventBurn ? {} : { maxViews }),
      ...(allowedIp ? { allowedIp } : {}),
      ...(keys.passwordProof ? { password: keys.passwordProof } : {}),
      ...(files.length > 0 ? { files: files.map(({ id, token }) => ({ id, token })) } : {}),
    },
  }
}

/**
 * Opens a sealed text. `maxTextBytes` is the limit that the server announces.
 * Throws SealError `wrong-key`, `hostile` or `too-large`.
 */
export async function open(
  sealed: string,
  passphrase: string,
  maxTextBytes: number,
): Promise<{ header: EnvelopeHeader; text: Uint8Array }> {
  const file = unarmorText(sealed, sealedLength(maxTextBytes))
  return unpackEnvelope(await decrypt(file, passphrase))
}

/** Opens what a view answered and compares it with what the sender asked for. Throws as `open`. */
export async function openViewed(viewed: ViewedSecret, passphrase: string, maxTextBytes: number): Promise<Opened> {
  const { header, text } = await open(viewed.text, passphrase, maxTextBytes)
  return { header, text, mismatches: compare(header, viewed) }
}

function compare(header: EnvelopeHeader, viewed: ViewedSecret): Mismatch[] {
  const mismatches: Mismatch[] = []
  if (viewed.expiresAt > header.created + header.ttl * 1000 + CLOCK_SKEW_MS) mismatches.push('expiry')
  // One view is spent by the time this is compared, so fewer must be left than the sender allowed.
  if (header.maxViews !== null && (viewed.maxViews === null || viewed.maxViews >= header.maxViews)) {
    mismatches.push('views')
  }
  if (!areSame(header.files, viewed.files)) mismatches.push('files')
  return mismatches
}

/** The same files, as large as they must be and in as many parts. */
function areSame(promised: EnvelopeFile[], told: ViewedSecret['files']): boolean {
  const sorted = (facts: string[]) => facts.sort().join()
  return (
    sorted(promised.map(({ id, size }) => `${id} ${sealedFileLength(size)} ${partCount(size)}`)) ===
    sorted(told.map(({ id, size, parts }) => `${id} ${size} ${parts}`))
  )
}
