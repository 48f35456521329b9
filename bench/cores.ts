/** Pins processes to cores, so that the server and the load generator do not share one. */
import { spawnSync } from 'node:child_process'

export interface Cores {
  server: number
  load: number
}

/** The first two cores that this process may use. Null: fewer than two, or no `taskset`. */
export function findCores(): Cores | null {
  const { stdout, status } = spawnSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' })
  if (status !== 0) return null
  const [server, load] = parseList(stdout.slice(stdout.lastIndexOf(':') + 1).trim())
  return server === undefined || load === undefined ? null : { server, load }
}

/** Moves all threads of a process to one core. Threads that it starts later inherit it. */
export function pin(pid: number, core: number): void {
  const { status, stderr } = spawnSync('taskset', ['-acp', String(core), String(pid)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`taskset could not move process ${pid} to core ${core}: ${stderr}`)
}

/** A list of cores such as `0,2-3`. */
function parseList(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}
