import { isIP, type Socket } from 'node:net'
import type { Knex } from 'knex'
// knex loads the driver too, but its error for a missing driver has several lines.
import 'mysql2'
import { definePlugin, OperatorError, type z } from '#core'
import { type Address, addressOf, CONNECT_WITHIN, openServer, openWithOptionalTls, serverOptions } from '#plugins/knex'
import { MYSQL_URLS } from './url-dialect.js'

const DEFAULT_PORT = 3306

const optionsSchema = serverOptions(MYSQL_URLS)

export default definePlugin({
  contract: 1,
  name: 'mysql',
  options: optionsSchema,
  async setup(options) {
    return openWithOptionalTls(await addressOf(options, MYSQL_URLS, DEFAULT_PORT), (address) => open(address, options))
  },
})

async function open(address: Address, { poolSize, batchSize }: z.output<typeof optionsSchema>) {
  const { host, port, socket, user, password, database, tls, isUnencrypted } = address
  // With an IP address, the driver would look for "localhost" in the certificate.
  if (tls && !socket && isIP(host)) {
    throw new OperatorError('with TLS the URL must name the server, not its address.', { isSetting: true })
  }
  const connection = {
    ...(socket ? { socketPath: socket } : { host, port }),
    user,
    password,
    database,
    // Without `verifyIdentity`, any certificate of a trusted authority is accepted.
    ...(tls ? { ssl: { rejectUnauthorized: true, verifyIdentity: true, ...(tls.ca ? { ca: tls.ca } : {}) } } : {}),
    charset: 'UTF8MB4_BIN',
    connectTimeout: CONNECT_WITHIN,
  }
  return openServer<Connection>(address, {
    engine: 'mysql',
    isUnencrypted,
    config: { client: 'mysql2', connection: connection as Knex.MySql2ConnectionConfig },
    poolSize,
    batchSize,
    sessionStatements: ['set names utf8mb4 collate utf8mb4_bin', `set session ${SESSION_VARIABLES}`],
    writerStatements: WRITER_STATEMENTS,
    isClustered: true,
    timeoutStatements: [`set session ${TIMEOUT_VARIABLES}`],
    socketOf: ({ stream }) => stream,
    checkDurability,
    readContext,
    checkTextSize,
  })
}

/** A connection of mysql2. */
interface Connection {
  query(sql: string, done: (error: Error | null) => void): void
  stream: Socket
}

/**
 * Independent of the server's defaults: reject values that do not fit instead of truncating them, and wait at most 3 s
 * for locks.
 */
const SESSION_VARIABLES = `sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', default_storage_engine = InnoDB,
  innodb_lock_wait_timeout = 3, lock_wait_timeout = 3`
/**
 * In seconds, except the last one, which is in ms. MariaDB limits every statement, and ends transactions of a process
 * that died. MySQL limits only selects, and otherwise waits until the connection has been silent for `wait_timeout`.
 */
const TIMEOUT_VARIABLES = `wait_timeout = 60 /*M!100101 , max_statement_time = 3.5 */ /*M!100300 , idle_transaction_timeout = 10 */
  /*!50708 , max_execution_time = 3500 */`

/**
 * A transaction begins with its first statement. Without gap locks, because a locked read of an id that does not exist
 * would block the creates of other processes.
 */
const WRITER_STATEMENTS = ['set session transaction isolation level read committed', 'set session autocommit = 0']

/**
 * Statements have each text in quotes, where half of its characters may need a backslash. In bytes: the rest of a
 * statement.
 */
const STATEMENT_REST = 2 ** 20

async function checkTextSize(db: Knex, bytes: number): Promise<void> {
  const [[{ size }]] = await db.raw('select @@global.max_allowed_packet as size')
  const needed = 2 * bytes + STATEMENT_REST
  if (Number(size) >= needed) return
  const megabytes = (count: number) => Math.round((count / 2 ** 20) * 10) / 10
  const message = `the server accepts statements of ${megabytes(size)} MiB (max_allowed_packet), but the largest text needs ${megabytes(needed)} MiB.`
  const hint = `set max_allowed_packet=${Math.ceil(needed / 2 ** 20)}M in my.cnf and restart the database, or lower maxTextBytes`
  throw new OperatorError(message, { hint, code: 'ER_NET_PACKET_TOO_LARGE' })
}

async function readContext(db: Knex) {
  const [[{ account }]] = await db.raw('select current_user() as account')
  const [user, host] = [account.slice(0, account.lastIndexOf('@')), account.slice(account.lastIndexOf('@') + 1)]
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
  return { account: `${quote(user)}@${quote(host)}`, schema: '' }
}

async function checkDurability(db: Knex): Promise<void> {
  const [[settings]] =
    await db.raw(`select @@global.innodb_flush_log_at_trx_commit as flush, @@session.sql_mode as mode,
    @@global.log_bin as log, @@global.sync_binlog as sync, @@global.binlog_format as format`)
  const notDurable = (name: string) =>
    new OperatorError(`the server would lose acknowledged views in a power cut (${name} is not 1).`, {
      hint: 'set it to 1 in my.cnf, then restart the database',
    })
  // MariaDB has the value 3, which flushes at every commit as well.
  if (![1, 3].includes(settings.flush)) throw notDurable('innodb_flush_log_at_trx_commit')
  // In recovery, the server rolls back transactions that are missing in the binary log.
  if (settings.log === 1 && settings.sync !== 1) throw notDurable('sync_binlog')
  if (settings.log === 1 && settings.format === 'STATEMENT') {
    const message = 'the binary log must use the format MIXED or ROW (binlog_format), because of read committed.'
    throw new OperatorError(message, { hint: 'set binlog_format=ROW in my.cnf, then restart the database' })
  }
  if (!/STRICT_ALL_TABLES/.test(settings.mode))
    throw new Error('the server would truncate values that do not fit (sql_mode).')
  const tables = db('information_schema.tables').where({ table_schema: db.raw('database()'), table_type: 'BASE TABLE' })
  const other = await tables.whereNot({ engine: 'InnoDB' }).first('table_name as name')
  if (other) throw new Error(`the table ${other.name} does not use InnoDB, so its changes cannot be rolled back.`)
}
