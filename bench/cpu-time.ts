/** CPU time of processes, from the /proc of Linux. */
import { readdirSync, readFileSync } from 'node:fs'

/** USER_HZ: 100 on every platform that Node.js runs on. */
const TICK_MS = 10
/** Names of the server processes of PostgreSQL, MariaDB and MySQL. */
const DATABASE_SERVERS = /^(postgres|mariadbd|mysqld)$/

/** CPU time of all threads of a process that still run, in ms. Null where there is no /proc. */
export function cpuTimeMs(pid: number): number | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, thread) => sum + threadTimeMs(`/proc/${pid}/task/${thread}/schedstat`), 0)
  } catch {
    // Some kernels have no schedstat.
    const stat = readStat(pid)
    return stat && (stat.user + stat.system) * TICK_MS
  }
}

/** Like `cpuTimeMs`, with the children of the process, such as the workers of a server. */
export function familyCpuTimeMs(pid: number): number | null {
  const own = cpuTimeMs(pid)
  if (own === null) return null
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && readStat(Number(name))?.parent === pid)
  return children.reduce((sum, child) => sum + (cpuTimeMs(Number(child)) ?? 0), own)
}

/** The first number of a schedstat is the time on a CPU in ns. It is exact, while ticks are too long for short runs. */
const threadTimeMs = (file: string) => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6

/**
 * User and system time of all database servers of this machine, in ms, with their ended processes. Null where there is
 * no /proc. Includes queries of other programs.
 */
export function databaseCpuTimeMs(): number | null {
  let ticks = 0
  try {
    for (const name of readdirSync('/proc')) {
      const stat = /^\d+$/.test(name) ? readStat(Number(name)) : null
      if (!stat || !DATABASE_SERVERS.test(stat.name)) continue
      ticks += stat.user + stat.system + stat.childUser + stat.childSystem
    }
  } catch {
    return null
  }
  return ticks * TICK_MS
}

/** proc_pid_stat(5). Null for a process that has ended. */
function readStat(pid: number) {
  let line: string
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
  // The name may contain spaces and parentheses.
  const end = line.lastIndexOf(')')
  const name = line.slice(line.indexOf('(') + 1, end)
  // After the name: state, parent, and from the 12th field on the times.
  const [, parent, ...fields] = line
    .slice(end + 2)
    .split(' ')
    .map(Number)
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(9, 13)
  return { name, parent, user, system, childUser, childSystem }
}
