import knex, { type Knex } from 'knex'

type Through = (sql: string, run: () => Promise<unknown>) => Promise<unknown>

/** The same database, on the same connections, but every statement that changes something goes through `through`, which may run it. */
export function intercepted(db: Knex, through: Through): Knex {
  const Dialect = db.client.constructor
  class Intercepted extends Dialect {
    acquireConnection() {
      return db.client.acquireConnection()
    }
    releaseConnection(connection: unknown) {
      return db.client.releaseConnection(connection)
    }
    async _query(connection: unknown, query: { sql: string }) {
      const run = () => super._query(connection, query)
      await (isRead(query.sql) ? run() : through(query.sql, run))
      return query
    }
    processResponse(query: { response?: unknown }, runner: unknown) {
      return query.response === undefined ? [] : super.processResponse(query, runner)
    }
  }
  const copy = knex({ client: Intercepted as unknown as typeof knex.Client, useNullAsDefault: true })
  Object.assign(copy.client, { version: db.client.version, isMariaDB: db.client.isMariaDB })
  return copy
}

const isRead = (sql: string) => /^\s*(select|show|explain|pragma [\w(`'")]+$)/i.test(sql)
