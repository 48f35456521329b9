/**
 * Known devices: a cookie in each browser in which a user has signed in. Attempts with it are counted separately, so
 * that strangers who try passwords cannot use up the attempts of the user. It grants nothing else. After
 * https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { App } from '../app.js'
import type { User } from '../contracts/users.js'

/** How long a device stays known after a sign-in. */
export const DEVICE_DAYS = 180
const DEVICE_MS = DEVICE_DAYS * 24 * 60 * 60_000

type Instance = Pick<App, 'key' | 'now'>

/** A user, or the user data of a session. */
export type DeviceOwner = Pick<User, 'id' | 'epoch'>

type IdentifiedOwner = DeviceOwner & Pick<User, 'devicesSince'>

/** Id without a user. The cookie is signed in any case, so that the response time reveals nothing. */
const UNKNOWN_USER: IdentifiedOwner = { id: '', epoch: 0, devicesSince: null }

/** Returns the cookie of a new device of this user. It names the security epoch of the account. */
export function issueDeviceCookie({ key, now }: Instance, user: DeviceOwner): string {
  const id = randomBytes(16).toString('base64url')
  const expiresAt = String(now() + DEVICE_MS)
  return `${id}.${expiresAt}.${sign(key, user, id, expiresAt)}`
}

/**
 * Returns the id of the device, or null if the cookie belongs to another user or epoch, is too old, or forgotten.
 * `user`: null if unknown.
 */
export function identifyDevice({ key, now }: Instance, user: IdentifiedOwner | null, cookie: string): string | null {
  const [, id = '', expiresAt = '', signature = ''] = /^([\w-]{22})\.(\d{1,16})\.([\w-]{43})$/.exec(cookie) ?? []
  if (id === '' || Number(expiresAt) <= now()) return null
  const owner = user ?? UNKNOWN_USER
  const expected = sign(key, owner, id, expiresAt)
  if (Number(expiresAt) - DEVICE_MS < (owner.devicesSince ?? 0)) return null
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? id : null
}

const sign = (key: Buffer, user: DeviceOwner, id: string, expiresAt: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify(['mayfly/v1/device', user.id, user.epoch, id, expiresAt]))
    .digest('base64url')
