/** Meaning of the drivers' error codes. */

const DUPLICATE = ['23505', 'ER_DUP_ENTRY']
const MISSING_REFERENCE = ['23503', 'ER_NO_REFERENCED_ROW', 'ER_NO_REFERENCED_ROW_2']
/** Only MySQL and MariaDB, where a migration can stop halfway. */
const SCHEMA_CHANGE_EXISTS = [
  'ER_TABLE_EXISTS_ERROR',
  'ER_DUP_FIELDNAME',
  'ER_DUP_KEYNAME',
  'ER_MULTIPLE_PRI_KEY',
  'ER_FK_DUP_NAME',
  'ER_DUP_CONSTRAINT_NAME',
  'ER_BAD_TABLE_ERROR',
  'ER_CANT_DROP_FIELD_OR_KEY',
]
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
/** The database cannot be reached, takes too long, or cannot write. */
const UNAVAILABLE = new Set([
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
  // PostgreSQL: connection exceptions, read-only or idle transaction, too many connections, timeouts, shutdown
  '08000',
  '08001',
  '08003',
  '08006',
  '25006',
  '25P03',
  '53300',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  // MySQL and MariaDB
  'PROTOCOL_CONNECTION_LOST',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_NORMAL_SHUTDOWN',
  'ER_QUERY_TIMEOUT',
  'ER_STATEMENT_TIMEOUT',
  'ER_QUERY_INTERRUPTED',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_CONNECTION_KILLED',
  'ER_CLIENT_INTERACTION_TIMEOUT',
  'ER_READ_ONLY_MODE',
])
/**
 * Errors without a code. knex: no free connection in time. pg: the server closed the connection, or does not respond.
 * mysql2: the connection was lost before.
 */
const UNAVAILABLE_MESSAGES =
  /Timeout acquiring a connection|Connection terminated|timeout expired|Client has encountered a connection error|in closed state/

/** True when a row with the same key exists. */
export function isDuplicate(error: unknown): boolean {
  const code = errorCode(error)
  // SQLite has one code for all constraints; only the message tells which one failed.
  if (code === 'SQLITE_CONSTRAINT') return /UNIQUE constraint failed/.test((error as Error).message)
  return DUPLICATE.includes(code)
}

/** True when a row that this one refers to does not exist. */
export function isMissingReference(error: unknown): boolean {
  const code = errorCode(error)
  if (code === 'SQLITE_CONSTRAINT') return /FOREIGN KEY constraint failed/.test((error as Error).message)
  return MISSING_REFERENCE.includes(code)
}

/** True when a schema change was applied before. */
export function isSchemaChangeRepeated(error: unknown): boolean {
  // For an existing foreign key, MariaDB has an error number only in the message.
  return SCHEMA_CHANGE_EXISTS.includes(errorCode(error)) || (error instanceof Error && /errno: 121/.test(error.message))
}

/** True when the transaction lost a race and was rolled back completely: it can run again. */
export const isLostRace = (error: unknown): boolean => LOST_RACE.has(errorCode(error))

export const isDiskFull = (error: unknown): boolean => DISK_FULL.includes(errorCode(error))

export const isUnavailable = (error: unknown): boolean =>
  UNAVAILABLE.has(errorCode(error)) || (error instanceof Error && UNAVAILABLE_MESSAGES.test(error.message))

/** The driver's code; empty when there is none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
