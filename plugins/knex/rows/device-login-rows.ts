/** Converts rows of device logins to objects and back. */
import type { DeviceLogin } from '#core'
import type { RowOf } from '#migrations'
import { fromRow, toRow, toWords } from './convert-rows.js'
import type { Row } from './tables.js'

/** The row of a pending login. */
export const toDeviceLoginRow = (login: DeviceLogin): RowOf<'device_logins'> =>
  toRow('device_logins', { ...login, scopes: login.scopes.join(' '), state: 'pending', userId: null, epoch: null })

export const toDeviceLogin = (row: Row): DeviceLogin => ({
  ...fromRow('device_logins', row, 'state', 'user_id', 'epoch'),
  scopes: toWords(row.scopes),
})
