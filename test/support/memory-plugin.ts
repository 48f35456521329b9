/**
 * SQLite and files in memory: an empty instance in milliseconds, for tests of what no storage and no file store can
 * change.
 */
import type { Knex } from 'knex'
import { z } from 'zod'
import { CONTRACT, type Plugin } from '#core/plugins/plugin'
import { chooseDriver } from '#plugins/sqlite/drivers/sqlite-driver'
import { openMemoryDatabase } from '#plugins/sqlite/memory-database'
import { createMemoryFileStore } from './memory-file-store.js'

/** Fills the slots storage, files and limits. Each setup has an empty database of its own. */
export const memory: Plugin = {
  contract: CONTRACT,
  name: 'memory',
  options: z.object({}),
  async setup() {
    const { storage, close } = await openMigrated()
    return { storage, limits: storage.limits, files: createMemoryFileStore(), close }
  },
}

/** A storage that survives the restart of an instance: `empty` ends its database. */
export function keepMemory(): { storage: Plugin; empty(): Promise<void> } {
  let opened: ReturnType<typeof openMigrated> | undefined
  return {
    storage: {
      ...memory,
      async setup() {
        opened ??= openMigrated()
        const { storage } = await opened
        return { storage }
      },
    },
    async empty() {
      await (await opened)?.close()
      opened = undefined
    },
  }
}

/** Fills the slot files only. */
export const memoryFiles = {
  contract: CONTRACT,
  name: 'memory-files',
  options: z.object({}),
  setup: () => ({ files: createMemoryFileStore() }),
} satisfies Plugin

/** Variables of a server that keeps its database in memory. */
export const MEMORY_ENV = { MAYFLY_STORAGE: 'sqlite', MAYFLY_SQLITE_FILE: ':memory:' }

async function openMigrated() {
  const opened = openEmpty()
  await runAtOnce(opened.db, await readSchema())
  return opened
}

/** `sqlite3` where it works: the thread of `node:sqlite` takes longer to start than most tests. */
const openEmpty = () => openMemoryDatabase(undefined, chooseDriver())

let schema: Promise<string> | undefined

/**
 * The statements that make a migrated database, which take a few milliseconds: migrations would dominate short tests.
 */
function readSchema(): Promise<string> {
  schema ??= migrateOnce()
  return schema
}

async function migrateOnce(): Promise<string> {
  const { db, storage, close } = openEmpty()
  await storage.migrate()
  const tables = await db('sqlite_master').whereNotNull('sql').whereNot('name', 'like', 'sqlite_%').orderBy('rootpage')
  const created = tables.map(({ sql }) => sql)
  const filled = tables.filter(({ type }) => type === 'table').map(({ name }) => copyRows(db, name))
  const statements = [...created, ...(await Promise.all(filled)).flat()]
  await close()
  return statements.map((sql) => `${sql};`).join('\n')
}

/** The rows that migrations write, as statements. */
async function copyRows(db: Knex, table: string): Promise<string[]> {
  const rows = await db(table)
  return rows.map((row) => db(table).insert(row).toString())
}

/** `exec` runs all statements in one call. */
async function runAtOnce({ client }: Knex, sql: string): Promise<void> {
  const connection = await client.acquireConnection()
  await new Promise<void>((resolve, reject) =>
    connection.exec(sql, (error: Error | null) => (error ? reject(error) : resolve())),
  )
  client.releaseConnection(connection)
}
