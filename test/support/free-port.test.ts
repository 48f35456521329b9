import { createServer } from 'node:net'
import { expect, test, vi } from 'vitest'
import { freePort } from './free-port.js'

/** Number of ports of one process. */
const RANGE = 798

/** A new instance of the module, as in another test process. */
async function freePortOf(pool: string): Promise<typeof freePort> {
  vi.resetModules()
  vi.stubEnv('VITEST_POOL_ID', pool)
  return (await import('./free-port.js')).freePort
}

test('freePort gives test processes ports of separate ranges below the ephemeral ports', async () => {
  for (const pool of [0, 1, 2, 15]) {
    const port = await (await freePortOf(`${pool}`))()
    expect(Math.floor((port - 20_000) / RANGE)).toBe(pool)
    expect(port).toBeLessThan(32_768)
  }
  vi.unstubAllEnvs()
})

test('freePort returns each port once and none that is in use', async () => {
  const port = await freePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port + 1, '127.0.0.1', resolve))
  const others = await Promise.all(Array.from({ length: 20 }, freePort))
  expect(new Set([port, port + 1, ...others]).size).toBe(22)
  await new Promise((resolve) => server.close(resolve))
})
