/** PgBouncer in front of a PostgreSQL server, as a process of its own on a free port. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { hasServer } from './connect-database.js'
import { freePort } from './free-port.js'

export type PoolMode = 'session' | 'transaction' | 'statement'

export interface PgBouncer {
  /** URL of the database through the pooler. */
  url: string
  stop(): Promise<void>
}

/** `url`: of a database, whose user needs no password. `pool`: connections to the server. Needs `pgbouncer`. */
export async function startPgBouncer(url: string, mode: PoolMode, pool = 4): Promise<PgBouncer> {
  const { hostname, port, username, pathname } = new URL(url)
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-pgbouncer-'))
  await chmod(folder, 0o755)
  const ownPort = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const server = `host=${hostname} port=${port || 5432} user=${username}`
  await writeFile(
    file,
    [
      '[databases]',
      `* = ${server}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${ownPort}`,
      'auth_type = any',
      `pool_mode = ${mode}`,
      `default_pool_size = ${pool}`,
      'unix_socket_dir =',
    ].join('\n'),
  )
  // It refuses to run as root.
  const as = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  const child: ChildProcess = spawn('pgbouncer', [file], { ...as, stdio: 'ignore' })
  const through = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(ownPort) })
  while (!(await hasServer('postgres', `postgres://${username}@127.0.0.1:${ownPort}${pathname}`))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
    await setTimeout(50)
  }
  return {
    url: through.href,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
