import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import knex, { type Knex } from 'knex'
import { OperatorError } from '#core'
import { CONNECTION_DEFAULTS } from '#plugins/knex'
import {
  createSqliteClient,
  type Done,
  discardConnection,
  interceptCalls,
  replaceBegin,
  type SqliteConnection,
} from '#plugins/knex/connection/knex-internals'
import { chooseDriver, type SqliteDriver } from './drivers/sqlite-driver.js'

/** Of new databases, in bytes. A text takes at least two pages, so small pages save space. See docs/decisions/041. */
const PAGE_SIZE = 1024
/** In bytes: the size to which the write-ahead log grows before it is copied into the database. */
const CHECKPOINT_SIZE = 4096 * 1000

/**
 * Opens a database with one connection, so that calls of this process never wait for each other's locks.
 * `lockTimeoutMs`: how long a statement waits for the lock of another process.
 */
export function connect(filename: string, lockTimeoutMs: number, driver = chooseDriver()): Knex {
  const db = knex({
    ...CONNECTION_DEFAULTS,
    client: createSqliteClient((file) => driver.open(file, lockTimeoutMs)),
    connection: { filename },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate(connection: SqliteConnection, done: Done) {
        watchTransactionEnds(connection)
        // `exec` does not retry, so it uses the busy timeout of SQLite.
        const create = isEmpty(filename) ? NEW_DATABASE : ''
        const setUp = `PRAGMA busy_timeout = ${lockTimeoutMs}; ${create} ${PRAGMAS} PRAGMA busy_timeout = 0;`
        connection.exec(setUp, (error) => {
          if (!error) return done.call(connection, null)
          // knex drops the connection without closing it, and an open connection keeps the log of the others on the
          // disk.
          connection.close(() => done.call(connection, error))
        })
      },
    },
  })
  beginImmediate(db)
  return db
}

const isEmpty = (filename: string) => (statSync(filename, { throwIfNoEntry: false })?.size ?? 0) === 0

/**
 * Makes every transaction start as a writer. A transaction that reads first and writes later fails when another process
 * has written meanwhile, regardless of the busy timeout.
 */
function beginImmediate(db: Knex): void {
  replaceBegin(db, async ({ query }) => {
    try {
      await query('BEGIN IMMEDIATE;')
    } catch (error) {
      // `node:sqlite` refuses statements until the rollback.
      await query('ROLLBACK;')
      throw error
    }
  })
}

/**
 * When the disk is full, SQLite rolls back by itself: a ROLLBACK that fails then must not replace the original error.
 * After any other failed COMMIT or ROLLBACK the transaction may still be open, and knex would use the connection for
 * other calls, whose writes would join that transaction. The pool closes the connection instead, which rolls back.
 */
function watchTransactionEnds(connection: SqliteConnection): void {
  interceptCalls(connection, ({ sql, done, run }) => {
    const [end] = /^(COMMIT|ROLLBACK)\b/.exec(sql) ?? []
    if (!end) return run(done)
    return run((error, rows) => {
      const isOver = end === 'ROLLBACK' && /no transaction is active/.test(error?.message ?? '')
      if (error && !isOver) discardConnection(connection, error)
      done.call(connection, isOver ? null : error, rows)
    })
  })
}

/** As `Storage.driver`. */
export async function describeDriver(db: Knex, { name }: SqliteDriver): Promise<string> {
  const [{ version }] = await db.raw('select sqlite_version() as version')
  return `${name}, SQLite ${version}`
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
  if (journal !== 'wal') {
    const message = `The file system of the database does not allow a write-ahead log (${journal}).`
    throw new OperatorError(message, { hint: 'put the database on a local disk, not on a network file system' })
  }
  if (synchronous !== FULL)
    throw new Error('SQLite does not wait for the disk when it commits (synchronous is not FULL).')
}

/** Checks every page. Returns the first problem as SQLite describes it, without data; null: none. */
export async function findDamage(db: Knex): Promise<string | null> {
  const [{ integrity_check: found }] = await db.raw('PRAGMA integrity_check(1)')
  return found === 'ok' ? null : String(found)
}

/** With NORMAL, the default of many builds with a write-ahead log, a power cut may undo a committed view. */
const FULL = 2
/** For a new database, before its first page. In an existing database, the second line would be a write. */
const NEW_DATABASE = `PRAGMA page_size = ${PAGE_SIZE}; PRAGMA auto_vacuum = INCREMENTAL;`
/**
 * A statement that returns texts collects them in a temporary table, which must not be a file because it would not be
 * wiped.
 */
const PRAGMAS = `
  PRAGMA temp_store = MEMORY;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
`
