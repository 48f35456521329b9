/** Key derivation, version 1: all keys that a client derives from the 32 bytes of a link and the password. */
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import { formatFragment } from '../link.js'
import { hkdf, sha256 } from '../portable-hashes.js'
import { drawSafeEnds } from '../safe-ends.js'

const LABEL = 'mayfly/v1/'
/** scrypt (RFC 7914) with the parameters that OWASP recommends for N = 2^15: r = 8, p = 3. About 0.5 s in a browser. */
const PASSWORD_COST = { N: 2 ** 15, r: 8, p: 3, dkLen: 32 }

/** The proofs of link and password that a reader sends, and the passphrase of the age file. */
export interface Keys {
  access: string
  passwordProof: string | null
  passphrase: string
}

/**
 * Generates a link key: 32 bytes from the platform's CSPRNG, whose fragment has safe ends. Throws if there is no
 * CSPRNG.
 */
export const newLinkKey = (): Uint8Array => drawSafeEnds(() => randomBytes(32), formatFragment)

/** Generates a claim, which identifies one view and its retries: 16 random bytes as 22 base64url characters. */
export const newClaim = (): string => base64urlnopad.encode(randomBytes(16))

/** Derives the access proof, which proves possession of the link. 43 base64url characters. */
export const accessProof = (linkKey: Uint8Array): string => base64urlnopad.encode(derive(linkKey, 'access'))

/** Derives all keys of a secret. The password is normalized to NFC, so that it is the same from every keyboard. */
export async function deriveKeys(linkKey: Uint8Array, password?: string): Promise<Keys> {
  const access = accessProof(linkKey)
  if (!password) return { access, passwordProof: null, passphrase: base64urlnopad.encode(derive(linkKey, 'age')) }
  const salt = derive(linkKey, 'password-salt', 16)
  const stretched = await scryptAsync(utf8ToBytes(password.normalize('NFC')), salt, PASSWORD_COST)
  const both = concatBytes(linkKey, stretched)
  return {
    access,
    passwordProof: base64urlnopad.encode(derive(both, 'password')),
    passphrase: base64urlnopad.encode(derive(both, 'age')),
  }
}

/** Derives the age passphrase of one part of a file. `index` starts at 0. */
export const partPassphrase = (fileKey: Uint8Array, index: number): string =>
  base64urlnopad.encode(derive(fileKey, `part/${index}`))

/** Derives the key of a file of a raw secret from the key in the secret's id. */
export const rawFileKey = (rawKey: Uint8Array, fileId: string): Uint8Array => derive(rawKey, `raw-file/${fileId}`)

/** HKDF-SHA-256 (RFC 5869) with an empty salt. `info`: names the purpose of the derived key. */
export function derive(key: Uint8Array, info: string, length = 32): Uint8Array {
  return hkdf(sha256, key, undefined, utf8ToBytes(LABEL + info), length)
}
