/**
 * Databases on the SQL engines of this machine. Databases of a server are emptied between tests and between test files,
 * because making one takes longer than most tests.
 */
import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import knex, { type Knex } from 'knex'
import { z } from 'zod'
import type { Plugin } from '#core/plugins/plugin'
import { type OpenedStorage, openStorage } from '#core/testing/lib/open-plugin'
import { builtIns } from '#plugins'
import { createSqliteClient } from '#plugins/knex/connection/knex-internals'
import { chooseDriver, type DriverName } from '#plugins/sqlite/drivers/sqlite-driver'
import {
  connect,
  connectAsAdmin,
  databasePrefix,
  hasServer,
  type ServerEngine,
  serverUrl,
  USUAL_POOL,
} from './connect-database.js'
import { emptyDatabase } from './empty-database.js'
import { makeMemoryFolder } from './memory-folder.js'
import { keepMemory, MEMORY_ENV } from './memory-plugin.js'

export const ENGINES = ['sqlite', 'postgres', 'mysql'] as const
export type EngineName = (typeof ENGINES)[number]
export type StorageName = EngineName | 'memory'

/** An empty database, and how it is reached. */
export interface TestDatabase {
  engine: EngineName
  plugin: Plugin
  /** Options of the plugin. */
  options: Record<string, string>
  /** The plugin with these options as its defaults, for `testApp`. */
  storage: Plugin
  /** The same for a server of its own, as variables. */
  env: Record<string, string>
  /** Direct access, without the plugin. */
  db: Knex
  /** Sets the plugin up on it. */
  open(): Promise<OpenedStorage>
  /** Deletes every row but those about migrations. */
  empty(): Promise<void>
  drop(): Promise<void>
}

/** The engines whose servers respond on this machine. */
export async function availableEngines(): Promise<EngineName[]> {
  const available = await Promise.all(ENGINES.map(async (engine) => engine === 'sqlite' || hasServer(engine)))
  return ENGINES.filter((_, index) => available[index])
}

/** Storage for the contract suites, cleared by `empty` between tests. */
export type TestStorage = Pick<TestDatabase, 'storage' | 'env' | 'empty' | 'drop'>

export async function makeStorage(name: StorageName): Promise<TestStorage> {
  if (name !== 'memory') return acquireDatabase(name)
  const { storage, empty } = keepMemory()
  return { storage, env: MEMORY_ENV, empty, drop: empty }
}

/** Databases that no test file uses at the moment. The test files of one worker share them. */
const pool: Record<ServerEngine, TestDatabase[]> = { postgres: [], mysql: [] }

/**
 * A database without rows, with or without a schema. `drop` returns it to the pool, so tests must not change its
 * schema. `drop-databases.ts` drops it at the end of the run.
 */
export async function acquireDatabase(engine: EngineName): Promise<TestDatabase> {
  if (engine === 'sqlite') return makeDatabase(engine)
  const reused = pool[engine].pop()
  await reused?.empty()
  const database = reused ?? (await makeDatabase(engine))
  return { ...database, drop: async () => void pool[engine].push(database) }
}

/** Makes a database with nothing in it, on the usual server or another one. */
export async function makeDatabase(engine: EngineName, server?: string): Promise<TestDatabase> {
  return toDatabase(engine, await (engine === 'sqlite' ? makeFile() : makeOnServer(engine, server)))
}

/** The same on SQLite, with a driver other than the default. */
export const makeSqliteDatabase = async (driver: DriverName): Promise<TestDatabase> =>
  toDatabase('sqlite', await makeFile(driver))

async function toDatabase(engine: EngineName, { options, db, drop }: Made): Promise<TestDatabase> {
  const plugin = (await builtIns[engine]()).default as unknown as Plugin
  const variables = Object.entries(options).map(([option, value]) => [
    `MAYFLY_${engine}_${option}`.toUpperCase(),
    value,
  ])
  return {
    engine,
    plugin,
    options,
    storage: {
      ...plugin,
      options: z.object({}),
      setup: (_, host) => plugin.setup(plugin.options.parse(options), host),
    },
    env: { MAYFLY_STORAGE: engine, ...Object.fromEntries(variables) },
    db,
    open: () => openStorage(plugin, { options }),
    empty: () => emptyDatabase(engine, db),
    async drop() {
      await db.destroy()
      await drop()
    },
  }
}

/**
 * For `storageContract`: each `open` returns an empty storage. Databases and their open storages are reused; `drop`
 * closes them all.
 */
export function storagesOn(make: () => Promise<TestDatabase>): {
  open(): Promise<OpenedStorage>
  drop(): Promise<void>
} {
  const all: (OpenedStorage & { database: TestDatabase })[] = []
  const free: typeof all = []
  return {
    async open() {
      const reused = free.pop()
      await reused?.database.empty()
      const opened = reused ?? (await openNew())
      return { ...opened, close: async () => void free.push(opened) }
    },
    async drop() {
      for (const { database, close } of all) {
        await close()
        await database.drop()
      }
    },
  }

  async function openNew() {
    const database = await make()
    const opened = { ...(await database.open()), database }
    all.push(opened)
    return opened
  }
}

type Made = Pick<TestDatabase, 'options' | 'db' | 'drop'>

async function makeFile(driver?: DriverName): Promise<Made> {
  const folder = await makeMemoryFolder('mayfly-database-')
  const file = join(folder, 'mayfly.db')
  // As on a server, the database exists.
  await writeFile(file, '', { mode: 0o600 })
  const options = { file, ...(driver && { driver }) }
  return { options, db: connectToFile(file, driver), drop: () => rm(folder, { recursive: true }) }
}

async function makeOnServer(engine: ServerEngine, server?: string): Promise<Made> {
  const name = databasePrefix() + randomBytes(6).toString('hex')
  const onServer = async (sql: string) => {
    const admin = connectAsAdmin(engine, server)
    await admin.raw(sql).finally(() => admin.destroy())
  }
  await onServer(`create database ${name}`)
  const url = serverUrl(engine, name, server)
  const force = engine === 'postgres' ? ' with (force)' : ''
  return { options: { url }, db: connect(engine, url), drop: () => onServer(`drop database ${name}${force}`) }
}

/** Names of all tables. */
export async function tablesOf(engine: EngineName, db: Knex): Promise<string[]> {
  if (engine === 'sqlite')
    return db('sqlite_master')
      .where({ type: 'table' })
      .whereNot('name', 'like', 'sqlite_%')
      .orderBy('name')
      .pluck('name')
  const schema = db.raw(engine === 'postgres' ? 'current_schema()' : 'database()')
  const rows = await db('information_schema.tables').where({ table_schema: schema }).select('table_name as name')
  return rows.map(({ name }) => name).sort()
}

/** How its tables are made: equal for equal schemas. */
export async function schemaOf({ engine, db }: TestDatabase): Promise<unknown> {
  if (engine === 'sqlite') return db('sqlite_master').whereNot('name', 'like', 'sqlite_%').orderBy('name').pluck('sql')
  if (engine === 'mysql') {
    const tables = await tablesOf(engine, db)
    return Promise.all(tables.map(async (table) => (await db.raw('show create table ??', table))[0][0]['Create Table']))
  }
  const columns = [
    'table_name',
    'column_name',
    'data_type',
    'is_nullable',
    'column_default',
    'character_maximum_length',
  ]
  const inSchema = db('information_schema.columns').where({ table_schema: 'public' })
  return {
    columns: await inSchema.orderBy(['table_name', 'column_name']).select(columns),
    indexes: await db('pg_indexes').where({ schemaname: 'public' }).orderBy('indexname').pluck('indexdef'),
    constraints: await db('pg_constraint').orderBy('conname').select(db.raw('conname, pg_get_constraintdef(oid)')),
  }
}

/**
 * Uses the driver of the plugin. Two copies of SQLite in one process do not see the locks of each other, and one would
 * delete the write-ahead log of the other.
 */
function connectToFile(filename: string, driver?: DriverName): Knex {
  const client = createSqliteClient((file) => chooseDriver(driver).open(file, 0))
  return knex({ ...USUAL_POOL, client, connection: { filename }, useNullAsDefault: true })
}
