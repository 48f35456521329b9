/** Keeps the prepared statements of a connection of `sqlite3`, which otherwise prepares every statement again. */
import { LRUCache } from 'lru-cache'

/** Number of statements. */
const CAPACITY = 100
/** Schema changes and pragmas run once. */
const REPEATED = /^(select|insert|update|delete|begin|commit|rollback)\b/i

export type Done = (this: unknown, error: Error | null, rows?: unknown) => void

interface Statement {
  run(values: unknown[], done: Done): unknown
  all(values: unknown[], done: Done): unknown
  finalize(done: () => void): void
}

export interface Connection {
  exec(sql: string, done: Done): void
  run(sql: string, values: unknown[], done: Done): unknown
  all(sql: string, ...rest: unknown[]): unknown
  prepare(sql: string, done: Done): Statement
  close(done: Done): void
}

/** Replaces `run`, `all` and `close`. A connection runs one statement at a time. */
export function keepStatements(connection: Connection): void {
  const close = connection.close.bind(connection)
  const kept = new LRUCache<string, Statement>({
    max: CAPACITY,
    dispose: (statement) => statement.finalize(() => {}),
  })
  for (const method of ['run', 'all'] as const) {
    const runOnce: Connection['all'] = connection[method].bind(connection)
    connection[method] = (sql: string, ...rest: unknown[]) => {
      const [values, done] = rest as [unknown[], Done]
      if (rest.length !== 2 || !REPEATED.test(sql)) return runOnce(sql, ...rest)
      const ready = kept.get(sql)
      if (ready) return ready[method](values, done)
      const statement = connection.prepare(sql, (error) => {
        if (error) return done.call(statement, error)
        kept.set(sql, statement)
        statement[method](values, done)
      })
    }
  }
  // A connection with prepared statements cannot be closed.
  connection.close = (done) => {
    kept.clear()
    close(done)
  }
}
