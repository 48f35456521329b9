import knex, { type Knex } from 'knex'
import { CONNECTION_DEFAULTS } from '#plugins/knex'

/** Bytes; SQLite's default, named because index.ts counts on it. */
export const PAGE_SIZE = 4096

/** The only place that names the driver. One connection, so that the calls of this process never wait for each other's locks. */
export function connect(filename: string, busyTimeoutMs: number): Knex {
  const db = knex({
    ...CONNECTION_DEFAULTS,
    client: 'sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate(connection: Connection, done: Done) {
        forgiveRollback(connection)
        connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; ${PRAGMAS}`, done)
      },
    },
  })
  beginAsWriter(db)
  return db
}

/**
 * Every transaction of ours writes. One that reads first and takes its place among the writers only later fails when
 * another process has written meanwhile, however long it would wait.
 */
function beginAsWriter({ client }: Knex): void {
  const transaction: (...args: unknown[]) => Transaction = client.transaction.bind(client)
  client.transaction = (...args: unknown[]) => {
    const begun = transaction(...args)
    return Object.assign(begun, { begin: (connection: unknown) => begun.query(connection, 'BEGIN IMMEDIATE;') })
  }
}

/** A full disk makes SQLite roll back on its own. That there is nothing left to roll back must not hide the reason. */
function forgiveRollback(connection: Connection): void {
  const all = connection.all.bind(connection)
  connection.all = (sql, ...rest) => {
    if (!/^ROLLBACK\b/.test(sql)) return all(sql, ...rest)
    const done = rest.pop() as Done
    const isOver = (error: Error | null) => /no transaction is active/.test(error?.message ?? '')
    return all(sql, ...rest, (error: Error | null, rows: unknown) => done(isOver(error) ? null : error, rows))
  }
}

/** Throws an Error of one sentence unless a committed view survives a power cut. */
export async function checkDurability(db: Knex): Promise<void> {
  const [{ journal_mode: journal }] = await db.raw('PRAGMA journal_mode')
  const [{ synchronous }] = await db.raw('PRAGMA synchronous')
  if (journal !== 'wal')
    throw new Error(`The file system of the database does not allow a write-ahead log (${journal}).`)
  if (synchronous !== FULL)
    throw new Error('SQLite does not wait for the disk when it commits (synchronous is not FULL).')
}

interface Transaction {
  query(connection: unknown, sql: string): Promise<unknown>
}
type Done = (error: Error | null, rows?: unknown) => void
interface Connection {
  exec(sql: string, done: Done): void
  all(sql: string, ...rest: unknown[]): unknown
}

/** With NORMAL, SQLite's default beside a write-ahead log in many builds, a power cut may undo a view that was answered. */
const FULL = 2
const PRAGMAS = `
  PRAGMA page_size = ${PAGE_SIZE};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
`
