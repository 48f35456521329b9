/** Digests of files: SHA-256 over the SHA-256 digests of the parts, in their order. Parts are hashed in any order. */
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { sha256 } from '../portable-hashes.js'

/** SHA-256 of the plaintext of a part. Native, except in pages over plain http, where browsers lack WebCrypto. */
export async function hashPart(bytes: Uint8Array): Promise<Uint8Array> {
  const { subtle } = globalThis.crypto
  return subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)) : sha256(bytes)
}

/** Digest of a file as hex, from the hashes of all its parts. An empty file has one empty part. */
export const digestOfParts = (hashes: Uint8Array[]): string => bytesToHex(sha256(concatBytes(...hashes)))
