/**
 * The driver `node:sqlite`: the module of Node.js, whose calls block, in a worker thread for each connection. The
 * statements of one turn of the event loop are one message to the thread, and their results one message back.
 */
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { isExecutable, readPackageFileSync } from '#core/lib/package-files'
import { type Done, discardConnection, type SqliteConnection } from '#plugins/knex/connection/knex-internals'
import type { Reply, Request, Result } from './sqlite-thread.js'

/** Beside this file, or beside the bundle. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './sqlite-thread.ts' : './sqlite-thread.js', import.meta.url)

export async function openNodeSqlite(filename: string, lockTimeoutMs: number): Promise<SqliteConnection> {
  const connection = new NodeSqliteConnection(filename, lockTimeoutMs)
  await new Promise<void>((resolve, reject) =>
    // Opens the file without reading it. On failure, the thread is ended, because it would keep the log of other
    // connections on the disk.
    connection.exec('', (error) => (error ? connection.close(() => reject(error)) : resolve())),
  )
  return connection
}

/** A connection with the calls of `sqlite3`. Tests replace them. */
export class NodeSqliteConnection implements SqliteConnection {
  /** For `isPipelined`: a statement need not wait for the previous statement, see `sqlite-thread.ts`. */
  readonly pipeline = true
  readonly #thread: Worker
  /** Calls without a result, in the order of their statements. */
  readonly #pending: Done[] = []
  /** Statements of the next message. */
  #unsent: Request[] = []
  #failure: Error | null = null
  #onClose: Done | null = null

  constructor(filename: string, lockTimeoutMs: number) {
    this.#thread = new Worker(isExecutable() ? toDataUrl(THREAD) : THREAD, { workerData: { filename, lockTimeoutMs } })
    this.#thread.unref()
    this.#thread.on('message', (results: Reply) => this.#settle(results))
    this.#thread.on('error', (cause) => this.#end(cause))
    this.#thread.on('exit', () => this.#end(null))
  }

  exec(sql: string, done: Done): void {
    this.#send({ method: 'exec', sql, values: [] }, done)
  }

  run(sql: string, ...rest: unknown[]): void {
    this.#sendCall('run', sql, rest)
  }

  all(sql: string, ...rest: unknown[]): void {
    this.#sendCall('all', sql, rest)
  }

  close(done: Done): void {
    this.#onClose = done
    if (this.#failure) done.call(this, null)
    else {
      this.#flush()
      this.#thread.ref()
      this.#thread.postMessage(null)
    }
  }

  #sendCall(method: 'run' | 'all', sql: string, rest: unknown[]): void {
    const done = rest.pop() as Done
    const [values = []] = rest as [unknown[]?]
    this.#send({ method, sql, values }, done)
  }

  #send(request: Request, done: Done): void {
    if (this.#pending.push(done) === 1) this.#thread.ref()
    if (this.#unsent.push(request) === 1) process.nextTick(() => this.#flush())
  }

  #flush(): void {
    if (this.#failure) this.#rejectAll(this.#failure)
    else if (this.#unsent.length > 0) this.#thread.postMessage(this.#unsent)
    this.#unsent = []
  }

  #settle(results: Reply): void {
    const calls = this.#pending.splice(0, results.length)
    if (this.#pending.length === 0) this.#thread.unref()
    for (const [index, done] of calls.entries()) settle(done, results[index] as Result)
  }

  /** The thread has ended. */
  #end(cause: Error | null): void {
    if (this.#failure) return
    this.#failure = Object.assign(new Error('SQLITE_IOERR: the thread of the connection ended', { cause }), {
      code: 'SQLITE_IOERR',
    })
    discardConnection(this, this.#failure)
    this.#rejectAll(this.#failure)
    this.#onClose?.call(this, null)
  }

  #rejectAll(error: Error): void {
    for (const done of this.#pending.splice(0)) done.call(this, error)
  }
}

/** A thread starts from a file or from a URL with the code. The executable does not have files. */
function toDataUrl(url: URL): URL {
  return new URL(`data:text/javascript;base64,${readPackageFileSync(fileURLToPath(url)).toString('base64')}`)
}

/** knex reads the number of changed rows from `this`, as from a statement of `sqlite3`. */
function settle(done: Done, { error, rows, changed }: Result): void {
  if (error) done.call(null, Object.assign(new Error(error.message), { code: error.code, errno: error.errno }))
  else done.call(changed ?? null, null, rows)
}
