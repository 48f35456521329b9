/** Servers under load: Mayfly on one storage, and the control server. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Plugin } from '#core'
import { type OpenedStorage, openStorage } from '#core/testing'
import { builtIns } from '#plugins'
import { makeDatabase, type StorageName } from '#test/databases'
import { CLI, startServer } from '#test/start-server'
import { fillSecrets } from './fill-secrets.js'

/** Program of the control server. It stands alone, so that it loads nothing else. */
const CONTROL = join(dirname(CLI), 'bench.control.js')

/** `startServer` switches rate limits off. */
const UNLIMITED = { MAYFLY_VISITOR_BYTES_PER_DAY: '1000000000000', MAYFLY_CLEANUP_SECONDS: '3600' }

export interface Instance {
  url: string
  pid: number
  /** Ends the process and deletes its data. */
  stop(): Promise<void>
}

export interface InstanceOptions {
  /** Level of the log. */
  log?: string
  /** Live secrets that the database has at the start. */
  rows?: number
  env?: Record<string, string>
  /** Arguments of node. */
  nodeArgs?: string[]
}

/** Starts Mayfly with an empty database, without rate limits and daily quotas, and without cleanup during the run. */
export async function startMayfly(
  storage: StorageName,
  { log = 'warn', rows = 0, env = {}, nodeArgs = [] }: InstanceOptions = {},
): Promise<Instance> {
  const database = await makeBenchDatabase(storage)
  if (rows > 0) await fill(database, rows)
  const server = await startServer({
    dataDir: database.dataDir,
    env: { ...database.env, MAYFLY_LOG: log, ...UNLIMITED, ...env },
    nodeArgs,
  })
  const release = killAtExit(server.pid)
  return {
    url: `http://127.0.0.1:${server.port}`,
    pid: server.pid,
    async stop() {
      release()
      await server.stop()
      await database.drop()
    },
  }
}

export async function startControl(): Promise<Instance> {
  const child = fork(CONTROL, { env: { PATH: process.env.PATH } })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve(message.port))
    child.once('exit', () => reject(new Error('the control server ended before it was ready')))
  })
  const release = killAtExit(child.pid as number)
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    async stop() {
      release()
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** Kills the process when this one exits, such as after an error. Call the result before the process is stopped. */
function killAtExit(pid: number): () => void {
  const kill = () => void process.kill(pid)
  process.once('exit', kill)
  return () => void process.off('exit', kill)
}

interface BenchDatabase {
  dataDir: string
  env: Record<string, string>
  open(): Promise<OpenedStorage>
  drop(): Promise<void>
}

/** SQLite is on the disk of the temporary folder: on a file system in memory a commit would cost nothing. */
async function makeBenchDatabase(storage: StorageName): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-bench-'))
  const removeFolder = () => rm(dataDir, { recursive: true, force: true })
  if (storage === 'postgres' || storage === 'mysql') {
    const { env, open, drop } = await makeDatabase(storage)
    return { dataDir, env, open, drop: async () => void (await Promise.all([drop(), removeFolder()])) }
  }
  const plugin = (await builtIns.sqlite()).default as unknown as Plugin
  const file = storage === 'memory' ? ':memory:' : join(dataDir, 'mayfly.db')
  return {
    dataDir,
    env: { MAYFLY_SQLITE_FILE: file },
    open: () => openStorage(plugin, { options: { file } }),
    drop: removeFolder,
  }
}

async function fill(database: BenchDatabase, rows: number): Promise<void> {
  const { storage, close } = await database.open()
  await storage.migrate()
  await fillSecrets(storage, rows, () => ({}))
  await close()
}
