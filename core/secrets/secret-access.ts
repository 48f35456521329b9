/** Authorization rules of secrets: link, address and proofs. Pure functions without storage. */
import { timingSafeEqual } from 'node:crypto'
import { base64urlnopad } from '@scure/base'
import type { AuthContext } from '../contracts/auth-context.js'
import type { SecretMeta } from '../contracts/storage.js'
import { isAllowedAddress } from '../lib/ip.js'
import { storedProof } from '../lib/stored-proof.js'
import { PROOF_PATTERN } from '../shared/api/index.js'
import { accessProof } from '../shared/crypto/keys.js'

/** A secret and the credentials of the link that a caller used. */
export interface SecretRef {
  /** Id in the store. */
  lookup: string
  /** Access proof; null when the caller sent none. */
  access: string | null
  /** The key in the id of a raw secret, base64url; null for other kinds. */
  rawKey: string | null
}

/** Splits `{lookup}~{key}`. The id of a raw secret contains its key, from which the access proof is derived. */
export function parseSecretRef(id: string, access?: string): SecretRef {
  const [lookup = '', rawKey = null] = id.split('~')
  return { lookup, rawKey, access: rawKey === null ? (access ?? null) : accessProof(base64urlnopad.decode(rawKey)) }
}

/** True when the caller has the complete link and an allowed address. */
export function isAuthorized(meta: SecretMeta, ref: SecretRef, address: string | null): boolean {
  // A raw secret requires the key in its id. Other kinds refuse a key.
  if ((meta.kind === 'raw') !== (ref.rawKey !== null)) return false
  return hasProof(meta.accessHash, ref.access) && isAllowedAddress(meta.allowedIp, address)
}

/** False for visitors: a secret of a visitor does not have an owner. */
export const isCreator = ({ ownerId }: SecretMeta, { userId }: AuthContext): boolean =>
  ownerId !== null && ownerId === userId

/** True when `hash` is null (no proof required) or the hash of `proof`. Compares in constant time. */
export function hasProof(hash: string | null, proof: string | null): boolean {
  if (hash === null) return true
  // The password of a sealed secret is a proof, but a client may send any text.
  if (proof === null || !PROOF_PATTERN.test(proof)) return false
  const expected = Buffer.from(hash, 'hex')
  const actual = Buffer.from(storedProof(proof), 'hex')
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
