import type { Knex } from 'knex'
import type { PlainRow, RowStore } from '#core'
import { moveNewEvents } from '../operations/move-new-events.js'
import type { Row, TextMargin } from '../rows/secret-rows.js'
import { TABLES, type Table } from '../rows/tables.js'

/** SQLite accepts at most 500 rows in one insert. */
const CHUNK_SIZE = 200

/** `margin`: the spaces before a text; see Engine. */
export function createRowStore(db: Knex, margin: TextMargin): Omit<RowStore, 'tables'> {
  const addMargin = (row: PlainRow) => ({ ...row, margin: margin(String(row.secret_id), String(row.text)) })
  return {
    async count(table) {
      if (table === 'outbox') await moveNewEvents(db)
      return Number((await db(table).count({ rows: '*' }).first())?.rows ?? 0)
    },

    async read(name, after, limit) {
      const table = findTable(name)
      // New events are copied as rows of the outbox, because `seq` is no key in another database.
      if (name === 'outbox' && after === null) await moveNewEvents(db)
      const rows = db(name)
        .select(columnsOf(table))
        .orderBy(table.key)
        .limit(Math.min(limit, table.maxRowsPerRead ?? limit))
      if (after) rows.where((query) => whereKeyAfter(query, table.key, after))
      return (await rows).map((row) => toPlainRow(table, row))
    },

    async find(name, column, values) {
      const table = findTable(name)
      return (await db(name).select(columnsOf(table)).whereIn(column, values)).map((row) => toPlainRow(table, row))
    },

    async write(name, rows) {
      const { key } = findTable(name)
      const complete = name === 'texts' ? rows.map(addMargin) : rows
      await db.transaction(async (tx) => {
        for (let from = 0; from < complete.length; from += CHUNK_SIZE) {
          const chunk = complete.slice(from, from + CHUNK_SIZE)
          await tx(name).insert(chunk).onConflict(key).ignore()
        }
      })
    },

    async clear() {
      await db.transaction(async (tx) => {
        for (const table of ['leases', 'new_events', ...Object.keys(TABLES).reverse()]) await tx(table).delete()
      })
    },
  }
}

function findTable(name: string): Table {
  const table = TABLES[name]
  if (!table) throw new Error(`unknown table ${name}`)
  return table
}

const columnsOf = ({ strings = [], numbers = [], booleans = [] }: Table): string[] => [
  ...strings,
  ...numbers,
  ...booleans,
]

/** For a key of several columns: a greater first column, or an equal one and a greater rest. */
function whereKeyAfter(query: Knex.QueryBuilder, [column = '', ...rest]: string[], after: PlainRow): void {
  const value = after[column] ?? null
  query.where(column, '>', value)
  if (rest.length === 0) return
  query.orWhere((equal) => {
    equal.where(column, value).where((inner) => whereKeyAfter(inner, rest, after))
  })
}

function toPlainRow({ strings = [], numbers = [], booleans = [] }: Table, row: Row): PlainRow {
  const convert = (columns: string[], toValue: (value: Row[string]) => PlainRow[string]) =>
    columns.map((column) => [column, row[column] === null ? null : toValue(row[column])])
  return Object.fromEntries([...convert(strings, String), ...convert(numbers, Number), ...convert(booleans, Boolean)])
}
