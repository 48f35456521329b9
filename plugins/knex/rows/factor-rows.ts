/** Converts rows of passkeys and authenticator apps to objects and back: see secret-rows.ts. */
import { createHash } from 'node:crypto'
import type { Authenticator, Passkey } from '#core'
import type { RowOf } from '#migrations'
import type { Row } from './secret-rows.js'

/** Hashed, because the ids are too long for an index of every engine. */
export const credentialHash = (credentialId: string): string => createHash('sha256').update(credentialId).digest('hex')

export const toPasskeyRow = (passkey: Passkey): RowOf<'passkeys'> => ({
  id: passkey.id,
  user_id: passkey.userId,
  credential_hash: credentialHash(passkey.credentialId),
  credential_id: passkey.credentialId,
  public_key: passkey.publicKey,
  counter: passkey.counter,
  transports: passkey.transports.join(' '),
  backed_up: passkey.backedUp,
  name: passkey.name,
  created_at: passkey.createdAt,
  used_at: passkey.usedAt,
  epoch: passkey.epoch,
})

export const toPasskey = (row: Row): Passkey => ({
  id: row.id,
  userId: row.user_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: Number(row.counter),
  transports: row.transports.split(' ').filter(Boolean),
  backedUp: Boolean(row.backed_up),
  name: row.name,
  createdAt: Number(row.created_at),
  usedAt: row.used_at === null ? null : Number(row.used_at),
  epoch: Number(row.epoch),
})

export const toAuthenticatorRow = (authenticator: Authenticator): RowOf<'authenticators'> => ({
  user_id: authenticator.userId,
  secret: authenticator.secret,
  created_at: authenticator.createdAt,
  used_at: authenticator.usedAt,
  last_step: authenticator.lastStep,
  epoch: authenticator.epoch,
})

export const toAuthenticator = (row: Row): Authenticator => ({
  userId: row.user_id,
  secret: row.secret,
  createdAt: Number(row.created_at),
  usedAt: row.used_at === null ? null : Number(row.used_at),
  lastStep: Number(row.last_step),
  epoch: Number(row.epoch),
})
