import type { Socket } from 'node:net'
import type { Knex } from 'knex'
// knex loads the driver too, but its error for a missing one has several lines.
import 'pg'
import { definePlugin } from '#core'
import { addressOf, CONNECT_WITHIN, openServer, serverOptions } from '#plugins/knex'

const DEFAULT_PORT = 5432

export default definePlugin({
  contract: 2,
  name: 'postgres',
  options: serverOptions('postgres', 'postgresql'),
  async setup(options) {
    const { host, socket, tls, location, isUnencrypted, ...rest } = await addressOf(options, DEFAULT_PORT)
    const connection = {
      ...rest,
      host: socket ?? host,
      ssl: tls && { rejectUnauthorized: true, ...(tls.ca ? { ca: tls.ca } : {}) },
      application_name: 'mayfly',
      connectionTimeoutMillis: CONNECT_WITHIN,
      // Queries that do not depend on each other are sent at once.
      pipeline: true,
    }
    return openServer<Connection>(location, {
      isUnencrypted,
      config: { client: 'pg', connection: connection as Knex.PgConnectionConfig },
      poolSize: options.poolSize,
      batchSize: options.batchSize,
      // A plan of a prepared statement that was made for an empty table would stay for minutes.
      sessionStatements: ['set lock_timeout = 3000', 'set plan_cache_mode = force_custom_plan'],
      // The second one ends transactions of a process that died, and releases their locks.
      timeoutStatements: ['set statement_timeout = 3500', 'set idle_in_transaction_session_timeout = 10000'],
      socketOf: ({ connection }) => connection.stream,
      checkDurability,
    })
  },
})

/** A connection of pg. */
interface Connection {
  query(sql: string, done: (error: Error | null) => void): void
  connection: { stream: Socket }
}

/** Reads the view pg_settings, because `show` fails for settings that a server does not have. */
async function checkDurability(db: Knex): Promise<void> {
  const rows = await db('pg_settings')
    .whereIn('name', ['fsync', 'synchronous_commit', 'server_encoding'])
    .select('name', 'setting')
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  for (const name of ['fsync', 'synchronous_commit']) {
    if (settings[name] === 'off')
      throw new Error(`the server would lose acknowledged views in a power cut (${name} is off).`)
  }
  const encoding = settings.server_encoding ?? 'UTF8'
  if (encoding !== 'UTF8')
    throw new Error(`the database cannot store all characters (its encoding is ${encoding}, not UTF8).`)
}
