import { createHmac } from 'node:crypto'
import type { AuthContext } from '../contracts/auth-context.js'
import { rateLimitPrefix } from '../lib/ip.js'

/** Whose quota of a user an upload uses: that of the user's own uploads, or that of the submissions to the user's requests. */
export type QuotaShare = 'own' | 'requests'

export const QUOTA_SHARES: readonly QuotaShare[] = ['own', 'requests']

/**
 * The id under which uploads are counted: one per user, another one for the submissions to all requests of this user, and one
 * per network for visitors. It is an HMAC under the instance key (hex), so that the database contains no address. Visitors
 * without a known address share one id.
 */
export const deriveUploaderId = (
  { userId, address }: Pick<AuthContext, 'userId' | 'address'>,
  key: Buffer,
  share: QuotaShare = 'own',
): string => {
  const ofUser = share === 'own' ? 'user' : 'requests of user'
  const uploader = userId === null ? ['visitor', rateLimitPrefix(address)] : [ofUser, userId]
  return createHmac('sha256', key)
    .update(JSON.stringify(['mayfly/v1/uploader', ...uploader]))
    .digest('hex')
}
