/**
 * The statements of creates and views, for any number of rows. SQLite and PostgreSQL read the rows from one JSON parameter, so
 * the text of each statement is the same for every batch: it is built once, and the database prepares it once. MariaDB takes
 * three times as long to read JSON as to parse the rows, so the other engines get statements that knex builds for each batch.
 */
import type { Knex } from 'knex'
import { type BatchQueries, isSqlite, type Statement } from '../connection/batch-transaction.js'
import type { Row } from '../rows/secret-rows.js'
import { TABLES } from '../rows/tables.js'
import { hasViewsLeft } from './secret-conditions.js'

/** A view that is counted. */
export interface ViewChange {
  id: string
  /** New value of the column. */
  sweep_at: number
}

export interface BatchStatements {
  /** Inserts rows with the same columns. */
  insert(tx: BatchQueries, table: string, rows: Row[]): Promise<unknown>
  /** Locks secrets in the order of their ids, and reads them with their texts. A secret kept for its files has no text. */
  lockWithTexts(tx: BatchQueries, ids: string[]): Promise<Row[]>
  /** Counts a view of each secret that has views left, and returns their number. */
  countViews(tx: BatchQueries, changes: ViewChange[]): Promise<number>
}

export function createBatchStatements(db: Knex): BatchStatements {
  if (isSqlite(db)) return readingJson(SQLITE)
  return db.client.driverName === 'pg' ? readingJson(POSTGRES) : BUILT_BY_KNEX
}

/** How an engine reads rows from a JSON array of objects. */
interface JsonDialect {
  /** Expression of a column, and the source of the rows. */
  column(name: string): string
  rows(table: string, columns: string[]): string
  idsIn: string
  ids(ids: string[]): unknown
  forUpdate: string
  /** Options of the driver for a statement with this name. */
  options(name: string): Record<string, unknown>
}

const SQLITE: JsonDialect = {
  column: (name) => `batch.value ->> '${name}'`,
  rows: () => 'json_each(?) as batch',
  idsIn: 'in (select value from json_each(?))',
  ids: (ids) => JSON.stringify(ids),
  forUpdate: '',
  options: () => ({}),
}

const POSTGRES: JsonDialect = {
  column: (name) => `batch.${name}`,
  rows: (table, columns) =>
    `json_to_recordset(?) as batch (${columns.map((name) => `${name} ${typeOf(table, name)}`)})`,
  idsIn: '= any(?)',
  ids: (ids) => ids,
  forUpdate: 'for update of secrets',
  // A named statement is prepared once on each connection.
  options: (name) => ({ name }),
}

/** Type of a column in PostgreSQL. */
function typeOf(table: string, column: string): string {
  const { numbers = [], booleans = [] } = TABLES[table] ?? {}
  if (numbers.includes(column)) return 'bigint'
  return booleans.includes(column) ? 'boolean' : 'text'
}

function readingJson(dialect: JsonDialect): BatchStatements {
  const { column, rows: rowsOf, idsIn, ids: toIds, forUpdate, options } = dialect
  const inserts = new Map<string, Statement>()
  const lock: Statement = {
    method: 'select',
    sql: `select secrets.*, texts.text from secrets left join texts on texts.secret_id = secrets.id
      where secrets.id ${idsIn} order by secrets.id ${forUpdate}`,
    options: options('lock secrets'),
  }
  const count: Statement = {
    method: 'update',
    sql: `update "secrets" set sweep_at = ${column('sweep_at')}, views = views + 1, failures = 0, locks = 0, locked_until = 0
      from ${rowsOf('secrets', ['id', 'sweep_at'])}
      where secrets.id = ${column('id')} and secrets.id ${idsIn}
        and (prevent_burn or max_views is null or views < max_views)`,
    options: options('count views'),
  }
  const buildInsert = (table: string, columns: string[]): Statement => ({
    method: 'insert',
    sql: `insert into "${table}" (${columns}) select ${columns.map(column)} from ${rowsOf(table, columns)}`,
    options: options(`insert ${table}`),
  })
  return {
    insert(tx, table, rows) {
      const statement = inserts.get(table) ?? buildInsert(table, Object.keys(rows[0] as Row))
      inserts.set(table, statement)
      return tx.run(statement, [JSON.stringify(rows)])
    },
    lockWithTexts: async (tx, ids) => (await tx.run(lock, [toIds(ids)])) as Row[],
    // The ids once more, because PostgreSQL does not know how few the rows are, and might read the whole table.
    countViews: async (tx, changes) => {
      const ids = toIds(changes.map(({ id }) => id))
      return (await tx.run(count, [JSON.stringify(changes), ids])) as number
    },
  }
}

const BUILT_BY_KNEX: BatchStatements = {
  insert: (tx, table, rows) => tx(table).insert(rows),
  lockWithTexts: (tx, ids) =>
    tx('secrets')
      .whereIn('id', ids)
      .leftJoin('texts', 'texts.secret_id', 'secrets.id')
      .select('secrets.*', 'text')
      .orderBy('id')
      .forUpdate(),
  countViews(tx, changes) {
    const times = changes.flatMap(({ id, sweep_at: sweepAt }) => [id, sweepAt])
    const sweepAt = tx.raw(`case id ${changes.map(() => 'when ? then ?').join(' ')} else sweep_at end`, times)
    const ids = changes.map(({ id }) => id)
    const counted = { views: tx.raw('views + 1'), failures: 0, locks: 0, locked_until: 0 }
    return tx('secrets')
      .whereIn('id', ids)
      .where(hasViewsLeft)
      .update({ sweep_at: sweepAt, ...counted })
  },
}
