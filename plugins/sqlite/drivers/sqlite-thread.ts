/**
 * The worker thread of a connection of `node:sqlite`. When a statement of a transaction fails, later statements fail
 * too, until the rollback, as on PostgreSQL: they may have been sent before its result was known. Imports modules of
 * Node.js only, because Node.js itself loads this file in tests.
 */
import { randomInt } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'

/** A statement. `values`: one for each `?`. */
export interface Request {
  method: 'run' | 'all' | 'exec'
  sql: string
  values: unknown[]
}

export interface Result {
  error?: { message: string; code: string; errno: number }
  rows?: unknown[]
  changed?: { lastID: number; changes: number }
}

/** A result for each statement of the message. */
export type Reply = Result[]

/** The used part of `node:sqlite`, which the types of Node.js 20 lack. */
interface Statement {
  run(...values: unknown[]): { changes: number; lastInsertRowid: number }
  all(...values: unknown[]): unknown[]
}

interface Database {
  prepare(sql: string): Statement
  exec(sql: string): void
  close(): void
}

/** Number of prepared statements that are kept. */
const CAPACITY = 100
/** Schema changes and pragmas run once. */
const REPEATED = /^(select|insert|update|delete|begin|commit|rollback)\b/i
/** Limits of the random pause before a locked statement is tried again, in ms. A transaction takes about as long. */
const PAUSE_MIN = 1
const PAUSE_MAX = 3
const BUSY = 5
/** Names of the primary result codes from 1 on, as `sqlite3` reports them. See https://www.sqlite.org/rescode.html. */
const CODES =
  'ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'.split(
    ' ',
  )

const { filename, lockTimeoutMs } = workerData as { filename: string; lockTimeoutMs: number }
const clock = new Int32Array(new SharedArrayBuffer(4))
const prepared = new Map<string, Statement>()
let database: Database | null = null
let isInTransaction = false
/** Failure of the open transaction. */
let failure: Result | null = null

// Node.js 22 and 24 print that the module may change.
process.removeAllListeners('warning')
const port = parentPort
port?.on('message', (requests: Request[] | null) => {
  if (requests) return port.postMessage(requests.map(perform))
  prepared.clear()
  database?.close()
  port.close()
})

function perform(request: Request): Result {
  const { sql } = request
  const isRollback = /^ROLLBACK\b/i.test(sql)
  if (isRollback) failure = null
  if (failure) return failure
  // A failed BEGIN counts: the statements after it must not run without a transaction.
  if (/^BEGIN\b/i.test(sql)) isInTransaction = true
  try {
    // Statements of `exec` are not repeated: the busy timeout of SQLite is for them.
    const result = request.method === 'exec' ? execute(request) : retryLocked(() => execute(request))
    if (/^COMMIT\b/i.test(sql) || /^ROLLBACK;?$/i.test(sql)) isInTransaction = false
    return result
  } catch (error) {
    const failed = describe(error)
    if (isRollback) isInTransaction = false
    else if (isInTransaction) failure = failed
    return failed
  }
}

function execute({ method, sql, values }: Request): Result {
  database ??= open()
  if (method === 'exec') {
    database.exec(sql)
    return {}
  }
  const statement = prepare(database, sql)
  if (method === 'all') return { rows: statement.all(...values.map(toBindable)) }
  const { changes, lastInsertRowid } = statement.run(...values.map(toBindable))
  return { changed: { lastID: lastInsertRowid, changes } }
}

function open(): Database {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite' as 'node:os') as unknown as {
    DatabaseSync: new (filename: string) => Database
  }
  return new DatabaseSync(filename)
}

/** The least recently used statement is dropped. */
function prepare(from: Database, sql: string): Statement {
  const statement = prepared.get(sql) ?? from.prepare(sql)
  if (!REPEATED.test(sql)) return statement
  prepared.delete(sql)
  prepared.set(sql, statement)
  if (prepared.size > CAPACITY) prepared.delete(prepared.keys().next().value as string)
  return statement
}

/** Numbers are bound as floating point, and `5` becomes `5.0` in a column of text. */
function toBindable(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'boolean') return BigInt(value)
  return Number.isSafeInteger(value) ? BigInt(value as number) : value
}

/** Tries for `lockTimeoutMs` while another process has the lock of the database. The thread has nothing else to do. */
function retryLocked(attempt: () => Result): Result {
  const end = performance.now() + lockTimeoutMs
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (codeOf(error) !== BUSY || performance.now() >= end) throw error
    }
    Atomics.wait(clock, 0, 0, randomInt(PAUSE_MIN, PAUSE_MAX + 1))
  }
}

/** The primary result code of SQLite; 0 for other errors. */
const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff

function describe(error: unknown): Result {
  const errno = codeOf(error)
  const code = `SQLITE_${CODES[errno - 1] ?? 'ERROR'}`
  return { error: { message: `${code}: ${(error as Error).message}`, code, errno } }
}
