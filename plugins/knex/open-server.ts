/** Connects to a database server, with timeouts that also detect a server that hangs. */
import type { Socket } from 'node:net'
import knex, { type Knex } from 'knex'
import { type Hooks, isLoopbackHost, OperatorError } from '#core'
import { CONNECTION_DEFAULTS } from './connection/connection-defaults.js'
import { isReadOnly } from './connection/database-errors.js'
import { type DatabaseContext, explainError } from './connection/explain-error.js'
import { discardConnection, replaceBegin, watchErrors, watchPool } from './connection/knex-internals.js'
import type { Address } from './connection/server-options.js'
import { knexStorage } from './storage.js'

/** Timeouts in ms. They are shorter than `CALL_TIMEOUT`, so that the caller gets the specific error. */
export const CONNECT_WITHIN = 4_000
/** A connection in use is closed after this time without any data: the server hangs or is unreachable. */
const SOCKET_TIMEOUT = 4_000
/** Time for the connections to end in order when the pool is closed. */
const CLOSE_TIMEOUT = 1_000
/** Timeout of a storage call. The caller then gets `storage.unavailable`. */
const CALL_TIMEOUT = 4_500

/** Target duration of a batch of the cleanup in ms: it locks only the rows that it deletes. */
const CLEANUP_BATCH_MS = 50

/** A connection of the driver. `pg` and `mysql2` have the same `query`. */
interface Connection {
  query(sql: string, done: (error: Error | null) => void): void
}

interface Driver<DriverConnection extends Connection> {
  engine: 'postgres' | 'mysql'
  /** See `Storage.isUnencrypted`. */
  isUnencrypted: boolean
  config: Knex.Config
  poolSize: number
  batchSize: number
  /** Statements that configure each new connection. Not with `transactionStatements`. */
  sessionStatements: string[]
  /**
   * Statements that configure each transaction. With them, connections have no state between transactions, as the
   * pooler of the server requires: no settings, and no prepared statements.
   */
  transactionStatements?: string | null
  /**
   * Statements that turn off autocommit. With them, half of the connections are for creates and views, whose
   * transactions then begin without a statement.
   */
  writerStatements?: string[]
  /** The engine stores rows in the order of the primary key. */
  isClustered?: boolean
  /** Statements that set timeouts on each new connection, except those for long-running work. */
  timeoutStatements: string[]
  socketOf(connection: DriverConnection): Socket
  /** Throws an Error of one sentence when the server could lose committed data. */
  checkDurability(db: Knex): Promise<void>
  /**
   * The user as the engine writes it in GRANT, and the schema of the tables. Throws an OperatorError without a schema.
   */
  readContext(db: Knex, context: DatabaseContext): Promise<Pick<DatabaseContext, 'account' | 'schema'>>
  /** `Storage.checkTextSize`. */
  checkTextSize?(db: Knex, bytes: number): Promise<void>
}

/** Opens a storage on a server. Throws an Error of one sentence when the server does not respond or is not durable. */
export async function openServer<DriverConnection extends Connection>(
  { location, database }: Pick<Address, 'location' | 'database'>,
  driver: Driver<DriverConnection>,
): Promise<Hooks> {
  const sockets = new Set<Socket>()
  const { engine, poolSize, writerStatements } = driver
  const writerCount = writerStatements ? Math.max(1, Math.floor(poolSize / 2)) : 0
  const db = connect(driver, sockets, Math.max(1, poolSize - writerCount))
  const writers = writerStatements && connect(driver, sockets, writerCount, writerStatements)
  const close = () => closePools(writers ? [db, writers] : [db], sockets)
  const context: DatabaseContext = { engine, location, database, account: '', schema: '' }
  try {
    await explainFailure(db.raw('select 1'), context)
    Object.assign(context, await driver.readContext(db, context))
    await driver.checkDurability(db)
  } catch (error) {
    await close()
    throw error
  }
  const storage = knexStorage(db, {
    context,
    batchSize: driver.batchSize,
    timeoutMs: CALL_TIMEOUT,
    isClustered: driver.isClustered ?? false,
    cleanupBatchMs: CLEANUP_BATCH_MS,
    openLongRunning: () => connectLongRunning(driver),
    ...(writers && { writers }),
    ...(driver.transactionStatements && { begin: `BEGIN; ${driver.transactionStatements}` }),
  })
  const { checkTextSize } = driver
  return {
    storage: {
      ...storage,
      location,
      isUnencrypted: driver.isUnencrypted,
      ...(checkTextSize && { checkTextSize: (bytes: number) => checkTextSize(db, bytes) }),
    },
    close,
  }
}

/** Resolves as `query`. Throws an OperatorError when it fails. */
export function explainFailure<T>(query: PromiseLike<T>, context: DatabaseContext): Promise<T> {
  return Promise.resolve(query).catch((error: unknown) => {
    throw error instanceof OperatorError ? error : (explainError(error, 'connect', context) ?? error)
  })
}

/** Calls `open` with TLS. If the URL allows it and the server does not support TLS, calls it again without TLS. */
export async function openWithOptionalTls<T>(address: Address, open: (address: Address) => Promise<T>): Promise<T> {
  try {
    return await open(address)
  } catch (error) {
    if (!address.isTlsOptional || !(error instanceof Error) || !/does not speak TLS/.test(error.message)) throw error
    return open({ ...address, tls: null, isUnencrypted: address.socket === null && !isLoopbackHost(address.host) })
  }
}

/** `sockets` is filled with the sockets of the open connections. */
function connect<DriverConnection extends Connection>(
  driver: Driver<DriverConnection>,
  sockets: Set<Socket>,
  max: number,
  moreStatements: string[] = [],
): Knex {
  const { transactionStatements } = driver
  const ofSession = [...driver.sessionStatements, ...driver.timeoutStatements, ...moreStatements]
  const db = createPool(driver.config, transactionStatements ? [] : ofSession, max, (connection) => {
    const socket = driver.socketOf(connection as DriverConnection)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  closeHangingConnections(db, driver.socketOf)
  dropReadOnlyConnections(db)
  if (transactionStatements) {
    db.userParams = WITHOUT_SESSION
    configureTransactions(db, transactionStatements)
  }
  return db
}

/** `userParams` of a pool whose connections do not keep state between transactions. */
const WITHOUT_SESSION = { hasSession: false }

/** Makes the transactions of knex begin with `statements`. */
function configureTransactions(db: Knex, statements: string): void {
  replaceBegin(db, async ({ begin, query }) => {
    await begin()
    return query(statements)
  })
}

/**
 * Closes a connection that turned out to be read-only. After a switch to another primary, its next connection leads
 * there; a connection also keeps the read-only setting of its user until it ends.
 */
function dropReadOnlyConnections(db: Knex): void {
  watchErrors(db, (connection, error) => {
    if (isReadOnly(error)) discardConnection(connection, error)
  })
}

/**
 * Closes the pools. A server that does not respond would keep them open, so its sockets are destroyed after
 * `CLOSE_TIMEOUT`.
 */
async function closePools(pools: Knex[], sockets: Set<Socket>): Promise<void> {
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, CLOSE_TIMEOUT)
  await Promise.all(pools.map((pool) => pool.destroy())).finally(() => clearTimeout(timer))
}

/** A small pool without timeouts. */
function connectLongRunning<DriverConnection extends Connection>(driver: Driver<DriverConnection>): Knex {
  const { transactionStatements, sessionStatements, config } = driver
  if (!transactionStatements) return createPool(config, sessionStatements, 2)
  const db = createPool(config, [], 2)
  configureTransactions(db, 'set local lock_timeout = 3000; set local statement_timeout = 0')
  return db
}

/** A pool of connections that run `statements` first. */
export function createPool(
  config: Knex.Config,
  statements: string[],
  max: number,
  onConnect: (connection: Connection) => void = () => {},
): Knex {
  const afterCreate = (connection: Connection, done: (error: Error | null) => void) => {
    onConnect(connection)
    const runFrom = (index: number) => (error: Error | null) => {
      const sql = statements[index]
      if (error || sql === undefined) done(error)
      else connection.query(sql, runFrom(index + 1))
    }
    runFrom(0)(null)
  }
  return knex({
    ...CONNECTION_DEFAULTS,
    ...config,
    acquireConnectionTimeout: CONNECT_WITHIN,
    pool: { min: 0, max, afterCreate },
  })
}

/** Applies `SOCKET_TIMEOUT` while a connection is in use. Idle connections are silent, too. */
function closeHangingConnections<DriverConnection extends Connection>(
  db: Knex,
  socketOf: Driver<DriverConnection>['socketOf'],
): void {
  watchPool<DriverConnection>(db, {
    onCreate(connection) {
      const socket = socketOf(connection)
      const timeout = Object.assign(new Error('The server sent no data.'), { code: 'ETIMEDOUT' })
      socket.on('timeout', () => void socket.destroy(timeout))
    },
    onAcquire: (connection) => void socketOf(connection).setTimeout(SOCKET_TIMEOUT),
    onRelease: (connection) => void socketOf(connection).setTimeout(0),
  })
}
