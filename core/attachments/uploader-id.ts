import { createHmac } from 'node:crypto'
import type { AuthContext } from '../contracts/auth-context.js'
import { rateLimitPrefix } from '../lib/ip.js'

/**
 * The id under which uploads are counted: one per user, and one per network for visitors. It is an HMAC under the instance
 * key (hex), so that the database contains no address. Visitors without a known address share one id.
 */
export const deriveUploaderId = ({ userId, address }: Pick<AuthContext, 'userId' | 'address'>, key: Buffer): string => {
  const uploader = userId === null ? ['visitor', rateLimitPrefix(address)] : ['user', userId]
  return createHmac('sha256', key)
    .update(JSON.stringify(['mayfly/v1/uploader', ...uploader]))
    .digest('hex')
}
