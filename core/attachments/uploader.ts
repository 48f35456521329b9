/** Who counts as one uploader: a user, or the network that a visitor comes from. */
import { createHmac } from 'node:crypto'
import type { AuthContext } from '../caller.js'
import { networkOf } from '../network.js'

/** `key`: of the instance. Hex, so that the database names no address, and who has it alone cannot try them all. Everyone without an address is one. */
export const uploaderOf = ({ userId, address }: Pick<AuthContext, 'userId' | 'address'>, key: Buffer): string => {
  const who = userId === null ? ['visitor', networkOf(address)] : ['user', userId]
  return createHmac('sha256', key)
    .update(JSON.stringify(['mayfly/v1/uploader', ...who]))
    .digest('hex')
}
