/**
 * A PostgreSQL or MariaDB of a test's own, to be stopped, held up and misconfigured: on a free port of the loopback.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { childrenOf } from './child-processes.js'
import { hasServer } from './connect-database.js'
import type { EngineName } from './databases.js'
import { freePort } from './free-port.js'
import { findPostgres, findProgram } from './tools.js'

export type ServerName = Exclude<EngineName, 'sqlite'>

export interface DatabaseServer {
  /** For `makeDatabase`: without a database. */
  url: string
  /** Folder of its data. Files that a test adds beside it are readable by every user. */
  folder: string
  /** Starts it again on the same data and port, when it was stopped; `args` are added. */
  start(args?: string[]): Promise<void>
  /** At once, as in a crash, but nothing that it acknowledged is lost. */
  stop(): Promise<void>
  /** Freezes all its processes: connections stay open without a response. */
  pause(): void
  resume(): void
  /** Stops it and removes its data. */
  end(): Promise<void>
}

interface Program {
  install(data: string): string[]
  serve(data: string, port: number): string[]
  /** The user that runs it when the tests run as root, which it refuses. */
  user: string
  url(port: number): string
}

const PROGRAMS: Record<ServerName, Program> = {
  postgres: {
    install: (data) => [program('initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    serve: (data, port) => [
      program('postgres'),
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
    ],
    user: 'postgres',
    url: (port) => `postgres://postgres@localhost:${port}`,
  },
  mysql: {
    install: (data) => [
      program('mariadb-install-db'),
      '--no-defaults',
      `--datadir=${data}`,
      '--skip-test-db',
      '--auth-root-authentication-method=normal',
    ],
    serve: (data, port) => [
      program('mariadbd'),
      '--no-defaults',
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(data, 'socket')}`,
      '--innodb-buffer-pool-size=64M',
    ],
    user: 'mysql',
    url: (port) => `mysql://root@localhost:${port}`,
  },
}

/** Installs and starts one; `args` are further arguments of the program. */
export const startDatabaseServer = (name: ServerName, args: string[] = []): Promise<DatabaseServer> =>
  startFrom(name, PROGRAMS[name].install, args)

/**
 * A PostgreSQL server that replicates this one. `select pg_promote()` makes it a primary. Its name for
 * `synchronous_standby_names` is `standby`.
 */
export const startPostgresStandby = (primary: DatabaseServer): Promise<DatabaseServer> =>
  startFrom('postgres', (data) => {
    const source = `${primary.url}?application_name=standby`
    return [program('pg_basebackup'), '-d', source, '-D', data, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync']
  })

async function startFrom(name: ServerName, install: Program['install'], args: string[] = []): Promise<DatabaseServer> {
  const { serve, user, url } = PROGRAMS[name]
  const folder = await mkdtemp(join(tmpdir(), `mayfly-${name}-`))
  const as = process.getuid?.() === 0 ? { uid: idOf(user, '-u'), gid: idOf(user, '-g') } : {}
  await chmod(folder, 0o755)
  if (as.uid !== undefined) await chown(folder, as.uid, as.gid)
  const data = join(folder, 'data')
  const [installer = '', ...words] = install(data)
  execFileSync(installer, words, { ...as, stdio: 'ignore' })
  const port = await freePort()
  let child: ChildProcess
  const start = async (more: string[] = []) => {
    const [program = '', ...rest] = serve(data, port)
    child = spawn(program, [...rest, ...args, ...more], { ...as, stdio: 'ignore' })
    while (!(await hasServer(name, url(port)))) {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`)
      await setTimeout(50)
    }
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    // PostgreSQL ends its other processes with this one, and leaves them behind after a SIGKILL.
    child.kill(name === 'postgres' ? 'SIGQUIT' : 'SIGKILL')
    await ended
  }
  const signal = (kind: NodeJS.Signals) => {
    const pid = child.pid as number
    for (const each of [pid, ...childrenOf(pid)]) process.kill(each, kind)
  }
  await start()
  return {
    url: url(port),
    folder,
    start,
    stop,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async end() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Tests that start a server need `postgresServer` or `mariadbServer`, so that it is there. */
const program = (name: string) => findProgram(name) ?? findPostgres(name) ?? name

const idOf = (user: string, flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }))
