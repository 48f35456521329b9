/** How slow this machine is at the moment, so that a limit in CPU time means the same on a busy machine. */

/** CPU time of the work below on an idle server of 2026, in ms. */
const USUAL_MS = 7
const REPETITIONS = 5
const BYTES = 2 ** 21

/**
 * Returns how many times the usual CPU time a fixed piece of work takes, at least 1. Other programs that use the caches
 * and the memory raise it.
 */
export function readSlowdown(): number {
  const bytes = Buffer.alloc(BYTES, 'a')
  const json = JSON.stringify('a\n'.repeat(BYTES / 4))
  let cheapest = Number.POSITIVE_INFINITY
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const before = process.cpuUsage()
    work(bytes, json)
    const { user, system } = process.cpuUsage(before)
    cheapest = Math.min(cheapest, (user + system) / 1000)
  }
  return Math.max(1, cheapest / USUAL_MS)
}

/** What the server does with a body: read each byte, copy it, parse it. */
function work(bytes: Buffer, json: string): number {
  let sum = 0
  for (let index = 0; index < bytes.length; index++) sum += bytes[index] === 0x22 ? 1 : 0
  return sum + Buffer.concat([bytes, bytes]).length + JSON.parse(json).length
}
