import { createHmac } from 'node:crypto'
import type { AuthContext } from '../contracts/auth-context.js'
import { rateLimitPrefix, siteRateLimitPrefix } from '../lib/ip.js'

/** Which quota of a user an upload uses: for own uploads, or for submissions to the user's requests. */
export type QuotaShare = 'own' | 'requests'

export const QUOTA_SHARES: readonly QuotaShare[] = ['own', 'requests']

/**
 * The id under which uploads are counted: one per user, another one for the submissions to all requests of this user,
 * and one per network for visitors. It is an HMAC under the instance key (hex), so that the database contains no
 * address. Visitors without a known address share one id.
 */
export const deriveUploaderId = (
  { userId, address }: Pick<AuthContext, 'userId' | 'address'>,
  key: Buffer,
  share: QuotaShare = 'own',
): string => {
  const ofUser = share === 'own' ? 'user' : 'requests of user'
  return deriveId(userId === null ? ['visitor', rateLimitPrefix(address)] : [ofUser, userId], key)
}

/**
 * Ids of the budgets that a visitor shares with others: of the IPv6 /48 network (null for IPv4), and of all visitors.
 */
export function deriveSharedIds(address: string | null, key: Buffer): { site: string | null; visitors: string } {
  const site = siteRateLimitPrefix(address)
  return { site: site && deriveId(['visitors of site', site], key), visitors: deriveId(['visitors'], key) }
}

const deriveId = (uploader: string[], key: Buffer): string =>
  createHmac('sha256', key)
    .update(JSON.stringify(['mayfly/v1/uploader', ...uploader]))
    .digest('hex')
