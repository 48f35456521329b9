import type { Knex } from 'knex'
import type { PlainRow, RowStore } from '#core'
import { TABLES, type Table } from '#migrations'
import { moveNewEvents } from '../operations/move-new-events.js'
import type { TextMargin } from '../rows/secret-rows.js'
import { copiedColumns, type Row, toValue } from '../rows/tables.js'

/** Limits of one insert: SQLite accepts at most 500 rows, and servers reject statements of several megabytes. */
const CHUNK_ROWS = 200
const CHUNK_BYTES = 1_000_000

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
      // New events are copied as rows of the outbox, because `seq` is not a key in another database.
      if (name === 'outbox' && after === null) await moveNewEvents(db)
      const rows = db(name)
        .select(columnsOf(table))
        .orderBy(orderOf(table))
        .limit(Math.min(limit, table.maxRowsPerRead ?? limit))
      if (after) rows.where((query) => whereKeyAfter(query, orderOf(table), after))
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
        for (const chunk of toChunks(complete)) await tx(name).insert(chunk).onConflict(key).ignore()
      })
    },

    async clear() {
      await db.transaction(async (tx) => {
        for (const table of Object.keys(TABLES).reverse()) await tx(table).delete()
      })
    },
  }
}

/** A row that is larger than the limit is a separate chunk. */
function toChunks(rows: PlainRow[]): PlainRow[][] {
  const chunks: PlainRow[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const size = Object.values(row).reduce<number>((sum, value) => sum + String(value).length, 0)
    const chunk = chunks.at(-1)
    if (chunk && chunk.length < CHUNK_ROWS && bytes + size <= CHUNK_BYTES) chunk.push(row)
    else chunks.push([row])
    bytes = chunks.at(-1)?.length === 1 ? size : bytes + size
  }
  return chunks
}

function findTable(name: string): Table {
  const table = TABLES[name]
  if (!table) throw new Error(`unknown table ${name}`)
  return table
}

const orderOf = ({ key, order = key }: Table): string[] => order

const columnsOf = (table: Table): string[] => copiedColumns(table).map(({ name }) => name)

/** For a key of several columns: a greater first column, or an equal first column and a greater rest. */
function whereKeyAfter(query: Knex.QueryBuilder, [column = '', ...rest]: string[], after: PlainRow): void {
  const value = after[column] ?? null
  query.where(column, '>', value)
  if (rest.length === 0) return
  query.orWhere((equal) => {
    equal.where(column, value).where((inner) => whereKeyAfter(inner, rest, after))
  })
}

const toPlainRow = (table: Table, row: Row): PlainRow =>
  Object.fromEntries(copiedColumns(table).map((column) => [column.name, toValue(column, row[column.name])]))
