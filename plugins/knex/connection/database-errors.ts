/** Meaning of the drivers' error codes. */

const DUPLICATE = ['23505', 'ER_DUP_ENTRY']
const MISSING_REFERENCE = ['23503', 'ER_NO_REFERENCED_ROW', 'ER_NO_REFERENCED_ROW_2']
const LOST_RACE = new Set([
  // SQLite
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  // PostgreSQL: serialization failure, deadlock, lock not available
  '40001',
  '40P01',
  '55P03',
  // MySQL and MariaDB
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
])
const DISK_FULL = ['SQLITE_FULL', '53100', 'ER_DISK_FULL', 'ER_RECORD_FILE_FULL', 'ER_TEMP_FILE_WRITE_FAILURE']
/** The server, or the node to which the connection leads, is read-only at the moment. */
export const READ_ONLY = ['25006', 'ER_OPTION_PREVENTS_STATEMENT', 'ER_READ_ONLY_MODE']
/** The database cannot be reached, takes too long, cannot write, or does not allow its user to write. */
const UNAVAILABLE = new Set([
  ...READ_ONLY,
  // SQLite
  'SQLITE_CANTOPEN',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  // Network
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'ERR_STREAM_DESTROYED',
  // PostgreSQL: connection exceptions, idle transaction, too many connections, timeouts, shutdown
  '08000',
  '08001',
  '08003',
  '08006',
  '08P01',
  '25P03',
  '53300',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  // PostgreSQL: the database, the schema, the user or a right is missing
  '28000',
  '28P01',
  '3D000',
  '3F000',
  '42501',
  '42P01',
  // MySQL and MariaDB
  'PROTOCOL_CONNECTION_LOST',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_NORMAL_SHUTDOWN',
  'ER_QUERY_TIMEOUT',
  'ER_STATEMENT_TIMEOUT',
  'ER_QUERY_INTERRUPTED',
  'ER_CONNECTION_KILLED',
  'ER_CLIENT_INTERACTION_TIMEOUT',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_USER_LIMIT_REACHED',
  // MySQL and MariaDB: the database, a table, the user or a right is missing, or the password has expired
  'ER_BAD_DB_ERROR',
  'ER_NO_DB_ERROR',
  'ER_NO_SUCH_TABLE',
  'ER_ACCESS_DENIED_ERROR',
  'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
  'ER_SPECIFIC_ACCESS_DENIED_ERROR',
  'ER_MUST_CHANGE_PASSWORD',
  'ER_MUST_CHANGE_PASSWORD_LOGIN',
  'ER_ACCOUNT_HAS_BEEN_LOCKED',
])
/**
 * Errors without a code. knex: no free connection in time. pg: the server closed the connection, or does not respond.
 * mysql2: the connection was lost before.
 */
const UNAVAILABLE_MESSAGES =
  /Timeout acquiring a connection|Connection terminated|timeout expired|Client has encountered a connection error|in closed state/

/** True when SQLite has undone a statement because of a constraint or a trigger. */
export const isConstraint = (error: unknown): boolean => errorCode(error) === 'SQLITE_CONSTRAINT'

/** True when a row with the same key exists. */
export function isDuplicate(error: unknown): boolean {
  const code = errorCode(error)
  // SQLite has one code for all constraints; only the message names the failed one.
  if (code === 'SQLITE_CONSTRAINT') return /UNIQUE constraint failed/.test((error as Error).message)
  return DUPLICATE.includes(code)
}

/** True when a referenced row does not exist. */
export function isMissingReference(error: unknown): boolean {
  const code = errorCode(error)
  if (code === 'SQLITE_CONSTRAINT') return /FOREIGN KEY constraint failed/.test((error as Error).message)
  return MISSING_REFERENCE.includes(code)
}

/** True when the transaction lost a race and was rolled back completely: it can run again. */
export const isLostRace = (error: unknown): boolean => LOST_RACE.has(errorCode(error))

export const isDiskFull = (error: unknown): boolean =>
  DISK_FULL.includes(errorCode(error)) ||
  // ENOSPC and EDQUOT of Linux; MariaDB has them only in the message.
  (errorCode(error) === 'ER_ERROR_ON_WRITE' && /\b(28|122)\b/.test((error as Error).message))

/** True when the connection should not be used again: a new connection may lead to a server that accepts writes. */
export const isReadOnly = (error: unknown): boolean => READ_ONLY.includes(errorCode(error))

export const isUnavailable = (error: unknown): boolean =>
  UNAVAILABLE.has(errorCode(error)) || (error instanceof Error && UNAVAILABLE_MESSAGES.test(error.message))

/** Numbers of MariaDB that the driver names like errors of MySQL. */
const MARIADB_CODES: Record<number, string> = { 4151: 'ER_ACCOUNT_HAS_BEEN_LOCKED' }

/** The driver's code; empty when there is none. */
export function errorCode(error: unknown): string {
  const { errno } = (error ?? {}) as { errno?: unknown }
  if (typeof errno === 'number' && Object.hasOwn(MARIADB_CODES, errno)) return MARIADB_CODES[errno] ?? ''
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
