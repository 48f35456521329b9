/** Copies a storage into another one in batches, and compares both. */
import { createHash } from 'node:crypto'
import type { PlainRow, RowStore } from '../contracts/rows.js'
import { readBatches } from './stored-rows.js'

/** Progress of a copy, stored in the target, so that an interrupted copy can continue. */
export interface Progress {
  /** Finished tables. */
  done: string[]
  /** Last written row of the current table. */
  after: PlainRow | null
}

export interface TableCopy {
  table: string
  /** Number of rows on both sides after the copy. */
  from: number
  to: number
  isSame: boolean
}

interface Options {
  /** Rows per batch. */
  batch: number
  progress: Progress
  /** Stores the progress. Called after each batch. */
  keep(progress: Progress): Promise<void>
}

/** Copies all rows but the instance state, starting at `progress`. Finished tables are skipped. */
export async function copyRows(from: RowStore, to: RowStore, { batch, progress, keep }: Options): Promise<void> {
  let { done, after } = progress
  for (const table of copiedTables(from)) {
    if (done.includes(table)) continue
    for await (const rows of readBatches(from, table, batch, after)) {
      await to.write(table, rows)
      await keep({ done, after: rows.at(-1) as PlainRow })
    }
    done = [...done, table]
    after = null
    await keep({ done, after })
  }
}

/** Compares row count and checksum of every table that `copyRows` copies. */
export async function compareRows(from: RowStore, to: RowStore, batch: number): Promise<TableCopy[]> {
  const tables: TableCopy[] = []
  for (const table of copiedTables(from)) {
    const [one, other] = await Promise.all([checksum(from, table, batch), checksum(to, table, batch)])
    tables.push({ table, from: one.rows, to: other.rows, isSame: one.sum === other.sum })
  }
  return tables
}

/**
 * Sum of the SHA-256 of all rows, modulo 2^256. It does not depend on the order of rows, because databases sort text
 * differently.
 */
export async function checksum(store: RowStore, table: string, batch: number): Promise<{ rows: number; sum: bigint }> {
  let [rows, sum] = [0, 0n]
  for await (const some of readBatches(store, table, batch)) {
    rows += some.length
    for (const row of some) sum = BigInt.asUintN(256, sum + hashRow(row))
  }
  return { rows, sum }
}

/** Name in the instance state of the target: the progress of a copy or a restore. */
export const COPY_PROGRESS_KEY = 'copy_progress'

/** `copyState` copies the instance state, because the target also has the progress of the copy there. */
const copiedTables = ({ tables }: RowStore): string[] =>
  tables.map(({ name }) => name).filter((name) => name !== 'instance_state')

export function hashRow(row: PlainRow): bigint {
  const sorted = Object.keys(row).sort()
  const text = JSON.stringify(sorted.map((column) => [column, row[column]]))
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
}
