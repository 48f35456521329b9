/** Bytes that SQLite needs for each secret. */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '#test/start-server'
import { runOnce } from './child.js'
import type { LoadJob, LoadResult } from './load.js'

export interface DatabaseSize {
  secrets: number
  /** Bytes of each text before it is sealed. */
  size: number
  /** Of the database file after all creates, divided by the number of secrets. */
  bytesPerSecret: number
}

const CONNECTIONS = 64

/** Creates `secrets` secrets over HTTP, stops the server, and measures its database file. */
export async function databaseSize(secrets: number, size: number): Promise<DatabaseSize> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-bench-'))
  try {
    const server = await startServer({ dataDir, env: { MAYFLY_STORAGE: 'sqlite', MAYFLY_LOG: 'warn' } })
    const url = `http://127.0.0.1:${server.port}`
    const amount = { requests: secrets }
    const job: LoadJob = { kind: 'create', url, pid: server.pid, size, connections: CONNECTIONS, warmUp: 0, amount }
    await runOnce<LoadJob, LoadResult>('load', job)
    // Moves the log into the database file, unless the server is so slow that it ends at its deadline.
    await server.stop()
    const sizes = await Promise.all(['mayfly.db', 'mayfly.db-wal'].map((name) => fileSize(join(dataDir, name))))
    return { secrets, size, bytesPerSecret: sizes.reduce((sum, bytes) => sum + bytes, 0) / secrets }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Returns 0 for a missing file. */
const fileSize = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
