/** Who may reach a secret: the proof of the link, the address, the password. Pure rules, no storage. */
import { timingSafeEqual } from 'node:crypto'
import { base64urlnopad } from '@scure/base'
import ipaddr from 'ipaddr.js'
import type { SecretMeta } from '../contracts/storage.js'
import { accessProof, storedProof } from '../shared/keys.js'

/** What a caller shows for a secret. `lookup` is the id in the store. */
export interface Reach {
  lookup: string
  /** The access proof; null when the caller has none. */
  access: string | null
  /** The key inside a raw id, base64url; null for every other id. */
  rawKey: string | null
}

/** Splits `{lookup}~{key}`: whoever has a raw id has its key, so the proof follows from it. */
export function reachOf(id: string, access?: string): Reach {
  const [lookup = '', rawKey = null] = id.split('~')
  return { lookup, rawKey, access: rawKey === null ? (access ?? null) : accessProof(base64urlnopad.decode(rawKey)) }
}

/** True when the caller has the link and calls from an allowed address. */
export function mayReach(meta: SecretMeta, reach: Reach, address: string | null): boolean {
  // A raw id without its key, or with a key on a secret of another kind, is no id of anything.
  if ((meta.kind === 'raw') !== (reach.rawKey !== null)) return false
  return hasProof(meta.accessHash, reach.access) && isAllowedAddress(meta.allowedIp, address)
}

/** True when nothing is asked for, or when the proof's hash is the stored one. Constant time. */
export function hasProof(hash: string | null, proof: string | null): boolean {
  if (hash === null) return true
  if (proof === null) return false
  const expected = Buffer.from(hash, 'hex')
  const shown = Buffer.from(storedProof(proof), 'hex')
  return expected.length === shown.length && timingSafeEqual(expected, shown)
}

/** True when the address is inside the IP or CIDR range. An unknown address is inside none. */
export function isAllowedAddress(allowed: string | null, address: string | null): boolean {
  if (allowed === null) return true
  if (address === null || !ipaddr.isValid(address)) return false
  const caller = ipaddr.process(address)
  const [range, bits] = allowed.includes('/') ? ipaddr.parseCIDR(allowed) : wholeAddress(allowed)
  return caller.kind() === range.kind() && caller.match([range, bits] as never)
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
