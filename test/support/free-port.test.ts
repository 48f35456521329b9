import { createServer } from 'node:net'
import { expect, test, vi } from 'vitest'
import { freePort } from './free-port.js'

/** A new instance of the module, as in another test process. */
async function freePortOf(pool: string): Promise<typeof freePort> {
  vi.resetModules()
  vi.stubEnv('VITEST_POOL_ID', pool)
  return (await import('./free-port.js')).freePort
}

test('freePort gives test processes ports of separate ranges below the ephemeral ports', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999)
  const [one, other] = [await freePortOf('1'), await freePortOf('2')]
  const [lower, higher] = [await one(), await other()]
  expect(lower).toBeGreaterThanOrEqual(20_000)
  expect(higher - lower).toBeGreaterThan(500)
  expect(higher).toBeLessThan(32_768)
  vi.restoreAllMocks()
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
