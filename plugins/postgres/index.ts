import type { Socket } from 'node:net'
import type { Knex } from 'knex'
// knex loads it too, but says on several lines that it is missing.
import 'pg'
import { definePlugin } from '#core'
import { addressOf, CONNECT_WITHIN, openServer, serverOptions } from '#plugins/knex'

export default definePlugin({
  name: 'postgres',
  options: serverOptions('postgres', 'postgresql'),
  async setup(options) {
    const { host, socket, tls, location, ...rest } = await addressOf(options, 5432)
    const connection = {
      ...rest,
      host: socket ?? host,
      ssl: tls && { rejectUnauthorized: true, ...(tls.ca ? { ca: tls.ca } : {}) },
      application_name: 'mayfly',
      connectionTimeoutMillis: CONNECT_WITHIN,
    }
    return openServer(location, {
      config: { client: 'pg', connection: connection as Knex.PgConnectionConfig },
      poolSize: options.poolSize,
      batchSize: options.batchSize,
      prepare: ['set lock_timeout = 3000'],
      // The second one ends transactions whose process is gone, and with them their locks.
      hurry: ['set statement_timeout = 3500', 'set idle_in_transaction_session_timeout = 10000'],
      run: (client: Client, sql, done) => client.query(sql, done),
      socketOf: (client: Client) => client.connection.stream,
      check,
    })
  },
})

interface Client {
  query(sql: string, done: (error: Error | null) => void): void
  connection: { stream: Socket }
}

/** Asked of a view, so that what one server has and another lacks is no error. */
async function check(db: Knex): Promise<void> {
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
    throw new Error(`the database does not keep every character (its encoding is ${encoding}, not UTF8).`)
}
