/** A storage copied into another one, batch by batch, and compared. */
import { createHash } from 'node:crypto'
import type { PlainRow, RowStore } from '../contracts/rows.js'

/** How far a copy is; kept beside the target, so that it can go on after a break. */
export interface Progress {
  /** Tables that are done. */
  done: string[]
  /** The last row of the table at hand that is written. */
  after: PlainRow | null
}

export interface TableCopy {
  table: string
  /** Rows on both sides after the copy. */
  from: number
  to: number
  isSame: boolean
}

interface Options {
  /** Rows at a time. */
  batch: number
  progress: Progress
  /** Called when a batch is written; what it is given is where to go on. */
  keep(progress: Progress): Promise<void>
  /** Called with the number of rows written so far. */
  onRows?(table: string, rows: number): void
}

/** Copies every row that is not there yet. A table that is done is not read again. */
export async function copyRows(
  from: RowStore,
  to: RowStore,
  { batch, progress, keep, onRows }: Options,
): Promise<void> {
  let { done, after } = progress
  for (const table of from.tables) {
    if (done.includes(table)) continue
    let written = 0
    for (;;) {
      const rows = await from.read(table, after, batch)
      if (rows.length === 0) break
      await to.write(table, rows)
      after = rows.at(-1) as PlainRow
      written += rows.length
      await keep({ done, after })
      onRows?.(table, written)
    }
    done = [...done, table]
    after = null
    await keep({ done, after })
  }
}

/** Compares every table by its number of rows and a checksum over all of them, on both sides. */
export async function compareRows(from: RowStore, to: RowStore, batch: number): Promise<TableCopy[]> {
  const tables: TableCopy[] = []
  for (const table of from.tables) {
    const [one, other] = await Promise.all([checksum(from, table, batch), checksum(to, table, batch)])
    tables.push({ table, from: one.rows, to: other.rows, isSame: one.sum === other.sum })
  }
  return tables
}

/**
 * The sum of the SHA-256 of all rows, modulo 2^256: engines sort text differently, so the order must not count.
 * What a copy keeps about itself is not part of it.
 */
export async function checksum(store: RowStore, table: string, batch: number): Promise<{ rows: number; sum: bigint }> {
  let [rows, sum] = [0, 0n]
  let after: PlainRow | null = null
  for (;;) {
    const some: PlainRow[] = await store.read(table, after, batch)
    if (some.length === 0) return { rows, sum }
    after = some.at(-1) as PlainRow
    for (const row of some.filter(({ name }) => table !== 'settings' || name !== PROGRESS)) {
      rows += 1
      sum = BigInt.asUintN(256, sum + hashOf(row))
    }
  }
}

/** The setting under which a target keeps how far its copy, or its restore, is. */
export const PROGRESS = 'copy_progress'

export function hashOf(row: PlainRow): bigint {
  const sorted = Object.keys(row).sort()
  const text = JSON.stringify(sorted.map((column) => [column, row[column]]))
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
}
