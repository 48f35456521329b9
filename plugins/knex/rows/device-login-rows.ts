/** Converts rows of device logins to objects and back: see secret-rows.ts. */
import type { DeviceLogin, Scope } from '#core'
import type { RowOf } from '#migrations'
import type { Row } from './secret-rows.js'

/** The row of a pending login. */
export const toDeviceLoginRow = (login: DeviceLogin): RowOf<'device_logins'> => ({
  hash: login.hash,
  user_code_hash: login.userCodeHash,
  client: login.client,
  scopes: login.scopes.join(' '),
  address: login.address,
  created_at: login.createdAt,
  expires_at: login.expiresAt,
  state: 'pending',
  user_id: null,
  epoch: null,
})

export const toDeviceLogin = (row: Row): DeviceLogin => ({
  hash: row.hash,
  userCodeHash: row.user_code_hash,
  client: row.client,
  scopes: row.scopes.split(' ').filter(Boolean) as Scope[],
  address: row.address,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
})
