/** Finds out whether a pooler such as PgBouncer shares the connections of the server. */
import type { Knex } from 'knex'
import { OperatorError } from '#core'
import { type Address, createPool, explainFailure } from '#plugins/knex'
import { acquireConnection, releaseConnection } from '#plugins/knex/connection/knex-internals'

/** A connection of pg. */
interface Connection {
  /** Of the server process; a pooler sends another number. */
  processID: number
}

/**
 * True if statements outside of a transaction may run on different connections of the server. Throws an OperatorError
 * if the statements of a transaction may, or if the server does not respond.
 */
export async function isPooled(config: Knex.Config, { location, database }: Address): Promise<boolean> {
  const db = createPool(config, [], 2)
  const context = { engine: 'postgres', location, database, account: 'the user', schema: '' } as const
  const acquired: Connection[] = []
  const acquire = async () => {
    const connection = await explainFailure(acquireConnection<Connection>(db), context)
    acquired.push(connection)
    return connection
  }
  const readProcess = async (connection: Connection) => {
    const { rows } = await db.raw('select pg_backend_pid() as pid').connection(connection)
    return Number(rows[0].pid)
  }
  try {
    const first = await acquire()
    const own = await readProcess(first)
    if (own === first.processID) return false
    await assertTransactions(db, first, location)
    const second = await acquire()
    // This order also finds a pooler that uses its connections in turns.
    const others = [await readProcess(second), await readProcess(second), await readProcess(first)]
    return others[0] !== others[1] || others[2] !== own || others[0] === own
  } finally {
    for (const connection of acquired) await releaseConnection(db, connection)
    await db.destroy()
  }
}

async function assertTransactions(db: Knex, connection: Connection, location: string): Promise<void> {
  try {
    await db.raw('begin').connection(connection)
    await db.raw('rollback').connection(connection)
  } catch {
    throw new OperatorError(`${location} is a pooler in statement mode, which does not allow transactions.`, {
      hint: 'set pool_mode = transaction or session for this database in the settings of the pooler',
    })
  }
}
