import { hash } from 'node:crypto'

const PREFIX = Buffer.from('mayfly/v1/store')

/** Hashes a proof or claim, valid base64url, for storage, as hex. Both are random, so a plain hash is enough. */
export const storedProof = (proof: string): string =>
  hash('sha256', Buffer.concat([PREFIX, Buffer.from(proof, 'base64url')]))
