/** Who counts as one uploader: a user, or the network that a visitor comes from. */
import { createHash } from 'node:crypto'
import type { Caller } from '../caller.js'
import { networkOf } from '../network.js'

/** Hex SHA-256, so that the database names no address in plain words. Everyone without an address is one. */
export const uploaderOf = ({ userId, address }: Caller): string =>
  userId === null ? hashOf('visitor', networkOf(address)) : uploaderOfUser(userId)

export const uploaderOfUser = (userId: string): string => hashOf('user', userId)

const hashOf = (...who: string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(['mayfly/v1/uploader', ...who]))
    .digest('hex')
