import type { Knex } from 'knex'
import type { PlainRow, RowStore } from '#core'
import type { Row } from './rows.js'
import { TABLES, type Table } from './tables.js'

/** SQLite takes no more than 500 in one statement. */
const INSERT_ROWS = 200

/** `margin` is stored before every text; see Engine. */
export function rowStore(db: Knex, margin: string): Omit<RowStore, 'tables'> {
  return {
    async count(table) {
      return Number((await db(table).count({ rows: '*' }).first())?.rows ?? 0)
    },

    async read(name, after, limit) {
      const table = tableOf(name)
      const rows = db(name)
        .select(columnsOf(table))
        .orderBy(table.key)
        .limit(Math.min(limit, table.atOnce ?? limit))
      if (after) rows.where((behind) => whereBehind(behind, table.key, after))
      return (await rows).map((row) => plain(table, row))
    },

    async find(name, column, values) {
      const table = tableOf(name)
      return (await db(name).select(columnsOf(table)).whereIn(column, values)).map((row) => plain(table, row))
    },

    async write(name, rows) {
      const { key } = tableOf(name)
      const complete = name === 'texts' ? rows.map((row) => ({ ...row, margin })) : rows
      await db.transaction(async (tx) => {
        for (let from = 0; from < complete.length; from += INSERT_ROWS) {
          const some = complete.slice(from, from + INSERT_ROWS)
          await tx(name).insert(some).onConflict(key).ignore()
        }
      })
    },

    async clear() {
      await db.transaction(async (tx) => {
        for (const table of ['leases', ...Object.keys(TABLES).reverse()]) await tx(table).delete()
      })
    },
  }
}

function tableOf(name: string): Table {
  const table = TABLES[name]
  if (!table) throw new Error(`there is no table ${name}`)
  return table
}

const columnsOf = ({ strings = [], numbers = [], booleans = [] }: Table): string[] => [
  ...strings,
  ...numbers,
  ...booleans,
]

/** Of keys of several columns: a later first column, or the same one and later in the rest. */
function whereBehind(query: Knex.QueryBuilder, [column = '', ...rest]: string[], after: PlainRow): void {
  query.where(column, '>', after[column] as never)
  if (rest.length === 0) return
  query.orWhere((same) => {
    same.where(column, after[column] as never).where((behind) => whereBehind(behind, rest, after))
  })
}

function plain({ strings = [], numbers = [], booleans = [] }: Table, row: Row): PlainRow {
  const values = (columns: string[], read: (value: Row[string]) => PlainRow[string]) =>
    columns.map((column) => [column, row[column] === null ? null : read(row[column])])
  return Object.fromEntries([...values(strings, String), ...values(numbers, Number), ...values(booleans, Boolean)])
}
