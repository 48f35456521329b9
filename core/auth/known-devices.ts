/**
 * Known devices: a cookie in each browser in which a user has signed in. Attempts with it are counted separately, so that
 * strangers who try passwords cannot use up the attempts of the user. It grants nothing else. After
 * https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const DAY_MS = 24 * 60 * 60_000
/** How long a device stays known after a sign-in. */
export const DEVICE_DAYS = 180

export type KnownDevices = ReturnType<typeof knownDevices>

/** `key`: of the instance, 32 bytes. `now`: epoch ms. */
export function knownDevices(key: Buffer, now: () => number) {
  const sign = (username: string, id: string, expiresAt: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify(['mayfly/v1/device', username, id, expiresAt]))
      .digest('base64url')

  return {
    /** Returns the cookie of a new device of this user. */
    issue(username: string): string {
      const id = randomBytes(16).toString('base64url')
      const expiresAt = String(now() + DEVICE_DAYS * DAY_MS)
      return `${id}.${expiresAt}.${sign(username, id, expiresAt)}`
    },

    /** Returns the id of the device, or null if the cookie is not one of this user, or too old. */
    identify(username: string, cookie: string): string | null {
      const [, id = '', expiresAt = '', signature = ''] = /^([\w-]{22})\.(\d{1,16})\.([\w-]{43})$/.exec(cookie) ?? []
      if (id === '' || Number(expiresAt) <= now()) return null
      return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(username, id, expiresAt))) ? id : null
    },
  }
}
