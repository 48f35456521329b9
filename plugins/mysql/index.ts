import { isIP, type Socket } from 'node:net'
import type { Knex } from 'knex'
// knex loads it too, but says on several lines that it is missing.
import 'mysql2'
import { definePlugin } from '#core'
import { addressOf, CONNECT_WITHIN, openServer, serverOptions } from '#plugins/knex'

export default definePlugin({
  name: 'mysql',
  options: serverOptions('mysql', 'mariadb'),
  async setup(options) {
    const { host, port, socket, user, password, database, tls, location } = await addressOf(options, 3306)
    // The driver would look for "localhost" in the certificate.
    if (tls && !socket && isIP(host)) throw new Error('with TLS the URL must name the server, not its address.')
    const connection = {
      ...(socket ? { socketPath: socket } : { host, port }),
      ...{ user, password, database },
      // Without the last, any certificate of a trusted authority would do.
      ...(tls ? { ssl: { rejectUnauthorized: true, verifyIdentity: true, ...(tls.ca ? { ca: tls.ca } : {}) } } : {}),
      charset: 'UTF8MB4_BIN',
      connectTimeout: CONNECT_WITHIN,
    }
    return openServer(location, {
      config: { client: 'mysql2', connection: connection as Knex.MySql2ConnectionConfig },
      poolSize: options.poolSize,
      batchSize: options.batchSize,
      prepare: ['set names utf8mb4 collate utf8mb4_bin', `set session ${PREPARE}`],
      hurry: [`set session ${HURRY}`],
      run: (client: Client, sql, done) => client.query(sql, done),
      socketOf: (client: Client) => client.stream,
      check,
    })
  },
})

interface Client {
  query(sql: string, done: (error: Error | null) => void): void
  stream: Socket
}

/** Whatever the server's defaults: refuse what does not fit, instead of cutting it, and wait for locks no longer than 3 s. */
const PREPARE = `sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', default_storage_engine = InnoDB,
  innodb_lock_wait_timeout = 3, lock_wait_timeout = 3`
/**
 * In seconds, but the last in ms. MariaDB stops every statement and ends transactions whose process is gone; MySQL stops
 * selects alone, and for the rest waits until the connection has been silent for long.
 */
const HURRY = `wait_timeout = 60 /*M!100101 , max_statement_time = 3.5 */ /*M!100300 , idle_transaction_timeout = 10 */
  /*!50708 , max_execution_time = 3500 */`

async function check(db: Knex): Promise<void> {
  const [[settings]] =
    await db.raw(`select @@global.innodb_flush_log_at_trx_commit as flush, @@session.sql_mode as mode,
    @@global.log_bin as log, @@global.sync_binlog as sync`)
  const lost = (name: string) =>
    new Error(`the server would lose acknowledged views in a power cut (${name} is not 1).`)
  // 3 is MariaDB's, and waits for the disk as well.
  if (![1, 3].includes(settings.flush)) throw lost('innodb_flush_log_at_trx_commit')
  // What the binary log has lost is taken back from the tables when the server recovers.
  if (settings.log === 1 && settings.sync !== 1) throw lost('sync_binlog')
  if (!/STRICT_ALL_TABLES/.test(settings.mode))
    throw new Error('the server would cut off what does not fit (sql_mode).')
  const others = db('information_schema.tables').where({ table_schema: db.raw('database()'), table_type: 'BASE TABLE' })
  const other = await others.whereNot({ engine: 'InnoDB' }).first('table_name as name')
  if (other) throw new Error(`the table ${other.name} is not kept by InnoDB, which alone can take back half of a view.`)
}
