/** The key schedule, version 1: everything a client derives from the 32 bytes of a link and from the password. */
import { hkdf } from '@noble/hashes/hkdf.js'
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'

const LABEL = 'mayfly/v1/'
/** RFC 7914 scrypt at the cost OWASP asks for when N is 2^15: r = 8, p = 3. About 0.5 s in a browser. */
const PASSWORD_COST = { N: 2 ** 15, r: 8, p: 3, dkLen: 32 }

/** What a reader sends to prove the link and the password, and the passphrase that opens the age file. */
export interface Keys {
  access: string
  passwordProof: string | null
  passphrase: string
}

/** 32 bytes from the platform's CSPRNG; throws where there is none. */
export const newLinkKey = (): Uint8Array => randomBytes(32)

/** 16 random bytes as 22 base64url characters: the name under which one view is asked for and retried. */
export const newClaim = (): string => base64urlnopad.encode(randomBytes(16))

/** The access proof A: shows that the caller has the link. 43 base64url characters. */
export const accessProof = (linkKey: Uint8Array): string => base64urlnopad.encode(derive(linkKey, 'access'))

/** All keys of a secret. The password is normalised to NFC, so that every keyboard spells it alike. */
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

/** What a server keeps of a proof, as hex. Proofs have 256 bits, so a plain hash is enough. Throws on anything but base64url. */
export const storedProof = (proof: string): string =>
  bytesToHex(sha256(concatBytes(utf8ToBytes(`${LABEL}store`), base64urlnopad.decode(proof))))

/** The age passphrase of one part of a file, counted from 0. */
export const partPassphrase = (fileKey: Uint8Array, index: number): string =>
  base64urlnopad.encode(derive(fileKey, `part/${index}`))

/** The key of a file that came inside a raw secret: whoever has the secret's id has its files. */
export const rawFileKey = (rawKey: Uint8Array, fileId: string): Uint8Array => derive(rawKey, `raw-file/${fileId}`)

/** HKDF-SHA-256 (RFC 5869) with an empty salt. */
function derive(key: Uint8Array, info: string, length = 32): Uint8Array {
  return hkdf(sha256, key, undefined, utf8ToBytes(LABEL + info), length)
}
