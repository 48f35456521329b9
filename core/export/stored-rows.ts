/** Reads rows for copies and backups. */
import { blobKey } from '../attachments/blob-keys.js'
import { storedPartLength } from '../attachments/part-layout.js'
import type { PlainRow, RowStore } from '../contracts/rows.js'

/** Yields the rows of a table from the row behind `after` on. Null: all rows. */
export async function* readBatches(
  store: RowStore,
  table: string,
  size: number,
  after: PlainRow | null = null,
): AsyncGenerator<PlainRow[]> {
  let batch = await store.read(table, after, size)
  while (batch.length > 0) {
    yield batch
    batch = await store.read(table, batch.at(-1) as PlainRow, size)
  }
}

/** The blob of a part, by the row of its file. */
export const toBlob = ({ blob, size, parts }: PlainRow, index: number): { key: string; size: number } => ({
  key: blobKey(String(blob), index),
  size: storedPartLength({ size: Number(size), parts: Number(parts) }, index) ?? 0,
})
