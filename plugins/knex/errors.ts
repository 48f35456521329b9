/** What the drivers' failures mean. Their messages quote values, so none of them goes further than this file. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, isAppError } from '#core'

/** How long a lost race is run again, in ms. A caller should learn within seconds that the database is blocked. */
const PATIENCE = 4_000
/** Each wait is a random part of a bound that doubles from here, in ms. */
const FIRST_WAIT = 10

const DUPLICATE = ['23505', 'ER_DUP_ENTRY']
/** A row that this one belongs to is not there any more. */
const ORPHAN = ['23503', 'ER_NO_REFERENCED_ROW', 'ER_NO_REFERENCED_ROW_2']
/** Only of MySQL and MariaDB, where a migration can be left half done. */
const REPETITION = [
  ...['ER_TABLE_EXISTS_ERROR', 'ER_DUP_FIELDNAME', 'ER_DUP_KEYNAME', 'ER_MULTIPLE_PRI_KEY', 'ER_FK_DUP_NAME'],
  ...['ER_DUP_CONSTRAINT_NAME', 'ER_BAD_TABLE_ERROR', 'ER_CANT_DROP_FIELD_OR_KEY'],
]
const LOST_RACE = [
  ...['SQLITE_BUSY', 'SQLITE_LOCKED'],
  ...['40001', '40P01', '55P03'],
  ...['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD'],
]
/** There is no room left. */
const NO_ROOM = ['SQLITE_FULL', '53100', 'ER_DISK_FULL', 'ER_RECORD_FILE_FULL', 'ER_TEMP_FILE_WRITE_FAILURE']
/** The database cannot be reached, takes too long, or cannot write. */
const UNAVAILABLE = [
  ...['SQLITE_CANTOPEN', 'SQLITE_IOERR', 'SQLITE_READONLY'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'ETIMEDOUT'],
  ...['ENOENT', 'ERR_STREAM_DESTROYED'],
  ...['08000', '08001', '08003', '08006', '25006', '25P03', '53300', '57014', '57P01', '57P02', '57P03', '57P05'],
  ...['PROTOCOL_CONNECTION_LOST', 'ER_CON_COUNT_ERROR', 'ER_SERVER_SHUTDOWN', 'ER_NORMAL_SHUTDOWN'],
  ...['ER_QUERY_TIMEOUT', 'ER_STATEMENT_TIMEOUT', 'ER_QUERY_INTERRUPTED', 'ER_OPTION_PREVENTS_STATEMENT'],
  ...['ER_CONNECTION_KILLED', 'ER_CLIENT_INTERACTION_TIMEOUT', 'ER_READ_ONLY_MODE'],
]
/**
 * The same, without a code of its own. knex: no connection became free. pg: the server went away in the middle, or does
 * not greet. mysql2: the connection was lost before.
 */
const UNAVAILABLE_WORDS =
  /Timeout acquiring a connection|Connection terminated|timeout expired|Client has encountered a connection error|in closed state/
/** In seconds: when a caller should try again. */
const RETRY_AFTER = 3

/** What a server means by turning us away, for people; its own words may quote what it was given. */
const REFUSALS: [codes: string[], refusal: string][] = [
  [
    ['28P01', '28000', 'ER_ACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR'],
    'refuses the user or the password',
  ],
  [['3D000', 'ER_BAD_DB_ERROR'], 'is not there: the server has no such database'],
  [['42501', 'ER_DBACCESS_DENIED_ERROR'], 'refuses the user, who has no right to use it'],
  [['HANDSHAKE_NO_SSL_SUPPORT'], 'does not speak TLS'],
]

/** True when a row with such a key exists already. */
export function isDuplicate(error: unknown): boolean {
  const code = codeOf(error)
  // SQLite has one code for every constraint; only its message tells which.
  if (code === 'SQLITE_CONSTRAINT') return /UNIQUE constraint failed/.test((error as Error).message)
  return DUPLICATE.includes(code)
}

function isOrphan(error: unknown): boolean {
  const code = codeOf(error)
  if (code === 'SQLITE_CONSTRAINT') return /FOREIGN KEY constraint failed/.test((error as Error).message)
  return ORPHAN.includes(code)
}

/**
 * Runs `work`, again when its transaction lost against another one. `what` names it in the error. `within`: in ms, how
 * long the caller waits at most; the work itself then ends as it may.
 * Throws AppError `storage.conflict` for a taken key or a missing owner, `storage.full`, `storage.unavailable` for a database that does
 * not answer, and otherwise an Error that tells the driver's code but none of its words.
 */
export async function attempt<T>(what: string, work: () => Promise<T>, within?: number): Promise<T> {
  const running = persist(what, work)
  if (within === undefined) return running
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error(`${what}: the database took too long`))), within)
  })
  return Promise.race([running, late]).finally(() => clearTimeout(timer))
}

async function persist<T>(what: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE
  for (let wait = FIRST_WAIT; ; wait *= 2) {
    try {
      return await work()
    } catch (error) {
      if (!isLostRace(error) || Date.now() >= until) throw translated(what, error)
    }
    await sleep(randomInt(wait))
  }
}

/** Why a server turned us away: the end of a sentence about it, with the driver's code. */
export function refusalOf(error: unknown): string {
  const code = codeOf(error)
  const [, refusal] = REFUSALS.find(([codes]) => codes.includes(code)) ?? []
  if (refusal) return `${refusal} (${code})`
  const words = error instanceof Error ? error.message : ''
  if (/does not support SSL/.test(words)) return 'does not speak TLS'
  if (/altnames/.test(words)) return 'has a certificate of another name'
  if (/CERT|ISSUER|SIGNATURE|SSL/.test(code)) return `has a certificate that cannot be verified (${code})`
  return `does not answer (${code || 'no answer in time'})`
}

/** True when a change of the schema finds that it was made already. */
export function isRepetition(error: unknown): boolean {
  // MariaDB's word for a foreign key that is there is in its message alone.
  return REPETITION.includes(codeOf(error)) || (error instanceof Error && /errno: 121/.test(error.message))
}

/** True when the transaction lost against another one and was rolled back as a whole: it may simply run again. */
export const isLostRace = (error: unknown): boolean => LOST_RACE.includes(codeOf(error))

function translated(what: string, error: unknown): Error {
  if (isAppError(error)) return error
  if (isDuplicate(error) || isOrphan(error)) return new AppError('storage.conflict')
  const cause = new Error(`${what}: the database failed (${codeOf(error) || 'no code'})`)
  if (NO_ROOM.includes(codeOf(error))) return new AppError('storage.full', {}, { cause })
  return isLostRace(error) || isUnavailable(error) ? unavailable(cause) : cause
}

const unavailable = (cause: Error) => new AppError('storage.unavailable', { retryAfter: RETRY_AFTER }, { cause })

function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.includes(codeOf(error)) || (error instanceof Error && UNAVAILABLE_WORDS.test(error.message))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
