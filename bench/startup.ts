/** From nothing to the first answer, and what the server holds while nobody asks. */
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { startServer } from '#test/start-server'
import { median } from './statistics.js'

export interface Startup {
  /** Of a process that starts on an empty folder, until its first 200. */
  coldStartMs: number
  /** Resident memory a while later; null where the system does not tell. */
  idleMb: number | null
}

const SETTLE_MS = 3000

export async function startup(rounds: number): Promise<Startup> {
  const times: number[] = []
  const sizes: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const server = await startServer()
    const { status } = await fetch(`${server.url}/api/v1/settings`)
    if (status !== 200) throw new Error(`the first answer was ${status}`)
    times.push(performance.now() - started)
    await setTimeout(SETTLE_MS)
    sizes.push(await residentMb(server.pid))
    await server.stop()
  }
  const idle = median(sizes)
  return { coldStartMs: median(times), idleMb: Number.isNaN(idle) ? null : idle }
}

/** NaN where there is no /proc. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024
}
