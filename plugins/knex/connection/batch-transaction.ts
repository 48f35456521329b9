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

export interface OpenTransaction extends Queries {
  db: Knex
  connection: DriverConnection
  /** Rejects if the transaction has not begun. */
  begun: Promise<unknown>
  /** True: the transaction may be committed, also after an error. */
  isCommitSent: boolean
}

export interface WriteConnections {
  db: Knex
  /** Transactions begin with their first statement: autocommit is off. */
  beginsItself: boolean
  /** Statements that begin a transaction. Default: the statements of the engine. */
  begin?: string | undefined
}

/**
 * `commit` or `rollBack` ends the transaction and releases the connection. On a connection that pipelines, it begins
 * with its first statement.
 */
export async function beginTransaction({ db, beginsItself, begin }: WriteConnections): Promise<OpenTransaction> {
  const connection = await acquireConnection(db)
  const ofEngine = isSqlite(db) ? 'BEGIN IMMEDIATE;' : 'BEGIN;'
  const begun = beginsItself ? Promise.resolve() : sendStatement(db, connection, begin ?? ofEngine)
  const tx = Object.assign((table: string) => db(table).connection(connection), {
    raw: (sql: string, values: readonly Knex.RawBinding[] = []) => db.raw(sql, values).connection(connection),
    ref: (column: string) => db.ref(column),
    db,
    connection,
    begun,
    isCommitSent: false,
  })
  // `commit` waits for it.
  if (isPipelined(connection)) begun.catch(() => {})
  else await begun.catch((error) => rollBack(tx).then(() => Promise.reject(error)))
  return tx
}

/** When it fails, `rollBack` has to follow. */
export async function commit(tx: OpenTransaction): Promise<void> {
  const { db, connection, begun } = tx
  await begun
  tx.isCommitSent = true
  await sendStatement(db, connection, 'COMMIT;')
  await releaseConnection(db, connection)
}

/** Never rejects. */
export async function rollBack({ db, connection }: OpenTransaction): Promise<void> {
  await sendStatement(db, connection, 'ROLLBACK;').catch((failure) => discardConnection(connection, failure))
  await releaseConnection(db, connection)
}

/**
 * Runs statements in this order, and returns the result of each as `runStatement` does. On a connection that pipelines,
 * all are sent at once. Throws the first error.
 */
export async function runAll({ db, connection }: OpenTransaction, statements: Statement[]): Promise<unknown[]> {
  const run = (statement: Statement) => runStatement(db, connection, statement)
  if (isPipelined(connection)) return Promise.all(statements.map(run))
  const results: unknown[] = []
  for (const statement of statements) results.push(await run(statement))
  return results
}

/** Runs a statement without a transaction. */
export async function runAlone(db: Knex, statement: Statement): Promise<unknown> {
  const connection = await acquireConnection(db)
  try {
    return await runStatement(db, connection, statement)
  } finally {
    await releaseConnection(db, connection)
  }
}
