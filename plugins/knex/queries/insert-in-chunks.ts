/** SQLite accepts at most 500 rows in one insert. */
const CHUNK_SIZE = 200

/** Inserts rows in their order with `insert`. Without rows it runs no statement. */
export async function insertInChunks<Row>(rows: Row[], insert: (chunk: Row[]) => PromiseLike<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += CHUNK_SIZE) await insert(rows.slice(from, from + CHUNK_SIZE))
}
