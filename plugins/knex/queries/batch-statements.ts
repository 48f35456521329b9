/**
 * The statements of creates, peeks and views, for any number of rows. SQLite and PostgreSQL read the rows from one JSON
 * parameter, so the text of each statement is the same for every batch: it is built once, and the database prepares it
 * once. MariaDB takes three times as long to read JSON as to parse the rows, so the other engines get statements that
 * knex builds for each batch.
 */
import type { Knex } from 'knex'
import { type RowOf, TABLES } from '#migrations'
import { driverOf, isSqlite, type Statement } from '../connection/knex-internals.js'
import { type Row, valueTypeOf } from '../rows/tables.js'
import { hasViewsLeft } from './secret-conditions.js'

/** A view that is counted. */
export interface ViewChange {
  id: string
  /** New value of the column. */
  cleanup_at: number
}

export type TextRow = RowOf<'texts'> & { margin: string }

/** Builds statements. Inserts without rows return no statement. */
export interface BatchStatements {
  /** Inserts rows with the same columns. */
  insert(table: string, rows: Row[]): Statement[]
  insertTexts(rows: TextRow[]): Statement[]
  /** Reads secrets without their texts and without a lock, outside of a transaction. */
  read(ids: string[]): Statement
  /**
   * Locks secrets in the order of their ids, and reads them with their texts. A secret that is kept for its files lacks
   * a text.
   */
  lockWithTexts(ids: string[]): Statement
  /** Counts a view of each secret that has views left. */
  countViews(changes: ViewChange[]): Statement
}

export function createBatchStatements(db: Knex): BatchStatements {
  if (isSqlite(db)) return { ...readingJson(SQLITE), insertTexts: insertTextsAsBytes }
  if (driverOf(db) !== 'pg') return builtByKnex(db)
  const hasSession = db.userParams?.hasSession ?? true
  return readingJson(hasSession ? POSTGRES : { ...POSTGRES, options: () => ({}) })
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

const POSTGRES_TYPES = { number: 'bigint', boolean: 'boolean', string: 'text' }

/** Type of a column in PostgreSQL. */
function typeOf(table: string, column: string): string {
  const described = TABLES[table]?.columns[column]
  return described ? POSTGRES_TYPES[valueTypeOf(described)] : 'text'
}

function readingJson(dialect: JsonDialect): BatchStatements {
  const { column, rows: rowsOf, idsIn, ids: toIds, forUpdate, options } = dialect
  const define = (name: string, method: string, sql: string) => {
    const constant = { method, sql, options: options(name) }
    return (...bindings: unknown[]): Statement => ({ ...constant, bindings })
  }
  const read = define('read secrets', 'select', `select * from secrets where id ${idsIn}`)
  const lock = define(
    'lock secrets',
    'select',
    `select secrets.*, texts.text from secrets left join texts on texts.secret_id = secrets.id
      where secrets.id ${idsIn} order by secrets.id ${forUpdate}`,
  )
  // The ids once more, because PostgreSQL does not know how few the rows are, and might read the whole table.
  const count = define(
    'count views',
    'update',
    `update "secrets" set cleanup_at = ${column('cleanup_at')}, views = views + 1, failures = 0, locks = 0, locked_until = 0
      from ${rowsOf('secrets', ['id', 'cleanup_at'])}
      where secrets.id = ${column('id')} and secrets.id ${idsIn}
        and (prevent_burn or max_views is null or views < max_views)`,
  )
  const defineInsert = (table: string, columns: string[]) => {
    const sql = `insert into "${table}" (${columns}) select ${columns.map(column)} from ${rowsOf(table, columns)}`
    return define(`insert ${table}`, 'insert', sql)
  }
  const inserts = new Map<string, ReturnType<typeof define>>()
  const insert: BatchStatements['insert'] = (table, rows) => {
    const [first] = rows
    if (!first) return []
    const build = inserts.get(table) ?? defineInsert(table, Object.keys(first))
    inserts.set(table, build)
    return [build(JSON.stringify(rows))]
  }
  return {
    insert,
    insertTexts: (rows) => insert('texts', rows),
    read: (ids) => read(toIds(ids)),
    lockWithTexts: (ids) => lock(toIds(ids)),
    countViews: (changes) => count(JSON.stringify(changes), toIds(changes.map(({ id }) => id))),
  }
}

/** Rows of texts from the result of `packTexts`. SQLite gets empty bytes as null. */
export const TEXTS_FROM = (bytes: string, places: string) =>
  `select value ->> 'secret_id', value ->> 'margin',
    coalesce(cast(substr(${bytes}, value ->> 'start', value ->> 'length') as text), '')
    from json_each(${places})`

const INSERT_TEXTS = `insert into texts (secret_id, margin, text) ${TEXTS_FROM('?', '?')}`

/**
 * The texts of all rows as one value of bytes, which costs less than JSON, and the rows with the place of each text in
 * it.
 */
export function packTexts(rows: TextRow[]): [Buffer, string] {
  const bytes = rows.map(({ text }) => Buffer.from(text))
  let start = 1
  const places = rows.map(({ secret_id, margin }, index) => {
    const { length } = bytes[index] as Buffer
    const place = { secret_id, margin, start, length }
    start += length
    return place
  })
  const [first] = bytes
  return [first && bytes.length === 1 ? first : Buffer.concat(bytes), JSON.stringify(places)]
}

const insertTextsAsBytes: BatchStatements['insertTexts'] = (rows) =>
  rows.length > 0 ? [{ method: 'insert', sql: INSERT_TEXTS, bindings: packTexts(rows) }] : []

function builtByKnex(db: Knex): BatchStatements {
  const insert: BatchStatements['insert'] = (table, rows) => (rows.length > 0 ? [db(table).insert(rows).toSQL()] : [])
  return {
    insert,
    insertTexts: (rows) => insert('texts', rows),
    read: (ids) => db('secrets').whereIn('id', ids).toSQL(),
    lockWithTexts: (ids) =>
      db('secrets')
        .whereIn('id', ids)
        .leftJoin('texts', 'texts.secret_id', 'secrets.id')
        .select('secrets.*', 'text')
        .orderBy('id')
        .forUpdate()
        .toSQL(),
    countViews(changes) {
      const times = changes.flatMap(({ id, cleanup_at: cleanupAt }) => [id, cleanupAt])
      const cleanupAt = db.raw(`case id ${changes.map(() => 'when ? then ?').join(' ')} else cleanup_at end`, times)
      const ids = changes.map(({ id }) => id)
      const counted = { views: db.raw('views + 1'), failures: 0, locks: 0, locked_until: 0 }
      return db('secrets')
        .whereIn('id', ids)
        .where(hasViewsLeft)
        .update({ cleanup_at: cleanupAt, ...counted })
        .toSQL()
    },
  }
}
