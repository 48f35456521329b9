/**
 * Tokens in the links that turn the notifications of an account off. They do not need a row, and allow nothing else.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** `key`: of the instance, 32 bytes. */
export const createUnsubscribeToken = (key: Buffer, userId: string): string => `${userId}.${sign(key, userId)}`

/** Returns the id of the user, or null for a token that this instance did not create. */
export function readUnsubscribeToken(key: Buffer, token: string): string | null {
  const [, userId = '', signature = ''] = /^([\w-]{1,64})\.([\w-]{43})$/.exec(token) ?? []
  if (userId === '') return null
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, userId))) ? userId : null
}

const sign = (key: Buffer, userId: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify(['mayfly/v1/unsubscribe', userId]))
    .digest('base64url')
