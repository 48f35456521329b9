/** Deletes all rows of a test database between tests, in as few round trips as possible. */
import type { Knex } from 'knex'
import { acquireConnection, releaseConnection } from '#plugins/knex/connection/knex-internals'
import type { EngineName } from './databases.js'

/** Deletes every row but those about migrations. All foreign keys cascade, so any order of the tables works. */
export const emptyDatabase = (engine: EngineName, db: Knex): Promise<void> => EMPTY[engine](db)

const EMPTY: Record<EngineName, (db: Knex) => Promise<void>> = {
  async postgres(db) {
    await db.raw(`do $$
      declare name text;
      begin
        for name in select tablename from pg_tables where schemaname = current_schema() and tablename not like 'migration%'
        loop execute format('delete from %I', name); end loop;
      end $$`)
  },

  async mysql(db) {
    const deletes = (await listTables('mysql', db)).map((name) => `delete from \`${name}\``)
    await db.raw(['start transaction', ...deletes, 'commit'].join(';'))
  },

  async sqlite(db) {
    const deletes = (await listTables('sqlite', db)).map((name) => `delete from "${name}";`)
    const connection = await acquireConnection<Executing>(db)
    try {
      await execute(
        connection,
        `pragma busy_timeout = 5000; pragma synchronous = off; begin; ${deletes.join('')} commit;`,
      )
    } finally {
      await releaseConnection(db, connection)
    }
  },
}

/** All tables but those about migrations. */
export async function listTables(engine: EngineName, db: Knex): Promise<string[]> {
  if (engine === 'sqlite') {
    const tables = db('sqlite_master').where({ type: 'table' })
    return tables.whereNot('name', 'like', 'migration%').pluck('name')
  }
  const schema = db.raw(engine === 'mysql' ? 'database()' : 'current_schema()')
  const tables = db('information_schema.tables').where({ table_schema: schema })
  const rows = await tables.whereNot('table_name', 'like', 'migration%').select({ name: 'table_name' })
  return rows.map(({ name }) => name)
}

interface Executing {
  exec(sql: string, done: (error: Error | null) => void): void
}

/** Runs several statements at once, which knex cannot. */
function execute(connection: Executing, sql: string) {
  return new Promise<void>((resolve, reject) => connection.exec(sql, (error) => (error ? reject(error) : resolve())))
}
