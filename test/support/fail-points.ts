/**
 * Fail points: a chosen call of a storage engine or a file store fails, before it has its effect or after it. A
 * statement of SQLite fails with an I/O error, the connection to a database server breaks, and a file store throws.
 */
import sqlite3 from 'sqlite3'
import type { FileStore, Plugin } from '#core'
import { AppError } from '#core/lib/errors'
import { NodeSqliteConnection } from '#plugins/sqlite/drivers/node-sqlite'
import { type EngineName, makeDatabase, makeSqliteDatabase, type TestDatabase } from './databases.js'
import { startRoundTripProxy } from './round-trip-proxy.js'
import { NEWEST_SQLITE_DRIVER } from './sqlite-drivers.js'

/** `before`: the call has no effect. `after`: it has its effect, but its result is lost. */
export type FailWhen = 'before' | 'after'

export interface FailPoints {
  /** Counts calls from 0 again. From call number `at` on, counted from 1, `times` calls fail. */
  arm(when: FailWhen, at: number, times: number): void
  /** No further call fails. */
  disarm(): void
  /** Calls since they were armed or disarmed. */
  count(): number
  /** Whether a call failed since they were armed. */
  hasFailed(): boolean
  /** Counts this end of a call. True: it has to fail. */
  fails(when: FailWhen): boolean
}

export function createFailPoints(): FailPoints {
  const calls = { before: 0, after: 0 }
  let failed = false
  let armed = { when: 'before' as FailWhen, from: 0, to: 0 }
  const reset = (next: typeof armed) => {
    armed = next
    failed = false
    Object.assign(calls, { before: 0, after: 0 })
  }
  return {
    arm: (when, at, times) => reset({ when, from: at, to: at + times }),
    disarm: () => reset({ when: 'before', from: 0, to: 0 }),
    count: () => calls.before,
    hasFailed: () => failed,
    fails(when) {
      const number = ++calls[when]
      const isHit = when === armed.when && number >= armed.from && number < armed.to
      failed ||= isHit
      return isHit
    },
  }
}

/** A database whose statements have fail points. `drop` removes them. */
export async function makeFailingDatabase(engine: EngineName, points: FailPoints): Promise<TestDatabase> {
  if (engine === 'sqlite') {
    const fail = NEWEST_SQLITE_DRIVER === 'sqlite3' ? withFailingStatements : withFailingThread
    return fail(await makeSqliteDatabase(NEWEST_SQLITE_DRIVER), points)
  }
  const direct = await makeDatabase(engine)
  const url = new URL(direct.options.url ?? '')
  const proxy = await startRoundTripProxy(url.hostname, Number(url.port))
  proxy.onTrip = (when) => points.fails(when)
  url.port = String(proxy.port)
  const options = { url: url.href }
  const { plugin } = direct
  const storage: Plugin = { ...direct.storage, setup: (_, host) => plugin.setup(plugin.options.parse(options), host) }
  const drop = async () => {
    await proxy.close()
    await direct.drop()
  }
  return { ...direct, storage, drop }
}

type Done = (this: unknown, error: Error | null, ...results: unknown[]) => void
type Call = (this: unknown, ...args: unknown[]) => unknown

/** The statements that can fail after their effect. */
const COMMITS = /^(COMMIT|insert into (new_secrets|first_views))\b/

/** Replaces the calls of the driver in this process until the database is dropped. */
function withFailingStatements(database: TestDatabase, points: FailPoints): TestDatabase {
  const driver = sqlite3.Database.prototype as unknown as Record<string, Call>
  const { run, all, exec, prepare } = driver as Record<'run' | 'all' | 'exec' | 'prepare', Call>
  /** `prepared`: SQL of the statement. */
  const failing = (call: Call, prepared?: unknown): Call =>
    function (...args) {
      const done = args.pop() as Done
      const isCommit = COMMITS.test(String(prepared ?? args[0]))
      if (points.fails('before')) return process.nextTick(() => done.call(this, ioError()))
      return call.call(this, ...args, function (this: unknown, error: Error | null, ...results: unknown[]) {
        done.call(this, error ?? (isCommit && points.fails('after') ? ioError() : null), ...results)
      })
    }
  Object.assign(driver, { run: failing(run), all: failing(all), exec: failing(exec) })
  driver.prepare = function (...args) {
    const statement = prepare.apply(this, args) as Record<string, Call>
    for (const name of ['run', 'all']) statement[name] = failing((statement[name] as Call).bind(statement), args[0])
    return statement
  }
  const drop = async () => {
    Object.assign(driver, { run, all, exec, prepare })
    await database.drop()
  }
  return { ...database, drop }
}

/** Fails inside the thread, which has to know, and even in a transaction. */
const CANNOT_OPEN = "ATTACH '/nonexistent/folder/file' AS failing"

/** The same with `node:sqlite`. */
function withFailingThread(database: TestDatabase, points: FailPoints): TestDatabase {
  const driver = NodeSqliteConnection.prototype as unknown as Record<string, Call>
  const { run, all, exec } = driver as Record<'run' | 'all' | 'exec', Call>
  const failing = (call: Call): Call =>
    function (...args) {
      const done = args.pop() as Done
      const isCommit = COMMITS.test(String(args[0]))
      if (points.fails('before')) return exec.call(this, CANNOT_OPEN, done)
      return call.call(this, ...args, function (this: unknown, error: Error | null, ...results: unknown[]) {
        done.call(this, error ?? (isCommit && points.fails('after') ? ioError() : null), ...results)
      })
    }
  Object.assign(driver, { run: failing(run), all: failing(all), exec: failing(exec) })
  const drop = async () => {
    Object.assign(driver, { run, all, exec })
    await database.drop()
  }
  return { ...database, drop }
}

const ioError = () => Object.assign(new Error('SQLITE_IOERR: disk I/O error'), { code: 'SQLITE_IOERR', errno: 10 })

/** The plugin with fail points in its file store. */
export function withFailingFiles(plugin: Plugin, points: FailPoints): Plugin {
  return {
    ...plugin,
    async setup(options, host) {
      const { files, ...hooks } = await plugin.setup(options, host)
      if (!files) throw new Error(`Plugin "${plugin.name}" does not provide a file store.`)
      return { ...hooks, files: failingStore(files, points) }
    },
  }
}

function failingStore(files: FileStore, points: FailPoints): FileStore {
  const failing =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (points.fails('before')) throw new AppError('file.unavailable')
      const result = await call(...args)
      if (points.fails('after')) throw new AppError('file.unavailable')
      return result
    }
  return {
    ...files,
    put: failing((...args) => files.put(...args)),
    get: failing((...args) => files.get(...args)),
    delete: failing((...args) => files.delete(...args)),
    deleteUnfinished: failing((...args) => files.deleteUnfinished(...args)),
    list: () => files.list(),
    ping: () => files.ping(),
  }
}
