/** `serve --workers`: one instance in several processes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStorage } from '#core/testing'
import { builtIns } from '#plugins'
import { childrenOf, isRunning } from '#test/child-processes'
import { MEMORY_ENV } from '#test/memory-plugin'
import { spawnCli } from '#test/spawn-cli'
import { type RunningServer, startServer } from '#test/start-server'

const BARE = { MAYFLY_PLUGINS: ',' }
const WORKERS = 3

const start = (workers = WORKERS) => startServer({ env: { ...BARE, MAYFLY_WORKERS: String(workers) } })

let server: RunningServer
beforeAll(async () => {
  server = await start()
})
afterAll(() => server?.stop())

/** On a new connection, so that any worker may respond. */
const post = (path: string, body: object) =>
  fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  })
const create = () => post('/secret', { text: 'sécret', ttl: 600 })

test('REL-01: workers grant each secret to one of many concurrent readers', async () => {
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

test('a killed worker is replaced while the others respond', async () => {
  const [victim = 0] = childrenOf(server.pid)
  process.kill(victim, 'SIGKILL')
  await server.logged(/worker ended, starting a replacement/)
  expect((await create()).status).toBe(201)
  await expect.poll(() => childrenOf(server.pid).length).toBe(WORKERS)
  expect(childrenOf(server.pid)).not.toContain(victim)
})

test('REL-18: every worker applies a changed setting within two seconds', async () => {
  expect((await create()).status).toBe(201)
  const { storage, close } = await openStorage((await builtIns.sqlite()).default, { dataDir: server.dataDir })
  await storage.settings.set({ read_only: 'true' })
  await close()
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await create()).status))
  expect(new Set(statuses)).toEqual(new Set([403]))
})

test('REL-11: SIGTERM stops all workers, exit code 0', async () => {
  const workers = childrenOf(server.pid)
  process.kill(server.pid, 'SIGTERM')
  expect(await server.ended).toEqual({ code: 0, signal: null })
  expect(workers.filter(isRunning)).toEqual([])
  const lines = server.log().match(/^.*"stopping".*$/gm) ?? []
  const pids = lines.map((line) => JSON.parse(line).pid)
  expect(pids.sort()).toEqual([...workers.sort(), undefined])
})

test('workers end when the supervisor is killed', async () => {
  const other = await start(2)
  const workers = childrenOf(other.pid)
  expect(workers).toHaveLength(2)
  await other.kill()
  await expect.poll(() => workers.filter(isRunning)).toEqual([])
  await rm(other.dataDir, { recursive: true })
})

test('a port in use is reported once, exit code 6', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-workers-'))
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as AddressInfo
  const flags = ['serve', '--host', '127.0.0.1', '--port', String(port), '--workers', '2']
  const { stderr, code } = await spawnCli(flags, { env: { ...BARE, MAYFLY_DATA_DIR: folder } })
  expect(stderr.match(/error:/g)).toHaveLength(1)
  expect(stderr).toContain(`cannot listen on port ${port}: already in use`)
  expect(code).toBe(6)
  taken.close()
  await rm(folder, { recursive: true })
})

test('a database in memory refuses workers, exit code 2', async () => {
  const { stderr, code } = await spawnCli(['serve', '--workers', '2'], { env: { ...BARE, ...MEMORY_ENV } })
  expect(stderr).toBe(
    'mayfly: error: workers: must be 1, because the plugin "sqlite" keeps its data in the memory of one process\n',
  )
  expect(code).toBe(2)
})
