/** Checks that the database accepts writes of its user. The checks write without changing anything. */
import type { Knex } from 'knex'
import { TABLES } from '#migrations'
import { driverOf } from './knex-internals.js'

/** In ms: how long a successful write counts. A failed write is repeated at once. */
const WRITE_COUNTS_FOR = 3000

/**
 * Returns a query that fails unless the database responds and accepts writes. It writes every `WRITE_COUNTS_FOR` ms.
 */
export function createPing(db: Knex): () => Promise<void> {
  let writtenUntil = 0
  return async () => {
    const until = writtenUntil
    // Repeats the write next time if this query fails.
    writtenUntil = 0
    if (performance.now() < until) {
      await db.raw('select 1')
      writtenUntil = until
      return
    }
    // Rows never have this name. A server that is read-only, or does not allow the user to write, refuses even this
    // update.
    await db('leases').where({ name: '' }).update({ holder: '' })
    writtenUntil = performance.now() + WRITE_COUNTS_FOR
  }
}

/** Throws the error of the driver unless the user may read, insert, update and delete rows of every table. */
export async function checkAccess(db: Knex): Promise<void> {
  for (const [table, { columns }] of Object.entries(TABLES)) {
    // MariaDB does not update generated numbers.
    const column = Object.keys(columns).find((name) => columns[name]?.type !== 'sequence') ?? ''
    const names = { table, column }
    await db.raw('select :column: from :table: where 1 = 0', names)
    await db.raw('insert into :table: select * from :table: where 1 = 0', names)
    await db.raw('update :table: set :column: = :column: where 1 = 0', names)
    await db.raw('delete from :table: where 1 = 0', names)
  }
  if (driverOf(db) === 'pg') await checkSequences(db)
}

/** Inserts without rows do not use the sequences of PostgreSQL. */
async function checkSequences(db: Knex): Promise<void> {
  const isDenied = "case when relkind = 'S' then not has_sequence_privilege(oid, 'usage') else false end"
  const own = db('pg_class').where({ relnamespace: db.raw('current_schema()::regnamespace') })
  const denied = await own.whereRaw(isDenied).first('oid')
  if (denied) throw Object.assign(new Error('a sequence must not be used'), { code: '42501' })
}
