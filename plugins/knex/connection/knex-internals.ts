/**
 * Everything that Mayfly uses of knex and its drivers without a documented interface. `knex-internals.engines.test.ts`
 * checks each assumption, and package.json pins the version of knex: update both together.
 */
import type { Writable } from 'node:stream'
import knex, { type Knex } from 'knex'

/** A connection of a driver, as the pool of knex keeps it. */
export type DriverConnection = object

/** The name by which knex knows a driver. */
export const driverOf = ({ client }: Knex): string => client.driverName

export const isSqlite = (db: Knex): boolean => driverOf(db) === 'sqlite3'

/** Acquires a connection of the pool, or opens one. Release it with `releaseConnection`. */
export const acquireConnection = <C extends DriverConnection>({ client }: Knex): Promise<C> =>
  client.acquireConnection()

export const releaseConnection = async ({ client }: Knex, connection: DriverConnection): Promise<void> =>
  client.releaseConnection(connection)

/** Lets the pool close a connection instead of using it again. knex marks failed connections in the same way. */
export function discardConnection(connection: DriverConnection, reason: unknown): void {
  Object.assign(connection, { __knex__disposed: reason })
}

/** As `toSQL` of a query returns it. */
export interface Statement {
  /** `select`, `insert` or `update`. */
  method: string
  /** With `?` for each value. */
  sql: string
  bindings: readonly unknown[]
  /** Passed to the driver. */
  options?: Record<string, unknown>
}

/** Runs a statement without a query builder: rows of a select, otherwise the number of changed rows. */
export async function runStatement(
  { client }: Knex,
  connection: DriverConnection,
  { method, sql, bindings, options }: Statement,
): Promise<unknown> {
  joinPackets(connection)
  // A copy, which knex changes.
  return client.processResponse(await client.query(connection, { method, sql, bindings, options }), null)
}

/** Runs a statement that returns nothing. */
export async function sendStatement({ client }: Knex, connection: DriverConnection, sql: string): Promise<unknown> {
  joinPackets(connection)
  return client.query(connection, { sql })
}

/** True if queries are sent without waiting for the result of the last one: `pipeline` of pg. */
export const isPipelined = (connection: DriverConnection): boolean => (connection as PgConnection).pipeline === true

interface PgConnection {
  pipeline?: boolean
  connection?: { stream?: Pick<Writable, 'cork' | 'uncork'> }
}

/** Queries that pg sends in one turn of the event loop leave in one packet. */
function joinPackets(connection: DriverConnection): void {
  const { connection: { stream } = {} } = connection as PgConnection
  if (!isPipelined(connection) || !stream) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** The start of a transaction of knex, on its connection. */
export interface TransactionStart {
  /** As knex begins it. */
  begin(): Promise<void>
  query(sql: string): Promise<unknown>
}

/** Replaces how the transactions of knex begin. A connection whose transaction began, but did not start, is closed. */
export function replaceBegin({ client }: Knex, start: (transaction: TransactionStart) => Promise<unknown>): void {
  const transaction: (...args: unknown[]) => KnexTransaction = client.transaction.bind(client)
  client.transaction = (...args: unknown[]) => {
    const created = transaction(...args)
    const begin = created.begin.bind(created)
    return Object.assign(created, {
      async begin(connection: DriverConnection) {
        let hasBegun = false
        const beginAsUsual = async () => {
          await begin(connection)
          hasBegun = true
        }
        try {
          // Not `created.query`, whose promise does not fail.
          await start({ begin: beginAsUsual, query: (sql) => created.trxClient.query(connection, sql) })
        } catch (error) {
          // knex does not roll back after an error here.
          if (hasBegun) discardConnection(connection, error)
          throw error
        }
      },
    })
  }
}

interface KnexTransaction {
  begin(connection: DriverConnection): Promise<unknown>
  trxClient: { query(connection: DriverConnection, sql: string): Promise<unknown> }
}

/** Calls `onError` for every failed query, also of transactions, with the connection that it was sent on. */
export function watchErrors(db: Knex, onError: (connection: DriverConnection, error: unknown) => void): void {
  const { pool } = db.client
  const connections = new Map<string, DriverConnection>()
  pool.on('createSuccess', (_: number, connection: Numbered) => connections.set(connection.__knexUid, connection))
  pool.on('destroySuccess', (_: number, connection: Numbered) => connections.delete(connection.__knexUid))
  db.on('query-error', (error: unknown, { __knexUid }: Numbered) => {
    const connection = connections.get(__knexUid)
    if (connection) onError(connection, error)
  })
}

interface Numbered {
  __knexUid: string
}

/** Calls the functions when the pool opens a connection, and when a caller acquires or releases it. */
export function watchPool<C extends DriverConnection>(
  { client: { pool } }: Knex,
  { onCreate, onAcquire, onRelease }: Record<'onCreate' | 'onAcquire' | 'onRelease', (connection: C) => void>,
): void {
  pool.on('createSuccess', (_: number, connection: C) => onCreate(connection))
  pool.on('acquireSuccess', (_: number, connection: C) => onAcquire(connection))
  pool.on('release', (connection: C) => onRelease(connection))
}

/** Used and idle connections, and waiting callers. */
export const countConnections = ({ client: { pool } }: Knex): { busy: number; idle: number; waiting: number } => ({
  busy: pool.numUsed(),
  idle: pool.numFree(),
  waiting: pool.numPendingAcquires(),
})

/** Called by the driver. `this` has the number of changed rows. */
export type Done = (this: unknown, error: Error | null, rows?: unknown) => void

/** A connection of `sqlite3`: knex runs statements with `run` and `all`, transactions with `all`. */
export interface SqliteConnection {
  exec(sql: string, done: Done): void
  run(sql: string, ...rest: unknown[]): unknown
  all(sql: string, ...rest: unknown[]): unknown
  close(done: Done): void
}

/** A client of knex for SQLite, whose connections `open` opens. */
export function createSqliteClient(open: (filename: string) => Promise<SqliteConnection>): typeof Knex.Client {
  const { constructor: SqliteClient } = knex({ client: 'sqlite3', useNullAsDefault: true }).client
  return class extends (SqliteClient as typeof Knex.Client) {
    /** knex would load the package `sqlite3`. */
    _driver() {
      return {}
    }

    override acquireRawConnection() {
      return open((this.connectionSettings as { filename: string }).filename)
    }
  }
}

/** A call that the driver is about to make. */
export interface SqliteCall {
  method: 'run' | 'all'
  sql: string
  /** Values, unless knex passes none. */
  values: unknown[]
  done: Done
  /** Passes it on, with another callback. May be called again. */
  run(done: Done): unknown
}

/** Puts `handle` between knex and the driver. The last of several handlers is called first. */
export function interceptCalls(connection: SqliteConnection, handle: (call: SqliteCall) => unknown): void {
  for (const method of ['run', 'all'] as const) {
    const next = connection[method].bind(connection)
    connection[method] = (sql: string, ...rest: unknown[]) => {
      const done = rest.pop() as Done
      return handle({ method, sql, values: rest, done, run: (other) => next(sql, ...rest, other) })
    }
  }
}
