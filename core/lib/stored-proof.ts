import { createHash } from 'node:crypto'

/** Hashes a proof or claim, valid base64url, for storage, as hex. Both are random, so a plain hash is enough. */
export const storedProof = (proof: string): string =>
  createHash('sha256').update('mayfly/v1/store').update(proof, 'base64url').digest('hex')
