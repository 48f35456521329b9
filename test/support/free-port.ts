/** Ports for the servers of tests. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the range from which systems take the ports of outgoing connections, so that a free port stays free. */
const FIRST = 20_000
const LAST = 32_767
/** Test files run in several processes at once; each has a range of its own, or two could pick the same port. */
const RANGES = 16
const SIZE = Math.floor((LAST - FIRST + 1) / RANGES)
const base = FIRST + (Number(process.env.VITEST_POOL_ID ?? 0) % RANGES) * SIZE
// Other test runs on this machine use the same ranges.
let next = randomInt(SIZE)

/** A port that nothing listens on and that this process gets only once. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < SIZE; tried++) {
    const port = base + (next++ % SIZE)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port from ${base} to ${base + SIZE - 1}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    // On every interface, as a server under test may listen on any of them.
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
