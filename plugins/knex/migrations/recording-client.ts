import knex, { type Knex } from 'knex'

type OnStatement = (sql: string, run: () => Promise<unknown>) => Promise<unknown>

/**
 * A knex client on the connections of `db` that passes every statement except reads to `onStatement`, which decides whether
 * to run it.
 */
export function createRecordingClient(db: Knex, onStatement: OnStatement): Knex {
  const Dialect = db.client.constructor
  class RecordingClient extends Dialect {
    acquireConnection() {
      return db.client.acquireConnection()
    }
    releaseConnection(connection: unknown) {
      return db.client.releaseConnection(connection)
    }
    async _query(connection: unknown, query: { sql: string }) {
      const run = () => super._query(connection, query)
      await (isRead(query.sql) ? run() : onStatement(query.sql, run))
      return query
    }
    processResponse(query: { response?: unknown }, runner: unknown) {
      return query.response === undefined ? [] : super.processResponse(query, runner)
    }
  }
  const copy = knex({ client: RecordingClient as unknown as typeof knex.Client, useNullAsDefault: true })
  Object.assign(copy.client, { version: db.client.version, isMariaDB: db.client.isMariaDB })
  return copy
}

const isRead = (sql: string) => /^\s*(select|show|explain|pragma [\w(`'")]+$)/i.test(sql)
