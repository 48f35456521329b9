/** Key derivation of secret requests, version 1: all keys that clients derive from the two links. */
import { concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad, bech32 } from '@scure/base'
import { sha256 } from '../portable-hashes.js'
import { formatCollectFragment } from '../request-link.js'
import { drawSafeEnds } from '../safe-ends.js'
import { derive } from './keys.js'

const FINGERPRINT_LENGTH = 16

/** Keys of the holder of the request link. */
export interface ShareKeys {
  /** Shows that the caller has the request link. */
  submitProof: string
  /** age passphrase of title and instructions. */
  notePassphrase: string
  /** HMAC key of the tags of submissions, 32 bytes. Never sent, so the server cannot forge a submission. */
  authenticKey: Uint8Array
}

/** Additional keys of the holder of the collect link. */
export interface CollectKeys extends ShareKeys {
  /** Shows that the caller has the collect link. */
  collectProof: string
  /** 32 bytes of the request link. */
  shareSecret: Uint8Array
  /** age identity, which decrypts submissions: "AGE-SECRET-KEY-PQ-1...". */
  identity: string
}

/**
 * Generates a request key: 32 bytes from the platform's CSPRNG, whose collect link has safe ends. Throws if there is no
 * CSPRNG.
 */
export const newRequestKey = (): Uint8Array => drawSafeEnds(() => randomBytes(32), formatCollectFragment)

/** Derives the keys of the request link. */
export const deriveShareKeys = (shareSecret: Uint8Array): ShareKeys => ({
  submitProof: base64urlnopad.encode(derive(shareSecret, 'request/submit')),
  notePassphrase: base64urlnopad.encode(derive(shareSecret, 'request/note')),
  authenticKey: derive(shareSecret, 'request/authentic'),
})

/** Derives the keys of the collect link. */
export function deriveCollectKeys(requestKey: Uint8Array): CollectKeys {
  const shareSecret = derive(requestKey, 'request/share')
  const seed = derive(requestKey, 'request/identity')
  return {
    ...deriveShareKeys(shareSecret),
    shareSecret,
    collectProof: base64urlnopad.encode(derive(requestKey, 'request/collect')),
    identity: bech32.encodeFromBytes('AGE-SECRET-KEY-PQ-', seed).toUpperCase(),
  }
}

/** Computes the fingerprint of a recipient, which is part of the request link: 16 bytes. */
export const recipientFingerprint = (recipient: string): Uint8Array =>
  sha256(concatBytes(utf8ToBytes('mayfly/v1/request/recipient'), utf8ToBytes(recipient))).slice(0, FINGERPRINT_LENGTH)

/** True if the request link names this recipient. */
export function isFingerprintOf(fingerprint: Uint8Array, recipient: string): boolean {
  const actual = recipientFingerprint(recipient)
  return fingerprint.length === actual.length && actual.every((byte, at) => byte === fingerprint[at])
}
