import type { Socket } from 'node:net'
import type { Knex } from 'knex'
// knex loads the driver too, but its error for a missing driver has several lines.
import 'pg'
import { definePlugin, OperatorError, z } from '#core'
import {
  type Address,
  addressOf,
  CONNECT_WITHIN,
  type DatabaseContext,
  openServer,
  openWithOptionalTls,
  serverOptions,
} from '#plugins/knex'
import { isPooled } from './find-pooler.js'
import { POSTGRES_URLS } from './url-dialect.js'

const DEFAULT_PORT = 5432

/**
 * Settings of each connection. A plan of a prepared statement that was made for an empty table would stay for minutes.
 */
const SESSION = ['set lock_timeout = 3000', 'set plan_cache_mode = force_custom_plan']
/** The second timeout ends transactions of a process that died, and releases their locks. */
const TIMEOUTS = ['set statement_timeout = 3500', 'set idle_in_transaction_session_timeout = 10000']

const optionsSchema = serverOptions(POSTGRES_URLS).extend({
  schema: z
    .string()
    .max(63)
    .default('')
    .describe('schema of the tables, which must exist; empty: the schema of the user'),
})

export default definePlugin({
  contract: 1,
  name: 'postgres',
  options: optionsSchema,
  async setup(options) {
    return openWithOptionalTls(await addressOf(options, POSTGRES_URLS, DEFAULT_PORT), (address) =>
      open(address, options),
    )
  },
})

/** A connection of pg. */
interface Connection {
  query(sql: string, done: (error: Error | null) => void): void
  connection: { stream: Socket }
}

async function open(address: Address, { poolSize, batchSize, ...options }: z.output<typeof optionsSchema>) {
  const schema = options.schema || (address.parameters.get('schema') ?? '')
  const hasPooler = await isPooled({ client: 'pg', connection: toConnection(address) }, address)
  // Queries that do not depend on each other are sent at once. Poolers may mix up the order of such queries.
  const config = { client: 'pg', connection: { ...toConnection(address), pipeline: !hasPooler } }
  const settings = [...SESSION, ...TIMEOUTS].map((statement) => statement.replace('set ', 'set local '))
  return openServer<Connection>(address, {
    engine: 'postgres',
    isUnencrypted: address.isUnencrypted,
    config,
    poolSize,
    batchSize,
    sessionStatements: [...SESSION, ...(schema === '' ? [] : [`set search_path = ${quote(schema)}`])],
    timeoutStatements: TIMEOUTS,
    transactionStatements: hasPooler ? settings.join('; ') : null,
    socketOf: ({ connection }) => connection.stream,
    checkDurability,
    readContext: (db, context) => readContext(db, context, schema),
  })
}

function toConnection({ host, socket, tls, parameters, port, user, password, database }: Address) {
  const startOptions = parameters.get('options')
  const connection = {
    port,
    user,
    password,
    database,
    host: socket ?? host,
    ssl: tls && { rejectUnauthorized: true, ...(tls.ca ? { ca: tls.ca } : {}) },
    application_name: parameters.get('application_name') || 'mayfly',
    ...(startOptions && { options: startOptions }),
    // With SCRAM over TLS, if the server offers it.
    enableChannelBinding: parameters.get('channel_binding') !== 'disable',
    connectionTimeoutMillis: CONNECT_WITHIN,
  }
  return connection as Knex.PgConnectionConfig
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * `wanted`: the schema of the settings; '' for the schema of the user. Throws an OperatorError when it is not in use.
 */
async function readContext(db: Knex, { location, database }: DatabaseContext, wanted: string) {
  const { rows } = await db.raw(
    'select current_user as account, current_schema() as schema, exists (select from pg_namespace where nspname = ?) as found',
    [wanted],
  )
  const [{ account: user, schema, found }] = rows
  const account = quote(user)
  if (wanted === '' || wanted === schema) return { account, schema: schema ?? 'public' }
  if (!found) {
    throw new OperatorError(`${location} does not contain the schema ${quote(wanted)}.`, {
      hint: `as its administrator, run in ${database}: CREATE SCHEMA ${quote(wanted)} AUTHORIZATION ${account}`,
    })
  }
  // Without USAGE, a schema is not in the search path.
  const { rows: rights } = await db.raw('select has_schema_privilege(?, ?) as has_usage', [wanted, 'usage'])
  if (!rights[0].has_usage) {
    throw new OperatorError(`${location} does not let ${account} use the schema ${quote(wanted)}.`, {
      hint: `as its administrator, run in ${database}: GRANT USAGE, CREATE ON SCHEMA ${quote(wanted)} TO ${account}`,
    })
  }
  throw new OperatorError(
    `${location} has a pooler that does not keep the search path, so the schema cannot be chosen.`,
    {
      hint: `as its administrator, run: ALTER ROLE ${account} SET search_path = ${quote(wanted)}`,
    },
  )
}

/** Reads the view pg_settings, because `show` fails for settings that a server does not have. */
async function checkDurability(db: Knex): Promise<void> {
  const rows = await db('pg_settings')
    .whereIn('name', ['fsync', 'synchronous_commit', 'server_encoding'])
    .select('name', 'setting')
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  for (const name of ['fsync', 'synchronous_commit']) {
    if (settings[name] === 'off') {
      throw new OperatorError(`the server would lose acknowledged views in a power cut (${name} is off).`, {
        hint: 'turn it on in postgresql.conf, and for the role and the database; then reload',
      })
    }
  }
  const encoding = settings.server_encoding ?? 'UTF8'
  if (encoding !== 'UTF8') {
    throw new OperatorError(`the database cannot store all characters (its encoding is ${encoding}, not UTF8).`, {
      hint: 'create the database as UTF-8: createdb --encoding UTF8 --template template0 NAME',
    })
  }
}
