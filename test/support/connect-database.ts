/** Connections to the database servers of this machine. Imports nothing of the product: each run loads it first. */
import knex, { type Knex } from 'knex'

export type ServerEngine = 'postgres' | 'mysql'

const USUAL = { postgres: 'postgres://postgres@127.0.0.1:5432', mysql: 'mysql://root@127.0.0.1:3306' }
const ADMIN = { postgres: 'postgres', mysql: 'mysql' }
const CLIENTS = { postgres: 'pg', mysql: 'mysql2' }
export const USUAL_POOL = { log: { warn: () => {}, error: () => {} }, pool: { min: 0, max: 2 } }

export function connect(engine: ServerEngine, address: string): Knex {
  // For `emptyDatabase`.
  const connection = engine === 'mysql' ? { uri: address, multipleStatements: true } : address
  return knex({ ...USUAL_POOL, client: CLIENTS[engine], connection })
}

/** As administrator, to make and drop databases. On the usual server, or on the server at this address. */
export const connectAsAdmin = (engine: ServerEngine, server?: string): Knex =>
  connect(engine, serverUrl(engine, ADMIN[engine], server))

/** True if the usual server, or the server at this address, responds. */
export async function hasServer(engine: ServerEngine, server?: string): Promise<boolean> {
  const admin = connectAsAdmin(engine, server)
  const asked = admin.raw('select 1').then(
    () => true,
    () => false,
  )
  return asked.finally(() => admin.destroy())
}

export function serverUrl(engine: ServerEngine, database: string, server?: string): string {
  const url = new URL(server ?? (process.env[`MAYFLY_TEST_${engine.toUpperCase()}`] || USUAL[engine]))
  url.pathname = `/${database}`
  return url.href
}

/** Variable with the id of the test run, for its workers. */
export const RUN_VARIABLE = 'TEST_RUN'

/** Beginning of the names of the databases of this test run. */
export const databasePrefix = (): string => `mayfly_test_${process.env[RUN_VARIABLE] ?? ''}`
