/**
 * scrypt of node:crypto, with the interface of `@noble/hashes`: several times as fast as in JavaScript, and does not
 * block. The build uses it on Node.js, see scripts/bundle-dependencies.ts.
 */
import { getFips, scrypt as nativeScrypt, scryptSync } from 'node:crypto'
import { scrypt as portable, scryptAsync as portableAsync } from '@noble/hashes/scrypt.js'

interface Cost {
  N: number
  r: number
  p: number
  dkLen: number
}

/** In bytes, in addition to the memory of the algorithm. */
const SPARE_MEMORY = 2 ** 20

/** Throws an Error for invalid parameters. */
export function scrypt(password: Uint8Array, salt: Uint8Array, cost: Cost): Uint8Array {
  // OpenSSL in FIPS mode lacks scrypt.
  if (getFips() === 1) return portable(password, salt, cost)
  return toBytes(scryptSync(password, salt, cost.dkLen, limits(cost)))
}

/** Rejects with an Error for invalid parameters. */
export function scryptAsync(password: Uint8Array, salt: Uint8Array, cost: Cost): Promise<Uint8Array> {
  if (getFips() === 1) return portableAsync(password, salt, cost)
  return new Promise((resolve, reject) => {
    nativeScrypt(password, salt, cost.dkLen, limits(cost), (error, key) => {
      if (error) reject(error)
      else resolve(toBytes(key))
    })
  })
}

const limits = ({ N, r, p }: Cost) => ({ N, r, p, maxmem: 128 * r * (N + p) + SPARE_MEMORY })

const toBytes = (key: Buffer): Uint8Array => new Uint8Array(key.buffer, key.byteOffset, key.length)
