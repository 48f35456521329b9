/**
 * Transactions of the write queue. They use the pool and the driver calls of knex, but not its transactions, which cost
 * more than the statements of a small one.
 */
import type { Knex } from 'knex'
import {
  acquireConnection,
  type DriverConnection,
  discardConnection,
  isPipelined,
  isSqlite,
  releaseConnection,
  runStatement,
  type Statement,
  sendStatement,
} from './knex-internals.js'

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
   * Runs statements in this order. On a connection that pipelines, all are sent at once. Throws the first error. Each
   * step calls `run`: a query of knex is sent later, after the next one.
   */
  runAll(steps: (() => Promise<unknown>)[]): Promise<void>
}

export interface WriteConnections {
  db: Knex
  /** Transactions begin with their first statement: autocommit is off. */
  beginsItself: boolean
  /** Statements that begin a transaction. Default: the statements of the engine. */
  begin?: string | undefined
}

/** `onCommit` is called before the commit, from which on the outcome of an error is unknown. */
export async function runTransaction<T>(
  { db, beginsItself, begin = isSqlite(db) ? 'BEGIN IMMEDIATE;' : 'BEGIN;' }: WriteConnections,
  work: (tx: BatchQueries) => Promise<T>,
  onCommit: () => void = () => {},
): Promise<T> {
  const connection = await acquireConnection(db)
  const send = (sql: string) => sendStatement(db, connection, sql)
  try {
    const begun = beginsItself ? Promise.resolve() : send(begin)
    if (isPipelined(connection)) begun.catch(() => {})
    else await begun
    const result = await work(queriesOn(db, connection))
    await begun
    onCommit()
    await send('COMMIT;')
    return result
  } catch (error) {
    await send('ROLLBACK;').catch((failure: Error) => {
      // SQLite rolls back by itself when the disk is full.
      if (!/no transaction is active/.test(failure.message)) discardConnection(connection, failure)
    })
    throw error
  } finally {
    await releaseConnection(db, connection)
  }
}

/** Runs a statement without a transaction, as `BatchQueries.run` does. */
export async function runAlone(db: Knex, statement: Statement, values: unknown[]): Promise<unknown> {
  const connection = await acquireConnection(db)
  try {
    return await runStatement(db, connection, statement, values)
  } finally {
    await releaseConnection(db, connection)
  }
}

function queriesOn(db: Knex, connection: DriverConnection): BatchQueries {
  const build = (table: string) => db(table).connection(connection)
  return Object.assign(build, {
    raw: (sql: string, values: readonly Knex.RawBinding[] = []) => db.raw(sql, values).connection(connection),
    ref: (column: string) => db.ref(column),
    run: (statement: Statement, values: unknown[]) => runStatement(db, connection, statement, values),
    async runAll(steps: (() => Promise<unknown>)[]) {
      if (isPipelined(connection)) await Promise.all(steps.map((step) => step()))
      else for (const step of steps) await step()
    },
  })
}
