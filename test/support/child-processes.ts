/** Processes that another process has started. */
import { spawnSync } from 'node:child_process'

/** PIDs of the running children of a process. */
export const childrenOf = (pid: number): number[] =>
  // Its exit code is 1 when there are none.
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.trim() !== '')
    .map(Number)
    .filter(isRunning)

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
