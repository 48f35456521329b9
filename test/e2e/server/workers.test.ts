/** `serve --workers`: one instance in several processes. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStorage } from '#core/testing'
import { builtIns } from '#plugins'
import { childrenOf, isRunning } from '#test/child-processes'
import { spawnCli } from '#test/spawn-cli'
import { type RunningServer, startServer } from '#test/start-server'

const BARE = { MAYFLY_PLUGINS: ',' }
const WORKERS = 3

let server: RunningServer
beforeEach(async () => {
  server = await startServer({ env: { ...BARE, MAYFLY_WORKERS: String(WORKERS) } })
})
afterEach(() => server.stop())

/** On a connection of its own, so that any worker may answer. */
const post = (path: string, body: object) =>
  fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  })
const create = () => post('/secret', { text: 'sécret', ttl: 600 })

test('all answer, and of many readers at once one gets each secret', async () => {
  expect(childrenOf(server.pid)).toHaveLength(WORKERS)
  const ids: string[] = []
  for (let at = 0; at < 10; at++) ids.push(((await (await create()).json()) as { id: string }).id)
  for (const id of ids) {
    const viewed = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        const claim = Buffer.alloc(16, at).toString('base64url')
        return (await post(`/secret/${encodeURIComponent(id)}`, { claim })).status
      }),
    )
    expect(viewed.filter((status) => status === 200)).toHaveLength(1)
    expect(viewed.filter((status) => status === 404)).toHaveLength(11)
  }
})

test('a setting is seen by every worker within two seconds', async () => {
  expect((await create()).status).toBe(201)
  const { storage, close } = await openStorage((await builtIns.sqlite()).default, { dataDir: server.dataDir })
  await storage.settings.set({ read_only: 'true' })
  await close()
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await create()).status))
  expect(new Set(statuses)).toEqual(new Set([403]))
})

test('a worker that dies is replaced, while the others go on', async () => {
  const [victim = 0] = childrenOf(server.pid)
  process.kill(victim, 'SIGKILL')
  await server.logged(/a worker ended and is replaced/)
  expect((await create()).status).toBe(201)
  await expect.poll(() => childrenOf(server.pid).length, { timeout: 20_000 }).toBe(WORKERS)
  expect(childrenOf(server.pid)).not.toContain(victim)
})

test('a signal stops them all in order: 0', async () => {
  const workers = childrenOf(server.pid)
  process.kill(server.pid, 'SIGTERM')
  expect(await server.ended).toEqual({ code: 0, signal: null })
  expect(workers.filter(isRunning)).toEqual([])
})

test('nobody is left when the supervisor is killed', async () => {
  const workers = childrenOf(server.pid)
  await server.kill()
  await expect.poll(() => workers.filter(isRunning), { timeout: 20_000 }).toEqual([])
})

test('what keeps the first from starting is told once: 6', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as AddressInfo
  const flags = ['serve', '--host', '127.0.0.1', '--port', String(port), '--workers', '2']
  const { stderr, code } = await spawnCli(flags, { env: { ...BARE, MAYFLY_DATA_DIR: server.dataDir } })
  expect(stderr.match(/error:/g)).toHaveLength(1)
  expect(stderr).toContain(`cannot listen on port ${port}: it is in use`)
  expect(code).toBe(6)
  taken.close()
})

test('a storage that lives in one process refuses them: 2', async () => {
  const { stderr, code } = await spawnCli(['serve', '--workers', '2'], { env: { ...BARE, MAYFLY_STORAGE: 'memory' } })
  expect(stderr).toBe(
    'mayfly: error: workers: must be 1, because the plugin "memory" keeps everything in one process\n',
  )
  expect(code).toBe(2)
})
