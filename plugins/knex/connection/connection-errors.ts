import { errorCode } from './database-errors.js'

/** Why a server refuses a connection. The driver's own message may contain credentials. */
const REASONS: [codes: string[], reason: string][] = [
  [
    ['28P01', '28000', 'ER_ACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR'],
    'refuses the user or the password',
  ],
  [['3D000', 'ER_BAD_DB_ERROR'], 'is not there: the server has no such database'],
  [['42501', 'ER_DBACCESS_DENIED_ERROR'], 'denies access: the user has no privileges on it'],
  [['HANDSHAKE_NO_SSL_SUPPORT'], 'does not speak TLS'],
]

/** Describes a failed connection: the rest of a sentence that starts with the location, with the driver's code. */
export function describeConnectionError(error: unknown): string {
  const code = errorCode(error)
  const [, reason] = REASONS.find(([codes]) => codes.includes(code)) ?? []
  if (reason) return `${reason} (${code})`
  const message = error instanceof Error ? error.message : ''
  if (/does not support SSL/.test(message)) return 'does not speak TLS'
  if (/altnames/.test(message)) return 'has a certificate of another name'
  if (/CERT|ISSUER|SIGNATURE|SSL/.test(code)) return `has a certificate that cannot be verified (${code})`
  return `does not answer (${code || 'no answer in time'})`
}
