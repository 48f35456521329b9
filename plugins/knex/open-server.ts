/** Connects to a database server, with timeouts that also detect a server that hangs. */
import type { Socket } from 'node:net'
import knex, { type Knex } from 'knex'
import type { Hooks } from '#core'
import { CONNECTION_DEFAULTS } from './connection/connection-defaults.js'
import { describeConnectionError } from './connection/connection-errors.js'
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
  /** See `Storage.isUnencrypted`. */
  isUnencrypted: boolean
  config: Knex.Config
  poolSize: number
  batchSize: number
  /** Statements that configure each new connection. */
  sessionStatements: string[]
  /**
   * Statements that turn off autocommit. With them, half of the connections are for creates and views, whose transactions then
   * need no statement to begin.
   */
  writerStatements?: string[]
  /** The engine stores rows in the order of the primary key. */
  isClustered?: boolean
  /** Statements that set timeouts on each new connection, except those for long-running work. */
  timeoutStatements: string[]
  socketOf(connection: DriverConnection): Socket
  /** Throws an Error of one sentence when the server could lose committed data. */
  checkDurability(db: Knex): Promise<void>
}

/** Opens a storage on a server. Throws an Error of one sentence when the server does not answer or is not durable. */
export async function openServer<DriverConnection extends Connection>(
  location: string,
  driver: Driver<DriverConnection>,
): Promise<Hooks> {
  const sockets = new Set<Socket>()
  const { poolSize, writerStatements } = driver
  const writerCount = writerStatements ? Math.max(1, Math.floor(poolSize / 2)) : 0
  const db = connect(driver, sockets, Math.max(1, poolSize - writerCount))
  const writers = writerStatements && connect(driver, sockets, writerCount, writerStatements)
  const close = () => closePools(writers ? [db, writers] : [db], sockets)
  try {
    await db.raw('select 1').catch((error) => {
      throw new Error(`${location} ${describeConnectionError(error)}.`)
    })
    await driver.checkDurability(db)
  } catch (error) {
    await close()
    throw error
  }
  const storage = knexStorage(db, {
    batchSize: driver.batchSize,
    timeoutMs: CALL_TIMEOUT,
    isClustered: driver.isClustered ?? false,
    cleanupBatchMs: CLEANUP_BATCH_MS,
    openLongRunning: () => connectLongRunning(driver),
    ...(writers && { writers }),
  })
  return { storage: { ...storage, location, isUnencrypted: driver.isUnencrypted }, close }
}

/** `sockets` is filled with those of the open connections. */
function connect<DriverConnection extends Connection>(
  driver: Driver<DriverConnection>,
  sockets: Set<Socket>,
  max: number,
  moreStatements: string[] = [],
): Knex {
  const statements = [...driver.sessionStatements, ...driver.timeoutStatements, ...moreStatements]
  const db = createPool(driver.config, statements, max, (connection) => {
    const socket = driver.socketOf(connection as DriverConnection)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  closeHangingConnections(db, driver.socketOf)
  return db
}

/** Closes the pools. A server that does not answer would keep them open, so its sockets are destroyed after `CLOSE_TIMEOUT`. */
async function closePools(pools: Knex[], sockets: Set<Socket>): Promise<void> {
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, CLOSE_TIMEOUT)
  await Promise.all(pools.map((pool) => pool.destroy())).finally(() => clearTimeout(timer))
}

/** A small pool without timeouts. */
function connectLongRunning<DriverConnection extends Connection>(driver: Driver<DriverConnection>): Knex {
  return createPool(driver.config, driver.sessionStatements, 2)
}

function createPool(
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
  const { pool } = db.client
  pool.on('createSuccess', (_: number, connection: DriverConnection) => {
    const socket = socketOf(connection)
    const timeout = Object.assign(new Error('The server sent no data.'), { code: 'ETIMEDOUT' })
    socket.on('timeout', () => void socket.destroy(timeout))
  })
  pool.on('acquireSuccess', (_: number, connection: DriverConnection) => {
    socketOf(connection).setTimeout(SOCKET_TIMEOUT)
  })
  pool.on('release', (connection: DriverConnection) => void socketOf(connection).setTimeout(0))
}
