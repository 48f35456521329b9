/** Deletes all rows of a test database between tests, in as few round trips as possible. */
import type { Knex } from 'knex'
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
    const tables = db('information_schema.tables').where({ table_schema: db.raw('database()') })
    const names = await tables.whereNot('table_name', 'like', 'migration%').pluck('table_name')
    const deletes = names.map((name) => `delete from \`${name}\``)
    await db.raw(['start transaction', ...deletes, 'commit'].join(';'))
  },

  async sqlite(db) {
    const tables = db('sqlite_master').where({ type: 'table' }).whereNot('name', 'like', 'migration%')
    const deletes = (await tables.pluck('name')).map((name) => `delete from "${name}";`)
    const connection = await db.client.acquireConnection()
    try {
      await execute(connection, `pragma synchronous = off; begin; ${deletes.join('')} commit;`)
    } finally {
      await db.client.releaseConnection(connection)
    }
  },
}

/** Runs several statements at once, which knex cannot. */
function execute(connection: { exec(sql: string, done: (error: Error | null) => void): void }, sql: string) {
  return new Promise<void>((resolve, reject) => connection.exec(sql, (error) => (error ? reject(error) : resolve())))
}
