/** Keeps the prepared statements of a connection of `sqlite3`, which otherwise prepares every statement again. */
import { LRUCache } from 'lru-cache'
import { type Done, interceptCalls, type SqliteConnection } from '#plugins/knex/connection/knex-internals'

/** Number of statements. */
const CAPACITY = 100
/** Schema changes and pragmas run once. */
const REPEATED = /^(select|insert|update|delete|begin|commit|rollback)\b/i

interface Statement {
  run(values: unknown[], done: Done): unknown
  all(values: unknown[], done: Done): unknown
  finalize(done: () => void): void
}

export interface Connection extends SqliteConnection {
  prepare(sql: string, done: Done): Statement
}

/** Replaces `run`, `all` and `close`. A connection runs one statement at a time. */
export function keepStatements(connection: Connection): void {
  const close = connection.close.bind(connection)
  const kept = new LRUCache<string, Statement>({
    max: CAPACITY,
    dispose: (statement) => statement.finalize(() => {}),
  })
  interceptCalls(connection, ({ method, sql, values: [values, ...others], done, run }) => {
    if (!Array.isArray(values) || others.length > 0 || !REPEATED.test(sql)) return run(done)
    const ready = kept.get(sql)
    if (ready) return ready[method](values, done)
    const statement = connection.prepare(sql, (error) => {
      if (error) return done.call(statement, error)
      kept.set(sql, statement)
      statement[method](values, done)
    })
  })
  // A connection with prepared statements cannot be closed.
  connection.close = (done) => {
    kept.clear()
    close(done)
  }
}
