/** Instances that older versions made, for the upgrade test. test/fixtures/upgrade/README.md says how they are made. */
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Knex } from 'knex'
import type { CreatedSecret, CreateSecret, ViewedSecret } from '#shared/api'
import { type EngineName, makeDatabase, type TestDatabase } from './databases.js'
import { run } from './run-cli.js'
import { ROOT } from './source-files.js'

const FOLDER = join(ROOT, 'test/fixtures/upgrade')

/** A commit for each fixture. */
export const UPGRADE_FIXTURES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

export interface OldAccount {
  username: string
  email: string
  password: string
  /** API token. */
  token: string
}

export interface OldSecret {
  id: string
  /** With the address of the old server. */
  link: string
  burnToken: string
  text: string
  title?: string
  password?: string
  /** `content`: base64. */
  files?: { name: string; content: string }[]
}

/** What is known about an instance outside of its database. */
export interface OldInstance {
  /** Epoch ms. The locked secret is locked for 15 minutes from then, the session is valid for a week. */
  madeAt: number
  accounts: { admin: OldAccount; user: OldAccount }
  /** Of `backup.age`. */
  passphrase: string
  /** Session token of the user. */
  session: string
  idempotent: { key: string; body: CreateSecret; response: CreatedSecret }
  secrets: Record<string, OldSecret>
  /** A view of the secret `claimed`. */
  unacknowledged: { claim: string; response: ViewedSecret }
  /** Responses of the old version to GET requests, by path. */
  responses: Record<string, object>
  audit: { id: string }[]
}

export function readInstance(fixture: string): OldInstance {
  return JSON.parse(readFileSync(join(FOLDER, fixture, 'instance.json'), 'utf8'))
}

/** Path of a file or folder of a fixture. */
export const fixturePath = (fixture: string, name: string): string => join(FOLDER, fixture, name)

export interface RestoredFixture {
  /** With the schema and the rows of the old version. */
  database: TestDatabase
  /** Names of the migrations that the old version had run. */
  migrations: string[]
  /** With the blobs of the old version. */
  dataDir: string
  /** Config settings for a server and the command line. */
  env: Record<string, string>
  /** Deletes database and folder. */
  drop(): Promise<void>
}

/** Restores a fixture into a new database and a new data folder. */
export async function restoreFixture(fixture: string, engine: EngineName): Promise<RestoredFixture> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-upgrade-'))
  await cp(fixturePath(fixture, 'files'), join(dataDir, 'files'), { recursive: true })
  const source = await makeDatabase('sqlite')
  await execute(source.db, await readFile(fixturePath(fixture, 'database.sql'), 'utf8'))
  const migrations: string[] = await source.db('migrations').orderBy('name').pluck('name')
  const database = engine === 'sqlite' ? source : await copyTo(engine, source, migrations.at(-1) ?? '')
  if (engine !== 'sqlite') await source.drop()
  const env = {
    ...database.env,
    MAYFLY_DATA_DIR: dataDir,
    MAYFLY_PLUGINS: ',',
    MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0',
  }
  return {
    ...{ database, migrations, dataDir, env },
    async drop() {
      await database.drop()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** Makes a database on a server with the schema of the migrations up to `last`, and copies the rows of an SQLite database. */
async function copyTo(engine: EngineName, { db: from }: TestDatabase, last: string): Promise<TestDatabase> {
  const target = await makeDatabase(engine)
  const { code, stderr } = await run(['migrate', 'up', '--to', last], { env: { ...target.env, MAYFLY_PLUGINS: ',' } })
  if (code !== 0) throw new Error(`the schema of ${last} could not be created: ${stderr}`)
  const tables: string[] = await from('sqlite_master').where({ type: 'table' }).orderBy('rowid').pluck('name')
  const booleans = engine === 'postgres' ? await booleanColumns(target.db) : new Set<string>()
  for (const table of tables.filter((name) => !/^(sqlite|migration)/.test(name))) {
    const rows: Record<string, unknown>[] = await from(table)
    const convert = ([column, value]: [string, unknown]) => {
      // Only SQLite has text margins.
      if (table === 'texts' && column === 'margin') return [column, '']
      return [column, booleans.has(`${table}.${column}`) ? value === 1 : value]
    }
    const converted = rows.map((row) => Object.fromEntries(Object.entries(row).map(convert)))
    if (converted.length > 0) await target.db.batchInsert(table, converted, 50)
  }
  return target
}

/** As `table.column`. SQLite stores 0 and 1, which PostgreSQL rejects. */
async function booleanColumns(db: Knex): Promise<Set<string>> {
  const columns = db('information_schema.columns').where({ table_schema: 'public', data_type: 'boolean' })
  return new Set(
    (await columns.select('table_name', 'column_name')).map((row) => `${row.table_name}.${row.column_name}`),
  )
}

/** Runs several statements at once on SQLite, which knex cannot. */
async function execute(db: Knex, sql: string): Promise<void> {
  const connection: Connection = await db.client.acquireConnection()
  try {
    await new Promise<void>((resolve, reject) => connection.exec(sql, (error) => (error ? reject(error) : resolve())))
  } finally {
    await db.client.releaseConnection(connection)
  }
}

interface Connection {
  exec(sql: string, done: (error: Error | null) => void): void
}
