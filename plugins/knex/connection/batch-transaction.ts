/**
 * Transactions of the write queue. They use the pool and the driver calls of knex, but not its transactions, which cost more
 * than the statements of a small one.
 */
import type { Writable } from 'node:stream'
import type { Knex } from 'knex'

/** Queries on the connection of a transaction. */
export interface Queries {
  (table: string): Knex.QueryBuilder
  raw(sql: string, values?: readonly Knex.RawBinding[]): Knex.Raw
  ref(column: string): Knex.Ref<string, { [name: string]: string }>
}

/** An open transaction. */
export interface BatchQueries extends Queries {
  /** Runs a statement as it is: rows of a select, otherwise the number of changed rows. */
  run(statement: Statement, values: unknown[]): Promise<unknown>
  /**
   * Runs statements in this order. On a connection that pipelines, all are sent at once. Throws the first error. Each step calls
   * `run`: a query of knex is sent later, after the next one.
   */
  runAll(steps: (() => Promise<unknown>)[]): Promise<void>
}

export interface Statement {
  method: 'select' | 'insert' | 'update'
  /** With `?` for each value. */
  sql: string
  /** Passed to the driver. */
  options?: Record<string, unknown>
}

export interface WriteConnections {
  db: Knex
  /** Transactions begin with their first statement: autocommit is off. */
  beginsItself: boolean
}

/** Fields of a connection that knex and `pg` use. */
interface Connection {
  /** True if queries are sent without waiting for the result of the last one. */
  pipeline?: boolean
  connection?: { stream?: Pick<Writable, 'cork' | 'uncork'> }
  /** Set for a connection that the pool must not use again. */
  __knex__disposed?: unknown
}

/** `onCommit` is called before the commit, from which on the outcome of an error is unknown. */
export async function runTransaction<T>(
  { db, beginsItself }: WriteConnections,
  work: (tx: BatchQueries) => Promise<T>,
  onCommit: () => void = () => {},
): Promise<T> {
  const { client } = db
  const connection: Connection = await client.acquireConnection()
  const send = (sql: string): Promise<unknown> => {
    joinPackets(connection)
    return client.query(connection, { sql })
  }
  try {
    const begun = beginsItself ? Promise.resolve() : send(isSqlite(db) ? 'BEGIN IMMEDIATE;' : 'BEGIN;')
    if (connection.pipeline) begun.catch(() => {})
    else await begun
    const result = await work(queriesOn(db, connection))
    await begun
    onCommit()
    await send('COMMIT;')
    return result
  } catch (error) {
    await send('ROLLBACK;').catch((failure: Error) => {
      // SQLite rolls back by itself when the disk is full.
      if (!/no transaction is active/.test(failure.message)) connection.__knex__disposed = failure
    })
    throw error
  } finally {
    await client.releaseConnection(connection)
  }
}

export const isSqlite = (db: Knex): boolean => db.client.driverName === 'sqlite3'

/** Queries that are sent in one turn of the event loop leave in one packet. */
function joinPackets({ pipeline, connection }: Connection): void {
  const stream = connection?.stream
  if (!pipeline || !stream) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

function queriesOn(db: Knex, connection: Connection): BatchQueries {
  const { client } = db
  const build = (table: string) => db(table).connection(connection)
  return Object.assign(build, {
    raw: (sql: string, values: readonly Knex.RawBinding[] = []) => db.raw(sql, values).connection(connection),
    ref: (column: string) => db.ref(column),
    async run({ method, sql, options }: Statement, values: unknown[]) {
      joinPackets(connection)
      return client.processResponse(await client.query(connection, { method, sql, options, bindings: values }), null)
    },
    async runAll(steps: (() => Promise<unknown>)[]) {
      if (connection.pipeline) await Promise.all(steps.map((step) => step()))
      else for (const step of steps) await step()
    },
  })
}
