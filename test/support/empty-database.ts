/** Deletes all rows of a test database between tests, in as few round trips as possible. */
import type { Knex } from 'knex'
import type { EngineName } from './databases.js'

/** Deletes every row but those about migrations. */
export const emptyDatabase = (engine: EngineName, db: Knex): Promise<void> => EMPTY[engine](db)

const EMPTY: Record<EngineName, (db: Knex) => Promise<void>> = {
  // The tables refer to each other, so that no order of deletes works; a replica does not check foreign keys.
  async postgres(db) {
    await db.raw(`do $$
      declare name text;
      begin
        set local session_replication_role = replica;
        for name in select tablename from pg_tables where schemaname = current_schema() and tablename not like 'migration%'
        loop execute format('delete from %I', name); end loop;
      end $$`)
  },

  async mysql(db) {
    const names = await db('information_schema.tables')
      .where({ table_schema: db.raw('database()') })
      .whereNot('table_name', 'like', 'migration%')
      .pluck('table_name')
    await db.raw(
      [
        'set session foreign_key_checks = 0',
        'start transaction',
        ...names.map((name) => `delete from \`${name}\``),
        'commit',
        'set session foreign_key_checks = 1',
      ].join(';'),
    )
  },

  async sqlite(db) {
    const names = await db('sqlite_master')
      .where({ type: 'table' })
      .whereNot('name', 'like', 'migration%')
      .pluck('name')
    const connection = await db.client.acquireConnection()
    try {
      const deletes = names.map((name) => `delete from "${name}";`).join('')
      await execute(connection, `pragma synchronous = off; pragma foreign_keys = off; begin; ${deletes} commit;`)
    } finally {
      await db.client.releaseConnection(connection)
    }
  },
}

/** Runs several statements at once, which knex cannot. */
function execute(connection: { exec(sql: string, done: (error: Error | null) => void): void }, sql: string) {
  return new Promise<void>((resolve, reject) => connection.exec(sql, (error) => (error ? reject(error) : resolve())))
}
