/** Tokens of links in e-mails. They have 256 random bits, so a fast hash is enough. */
import { createHash } from 'node:crypto'
import { randomToken } from '../lib/random-token.js'

/** A new token, which is not stored, and its hash, which is. */
export function createLinkToken(): { token: string; hash: string } {
  const token = randomToken(32)
  return { token, hash: hashLinkToken(token) }
}

/** Hex SHA-256. */
export const hashLinkToken = (token: string): string => createHash('sha256').update(token).digest('hex')
