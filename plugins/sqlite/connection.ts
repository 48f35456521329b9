import { stat } from 'node:fs/promises'
import knex, { type Knex } from 'knex'
import { CONNECTION_DEFAULTS } from '#plugins/knex'
import { type Connection, type Done, keepStatements } from './prepared-statements.js'
import { retryLocked } from './retry-locked.js'

/** Of new databases, in bytes. A text takes at least two pages, so small pages save space. See docs/decisions/041. */
const PAGE_SIZE = 1024
/** In bytes: the size to which the write-ahead log grows before it is copied into the database. */
const CHECKPOINT_SIZE = 4096 * 1000

/**
 * Opens a database with one connection, so that calls of this process never wait for each other's locks. `lockTimeoutMs`: how long
 * a statement waits for the lock of another process.
 */
export function connect(filename: string, lockTimeoutMs: number): Knex {
  const db = knex({
    ...CONNECTION_DEFAULTS,
    client: 'sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate(connection: Connection, done: Done) {
        keepStatements(connection)
        retryLocked(connection, lockTimeoutMs)
        ignoreMissingTransaction(connection)
        disposeUnfinished(connection)
        // `exec` does not retry, so it uses the busy timeout of SQLite.
        connection.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}; ${PRAGMAS} PRAGMA busy_timeout = 0;`, done)
      },
    },
  })
  beginImmediate(db)
  return db
}

/**
 * Makes every transaction start as a writer. A transaction that reads first and writes later fails when another process
 * has written meanwhile, regardless of the busy timeout.
 */
function beginImmediate({ client }: Knex): void {
  const transaction: (...args: unknown[]) => Transaction = client.transaction.bind(client)
  client.transaction = (...args: unknown[]) => {
    const started = transaction(...args)
    return Object.assign(started, { begin: (connection: unknown) => started.query(connection, 'BEGIN IMMEDIATE;') })
  }
}

/** When the disk is full, SQLite rolls back by itself. The failing ROLLBACK of knex must not replace the original error. */
function ignoreMissingTransaction(connection: Connection): void {
  const all = connection.all.bind(connection)
  connection.all = (sql, ...rest) => {
    if (!/^ROLLBACK\b/.test(sql)) return all(sql, ...rest)
    const done = rest.pop() as Done
    const isOver = (error: Error | null) => /no transaction is active/.test(error?.message ?? '')
    return all(sql, ...rest, (error: Error | null, rows: unknown) => done(isOver(error) ? null : error, rows))
  }
}

/**
 * After a failed COMMIT or ROLLBACK the transaction may still be open, and knex would use the connection for other calls, whose
 * writes would be part of it. The pool closes the connection instead, which rolls back.
 */
function disposeUnfinished(connection: Connection & { __knex__disposed?: Error }): void {
  const all = connection.all.bind(connection)
  connection.all = (sql, ...rest) => {
    if (!/^(COMMIT|ROLLBACK)\b/.test(sql)) return all(sql, ...rest)
    const done = rest.pop() as Done
    return all(sql, ...rest, (error: Error | null, rows: unknown) => {
      if (error) connection.__knex__disposed = error
      done(error, rows)
    })
  }
}

/** In bytes. A database keeps the page size with which it was created. */
export async function readPageSize(db: Knex): Promise<number> {
  const [{ page_size: pageSize }] = await db.raw('PRAGMA page_size')
  return pageSize
}

/** Whether a killed process has left a write-ahead log that the next commit would copy into the database. */
export async function hasLargeLog(filename: string): Promise<boolean> {
  const { size } = await stat(`${filename}-wal`).catch(() => ({ size: 0 }))
  return size > CHECKPOINT_SIZE
}

/** Lets commits copy the write-ahead log into the database when it has grown to `CHECKPOINT_SIZE`, or never. */
export async function setCheckpoints(db: Knex, pageSize: number, isOn: boolean): Promise<void> {
  await db.raw(`PRAGMA wal_autocheckpoint = ${isOn ? Math.ceil(CHECKPOINT_SIZE / pageSize) : 0}`)
}

/** Throws an Error of one sentence unless committed data survives a power cut. */
export async function checkDurability(db: Knex): Promise<void> {
  const [{ journal_mode: journal }] = await db.raw('PRAGMA journal_mode')
  const [{ synchronous }] = await db.raw('PRAGMA synchronous')
  if (journal !== 'wal')
    throw new Error(`The file system of the database does not allow a write-ahead log (${journal}).`)
  if (synchronous !== FULL)
    throw new Error('SQLite does not wait for the disk when it commits (synchronous is not FULL).')
}

/** Checks every page. Returns the first problem as SQLite describes it, without data; null: none. */
export async function findDamage(db: Knex): Promise<string | null> {
  const [{ integrity_check: found }] = await db.raw('PRAGMA integrity_check(1)')
  return found === 'ok' ? null : String(found)
}

interface Transaction {
  query(connection: unknown, sql: string): Promise<unknown>
}

/** With NORMAL, the default of many builds with a write-ahead log, a power cut may undo a committed view. */
const FULL = 2
const PRAGMAS = `
  PRAGMA page_size = ${PAGE_SIZE};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
`
