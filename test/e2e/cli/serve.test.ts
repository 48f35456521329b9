/** `mayfly serve` as a process: its data folder, its log, and how signals end it. */

import { once } from 'node:events'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startServer } from '#test/start-server'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-serve-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const BARE = { MAYFLY_PLUGINS: ',' }

describe('a running instance', () => {
  test('serve creates a private data folder and warns about an existing folder that others can read', async () => {
    const dataDir = join(folder, 'data')
    const mode = async () => (await stat(dataDir)).mode & 0o777
    const first = await startServer({ dataDir: folder, env: { ...BARE, MAYFLY_DATA_DIR: dataDir } })
    await first.stop()
    expect(await mode()).toBe(0o700)
    expect((await stat(join(dataDir, 'mayfly.db'))).mode & 0o777).toBe(0o600)
    expect(first.log()).not.toContain('readable by other users')
    await chmod(dataDir, 0o755)
    const second = await startServer({ dataDir: folder, env: { ...BARE, MAYFLY_DATA_DIR: dataDir } })
    await second.stop()
    expect(second.log()).toContain('the data folder is readable by other users of this machine')
    expect(await mode()).toBe(0o755)
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s completes running requests, accepts no new ones and exits with 0',
    async (signal) => {
      const server = await startServer({ env: BARE })
      const { finish, response } = await openRequest(server.url)
      process.kill(server.pid, signal)
      await server.logged(/stopping/)
      // The log line comes just before the end of listening.
      await expect.poll(() => isRefused(server.url)).toBe(true)
      finish()
      expect(await response).toBe(201)
      const answered = Date.now()
      expect(await server.ended).toEqual({ code: 0, signal: null })
      // An idle keep-alive connection does not delay the end of the drain.
      expect(Date.now() - answered).toBeLessThan(8_000)
      await server.stop()
    },
  )

  test('a second signal ends the server at once with exit code 130', async () => {
    const server = await startServer({ env: BARE })
    const { response } = await openRequest(server.url)
    response.catch(() => {})
    process.kill(server.pid, 'SIGTERM')
    await server.logged(/stopping/)
    process.kill(server.pid, 'SIGINT')
    // Ended by SIGINT, which shells report as 130.
    expect(await server.ended).toEqual({ code: null, signal: 'SIGINT' })
    await expect(response).rejects.toThrow()
    await server.stop()
  })
})

const isRefused = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  )

/** A create request whose body is still being sent. */
async function openRequest(url: string): Promise<{ finish(): void; response: Promise<number | undefined> }> {
  const body = JSON.stringify({ text: 'sécret', ttl: 600 })
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    expect: '100-continue',
  }
  const open = request(`${url}/api/v1/secret`, { method: 'POST', headers, agent: new Agent({ keepAlive: true }) })
  const answer = new Promise<number | undefined>((resolve, reject) => {
    open.once('response', (response) => resolve(response.resume().statusCode))
    open.once('error', reject)
  })
  open.flushHeaders()
  await once(open, 'continue')
  return { finish: () => void open.end(body), response: answer }
}

test('serve logs its addresses and exposure at startup', async () => {
  const network = { MAYFLY_PUBLIC_URL: 'http://mayfly.internal', MAYFLY_TRUSTED_PROXIES: '10.0.0.0/8' }
  const env = { ...BARE, ...network, MAYFLY_ALLOW_HTTP: 'true' }
  const server = await startServer({ env })
  const settings = JSON.parse(
    server
      .log()
      .split('\n')
      .find((line) => line.includes('"network settings"')) ?? '{}',
  )
  expect(settings).toMatchObject({
    publicUrl: 'http://mayfly.internal',
    allowedHosts: 'none',
    trustedProxies: '10.0.0.0/8',
    corsOrigins: 'none',
    limits: 'off',
  })
  expect(server.log()).toContain('publicUrl is not https')
  // The default of instanceBytes: half of the disk, at most 10 GiB.
  expect(server.log()).toMatch(/"limits in bytes","instanceBytes":\d{8,11},"visitorBytesPerDay":209715200/)
  await server.stop()
})

test('the young generation of V8 grows after the start of a server, not during it', async () => {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8'
    const measure = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
    process.once('SIGUSR2', () => {
      const atStart = measure()
      globalThis.objects = Array.from({ length: 1e6 }, (_, index) => ({ index }))
      process.stderr.write(\`young generation: \${atStart} \${measure()} bytes\n\`)
    })`
  const server = await startServer({ nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(program)}`] })
  process.kill(server.pid, 'SIGUSR2')
  const [, atStart, later] = await server.logged(/young generation: (\d+) (\d+) bytes/)
  await server.stop()
  expect(Number(atStart)).toBeLessThan(6e6)
  expect(Number(later)).toBeGreaterThan(12e6)
})
