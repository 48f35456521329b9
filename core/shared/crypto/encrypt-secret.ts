/**
 * Client-side encryption and decryption of a secret: keys, envelope, age file, and detection of changes by the server.
 */

import type { CreateSecret, ViewedSecret } from '../api/index.js'
import type { EpochMs } from '../epoch-ms.js'
import { formatFragment } from '../link.js'
import { armorText, decrypt, encrypt, unarmorText } from './age.js'
import { encryptedFileLength, encryptedTextLengthMax, partCount } from './encrypted-sizes.js'
import { type EnvelopeFile, type EnvelopeHeader, packEnvelope, unpackEnvelope } from './envelope.js'
import { deriveKeys, newLinkKey } from './keys.js'

/** An uploaded file. `token`: of its upload. */
export interface DraftFile extends EnvelopeFile {
  token: string
}

/** Input of the sender. `text` is bytes, so that any content arrives unchanged. */
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

/** `fragment`: for the link only, never for the server. `body`: of `POST /secret`. */
export interface EncryptedSecret {
  fragment: string
  body: CreateSecret
}

/** Option that the server changed: a later expiry or more views than the sender chose, or other files. */
export type TamperWarning = 'expiry' | 'views' | 'files'

export interface DecryptedSecret {
  header: EnvelopeHeader
  text: Uint8Array
  warnings: TamperWarning[]
}

/** Allowed difference between the clocks of sender and server, in ms. */
const CLOCK_SKEW_MS = 10 * 60_000

/** Encrypts a draft with a new link key. Takes about 0.5 s if there is a password. */
export async function encryptSecret(
  draft: Draft,
  now: EpochMs = Date.now(),
  linkKey: Uint8Array = newLinkKey(),
): Promise<EncryptedSecret> {
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
 * Decrypts a sealed text. `maxTextBytes`: from `GET /settings`.
 * Throws DecryptError `wrong-key`, `hostile` or `too-large`.
 */
export async function decryptSecret(
  sealed: string,
  passphrase: string,
  maxTextBytes: number,
): Promise<{ header: EnvelopeHeader; text: Uint8Array }> {
  const file = unarmorText(sealed, encryptedTextLengthMax(maxTextBytes))
  return unpackEnvelope(await decrypt(file, passphrase))
}

/** Decrypts the response of a view and compares its options with the sender's choice. Throws as `decryptSecret`. */
export async function decryptViewed(
  viewed: ViewedSecret,
  passphrase: string,
  maxTextBytes: number,
): Promise<DecryptedSecret> {
  const { header, text } = await decryptSecret(viewed.text, passphrase, maxTextBytes)
  return { header, text, warnings: findTampering(header, viewed) }
}

/** Compares the options of a view with the sender's choice. */
export function findTampering(header: EnvelopeHeader, viewed: ViewedSecret): TamperWarning[] {
  const mismatches: TamperWarning[] = []
  if (viewed.expiresAt > header.created + header.ttl * 1000 + CLOCK_SKEW_MS) mismatches.push('expiry')
  // This view is counted already, so fewer views must be left than the sender allowed.
  if (header.maxViews !== null && (viewed.maxViews === null || viewed.maxViews >= header.maxViews)) {
    mismatches.push('views')
  }
  if (!areSameFiles(header.files, viewed.files)) mismatches.push('files')
  return mismatches
}

/** True if ids, sizes and numbers of parts are equal. */
function areSameFiles(expected: EnvelopeFile[], actual: ViewedSecret['files']): boolean {
  const sorted = (entries: string[]) => entries.sort().join()
  return (
    sorted(expected.map(({ id, size }) => `${id} ${encryptedFileLength(size)} ${partCount(size)}`)) ===
    sorted(actual.map(({ id, size, parts }) => `${id} ${size} ${parts}`))
  )
}
