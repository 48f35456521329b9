/** Links in e-mails. Their tokens have 256 random bits, so a fast hash is enough. */
import { hash } from 'node:crypto'
import type { App } from '../app.js'
import type { LinkPurpose } from '../contracts/one-time-links.js'
import type { User } from '../contracts/users.js'
import { randomToken } from '../lib/random-token.js'
import type { EpochMs } from '../shared/epoch-ms.js'

export interface OneTimeLink {
  url: string
  expiresAt: EpochMs
}

/**
 * Stores the hash of a new token. `page`: path of the page that the link opens. Throws AppError `storage.conflict` for
 * an unknown user.
 */
export async function createOneTimeLink(
  { storage, config, now }: App,
  { id: userId, email, epoch }: User,
  { purpose, page, lifetimeMs }: { purpose: LinkPurpose; page: string; lifetimeMs: number },
): Promise<OneTimeLink> {
  const token = randomToken(32)
  const expiresAt = now() + lifetimeMs
  await storage.oneTimeLinks.create({ hash: hashLinkToken(token), purpose, userId, email, expiresAt, epoch })
  return { url: `${config.publicUrl}/${page}#${token}`, expiresAt }
}

/** Hex SHA-256. */
export const hashLinkToken = (token: string): string => hash('sha256', token)
