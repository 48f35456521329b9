/** What the drivers' failures mean. Their messages quote values, so none of them goes further than this file. */
import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { AppError, isAppError } from '#core'

/** How long a lost race is run again, in ms. A caller should learn within seconds that the database is blocked. */
const PATIENCE = 5_000
/** Each wait is a random part of a bound that doubles from here, in ms. */
const FIRST_WAIT = 10

const DUPLICATE = ['23505', 'ER_DUP_ENTRY']
const LOST_RACE = [
  ...['SQLITE_BUSY', 'SQLITE_LOCKED'],
  ...['40001', '40P01', '55P03'],
  ...['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD'],
]
/** The database cannot be reached, or cannot write. */
const UNAVAILABLE = [
  ...['SQLITE_CANTOPEN', 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_READONLY'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'ETIMEDOUT'],
  ...['08000', '08001', '08003', '08006', '53300', '57P01', '57P02', '57P03'],
  ...['PROTOCOL_CONNECTION_LOST', 'ER_CON_COUNT_ERROR', 'ER_SERVER_SHUTDOWN'],
]
/**
 * The same, without a code of its own. knex: no connection became free. pg: the server went away in the middle.
 * SQLite: it could not write and rolled back on its own, so that what comes out is that knex cannot any more.
 */
const UNAVAILABLE_WORDS = /Timeout acquiring a connection|Connection terminated|no transaction is active/

/** True when a row with such a key exists already. */
export function isDuplicate(error: unknown): boolean {
  const code = codeOf(error)
  // SQLite has one code for every constraint; only its message tells which.
  if (code === 'SQLITE_CONSTRAINT') return /UNIQUE constraint failed/.test((error as Error).message)
  return DUPLICATE.includes(code)
}

/**
 * Runs `work`, again when its transaction lost against another one. `what` names it in the error.
 * Throws AppError `storage.conflict` for a taken key, `storage.unavailable` for a database that does not answer, and
 * otherwise an Error that tells the driver's code but none of its words.
 */
export async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE
  for (let wait = FIRST_WAIT; ; wait *= 2) {
    try {
      return await work()
    } catch (error) {
      if (!isLostRace(error) || Date.now() >= until) throw translated(what, error)
    }
    await setTimeout(randomInt(wait))
  }
}

/** True when the transaction lost against another one and was rolled back as a whole: it may simply run again. */
export const isLostRace = (error: unknown): boolean => LOST_RACE.includes(codeOf(error))

function translated(what: string, error: unknown): Error {
  if (isAppError(error)) return error
  if (isDuplicate(error)) return new AppError('storage.conflict')
  const cause = new Error(`${what}: the database failed (${codeOf(error) || 'no code'})`)
  return isLostRace(error) || isUnavailable(error) ? new AppError('storage.unavailable', {}, { cause }) : cause
}

function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.includes(codeOf(error)) || (error instanceof Error && UNAVAILABLE_WORDS.test(error.message))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
