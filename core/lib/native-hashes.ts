/**
 * SHA-256, HMAC and HKDF of node:crypto, with the interface of `@noble/hashes`: a short command runs them a few times,
 * before JavaScript is compiled. The build uses it on Node.js, see scripts/bundle-dependencies.ts.
 */
import { createHash, createHmac, hkdfSync } from 'node:crypto'

const HASH = 'sha256'

export const sha256 = (data: Uint8Array): Uint8Array => new Uint8Array(createHash(HASH).update(data).digest())

/** The first parameter names the hash in the interface. It is always SHA-256. */
export const hmac = (_hash: unknown, key: Uint8Array, data: Uint8Array): Uint8Array =>
  new Uint8Array(createHmac(HASH, key).update(data).digest())

/** `length`: of the derived key, in bytes. */
export const hkdf = (
  _hash: unknown,
  secret: Uint8Array,
  salt: Uint8Array | undefined,
  info: Uint8Array,
  length: number,
): Uint8Array => new Uint8Array(hkdfSync(HASH, secret, salt ?? new Uint8Array(), info, length))
