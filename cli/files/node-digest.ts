/** SHA-256 with node:crypto, ten times as fast as in JavaScript. */
import { createHash } from 'node:crypto'
import type { Digest } from '#shared/crypto/parts'

export function createNodeDigest(): Digest {
  const hash = createHash('sha256')
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
}
