/** Converts rows of passkeys and authenticator apps to objects and back. */
import { createHash } from 'node:crypto'
import type { Authenticator, Passkey } from '#core'
import type { RowOf } from '#migrations'
import { fromRow, toRow, toWords } from './convert-rows.js'
import type { Row } from './tables.js'

/** Hashed, because the ids are too long for an index of every engine. */
export const credentialHash = (credentialId: string): string => createHash('sha256').update(credentialId).digest('hex')

export const toPasskeyRow = (passkey: Passkey): RowOf<'passkeys'> =>
  toRow('passkeys', {
    ...passkey,
    credentialHash: credentialHash(passkey.credentialId),
    transports: passkey.transports.join(' '),
  })

export const toPasskey = (row: Row): Passkey => ({
  ...fromRow('passkeys', row, 'credential_hash'),
  transports: toWords(row.transports),
})

export const toAuthenticatorRow = (authenticator: Authenticator): RowOf<'authenticators'> =>
  toRow('authenticators', authenticator)

export const toAuthenticator = (row: Row): Authenticator => fromRow('authenticators', row)
