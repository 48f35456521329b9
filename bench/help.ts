/** How long `mayfly --help` takes, beside a Node that does nothing. */
import { spawnSync } from 'node:child_process'
import { CLI } from '#test/start-server'
import { median } from './statistics.js'

export interface Help {
  helpMs: number
  bareNodeMs: number
}

/** Medians of so many runs, taken in turns. */
export function help(runs: number): Help {
  const times = Array.from({ length: runs }, () => ({ help: timed([CLI, '--help']), bare: timed(['-e', '0']) }))
  return { helpMs: median(times.map(({ help }) => help)), bareNodeMs: median(times.map(({ bare }) => bare)) }
}

function timed(args: string[]): number {
  const started = performance.now()
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`)
  return performance.now() - started
}
