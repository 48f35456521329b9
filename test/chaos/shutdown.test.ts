/**
 * SIGTERM ends the server within the drain time plus two seconds, even while the database, the file store or a plugin
 * hangs.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_PART } from '#core/attachments/part-layout'
import { createClient } from '#shared/client/client'
import { childrenOf, isRunning } from '#test/child-processes'
import { ENGINES, makeDatabase } from '#test/databases'
import { needsOf } from '#test/for-each-engine'
import { needs } from '#test/needs'
import { startProxy } from '#test/proxy'
import { CLI, type RunningServer, startServer } from '#test/start-server'

const LIMIT_MS = 10_000 + 2_000
const SERVERS = ['postgres', 'mysql'] as const
const BARE = { MAYFLY_PLUGINS: ',' }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-shutdown-'))
})
afterAll(() => rm(folder, { recursive: true }))

const start = async (env: Record<string, string>) => startServer({ dataDir: await mkdtemp(join(folder, 'data-')), env })

/** Sends SIGTERM and waits. Resolves with the milliseconds until the process ended. */
async function terminate(server: RunningServer): Promise<number> {
  const began = performance.now()
  process.kill(server.pid, 'SIGTERM')
  await Promise.race([server.ended, setTimeout(LIMIT_MS + 8_000)])
  const ms = performance.now() - began
  await server.kill()
  return ms
}

async function expectEndInTime(server: RunningServer, open: string): Promise<void> {
  expect(await terminate(server)).toBeLessThan(LIMIT_MS)
  expect(server.log().match(/shutdown deadline reached, exiting.*/g)).toEqual([expect.stringContaining(open)])
}

const create = ({ url }: RunningServer) =>
  fetch(`${url}/api/v1/secret`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'text', ttl: 3600, maxViews: 5 }),
  })

/** Starts requests that get no response while the database is blocked. */
function leaveWaiting(count: number, send: () => Promise<unknown>): void {
  for (let at = 0; at < count; at++) send().catch(() => {})
}

/** A server with a plugin of this source in addition to the given settings. */
async function startWithPlugin(name: string, hooks: string, env: Record<string, string> = {}): Promise<RunningServer> {
  const file = join(folder, `${name}.mjs`)
  const host = join(dirname(CLI), 'mayfly.js')
  await writeFile(
    file,
    `import cluster from 'node:cluster'
     import { open } from 'node:fs'
     import { definePlugin, z } from '${host}'
     export default definePlugin({ contract: 1, name: '${name}', options: z.object({}), setup: () => (${hooks}) })`,
  )
  return start({ MAYFLY_PLUGINS: file, ...env })
}

/**
 * A server, and the upload of a part of 8 MiB to it whose body has not begun. `answer`: `status 404`, or `none` so far.
 */
async function startUpload() {
  const server = await start({ ...BARE, MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0' })
  const { id, token } = await createClient({ server: server.url }).createFile({ size: MAX_PART, parts: 1 })
  const headers = { 'content-length': MAX_PART, authorization: `Upload ${token}` }
  const upload = request(`${server.url}/api/v1/files/${id}/0`, { method: 'PUT', headers })
  let answer = 'none'
  upload
    .on('error', () => {})
    .on('response', ({ statusCode }) => {
      answer = `status ${statusCode}`
    })
  return { server, upload: { request: upload, answer: () => answer } }
}

describe.concurrent('SIGTERM', () => {
  test('REL-11: under load, and keeps every secret that was created', async () => {
    const dataDir = await mkdtemp(join(folder, 'data-'))
    const server = await startServer({ dataDir, env: BARE })
    const created: string[] = []
    const send = async () => {
      for (;;) created.push(((await (await create(server)).json()) as { id: string }).id)
    }
    const clients = Array.from({ length: 64 }, () => expect(send()).rejects.toThrow())
    while (created.length < 300) await setTimeout(50)
    expect(await terminate(server)).toBeLessThan(LIMIT_MS)
    await Promise.all(clients)
    const again = await startServer({ dataDir, env: BARE })
    try {
      const find = async (id: string) => (await fetch(`${again.url}/api/v1/secret/${id}/exist`)).status
      const statuses = []
      for (const id of created.slice(-200)) statuses.push(await find(id))
      expect(statuses).toEqual(statuses.map(() => 200))
    } finally {
      await again.kill()
    }
  })

  for (const engine of SERVERS) {
    test(`with black-holed connections to ${engine}`, needs(engine), async () => {
      const database = await makeDatabase(engine)
      const url = new URL(database.options.url as string)
      const proxy = await startProxy(url.href)
      url.host = new URL(proxy.url).host
      const env = { ...database.env, [`MAYFLY_${engine.toUpperCase()}_URL`]: url.href, ...BARE }
      const server = await start(env)
      try {
        expect((await create(server)).status).toBe(201)
        proxy.hold()
        leaveWaiting(20, () => create(server))
        await setTimeout(300)
        await expectEndInTime(server, 'audit log')
      } finally {
        await server.kill()
        await proxy.close()
        await database.drop()
      }
    })
  }

  for (const engine of ENGINES) {
    test(`while another process holds a row lock on ${engine}`, needsOf(engine), async () => {
      const database = await makeDatabase(engine)
      const server = await start({ ...database.env, ...BARE })
      const lock = await database.db.transaction()
      try {
        const { id } = (await (await create(server)).json()) as { id: string }
        await lock('secrets').where({ id }).update({ views: 0 })
        const view = () =>
          fetch(`${server.url}/api/v1/secret/${encodeURIComponent(id)}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ claim: Buffer.alloc(16).toString('base64url') }),
          })
        leaveWaiting(5, view)
        await setTimeout(300)
        expect(await terminate(server)).toBeLessThan(LIMIT_MS)
      } finally {
        await lock.rollback()
        await server.kill()
        await database.drop()
      }
    })
  }

  test('REL-11: while close() of a plugin never resolves', async () => {
    await expectEndInTime(await startWithPlugin('stuck', '{ close: () => new Promise(() => {}) }'), 'stuck')
  })

  test('while a plugin leaves a timer behind', async () => {
    const server = await startWithPlugin('ticking', '{ close: () => void setInterval(() => {}, 1000) }')
    await expectEndInTime(server, 'Timeout')
  })

  test('REL-20: while a system call of a plugin hangs', async () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const hooks = `{ close: () => new Promise((resolve) => open('${pipe}', 'r', resolve)) }`
    await expectEndInTime(await startWithPlugin('blocked', hooks), 'blocked')
  })

  test('REL-11: while an upload stalls', async () => {
    const { server, upload } = await startUpload()
    upload.request.write(Buffer.alloc(1000))
    await setTimeout(500)
    expect(upload.answer()).toBe('none')
    const ms = await terminate(server)
    expect(ms).toBeGreaterThan(5_000)
    expect(ms).toBeLessThan(LIMIT_MS)
  })

  test('REL-11: while an upload is slow', async () => {
    const { server, upload } = await startUpload()
    // 80 kB per second. The server ends slower ones by itself, before the drain time is over.
    const trickle = setInterval(() => upload.request.write(Buffer.alloc(8 * 1024)), 100)
    try {
      await setTimeout(500)
      expect(upload.answer()).toBe('none')
      const ms = await terminate(server)
      expect(ms).toBeGreaterThan(LIMIT_MS - 3_000)
      expect(ms).toBeLessThan(LIMIT_MS)
      expect(upload.answer()).toBe('none')
    } finally {
      clearInterval(trickle)
    }
  })

  test('REL-11: of workers whose plugins never close or block the event loop', async () => {
    const hooks = `{ close() {
      if (cluster.worker.id === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      return new Promise(() => {})
    } }`
    const server = await startWithPlugin('stuck-workers', hooks, { MAYFLY_WORKERS: '2' })
    const workers = childrenOf(server.pid)
    expect(workers).toHaveLength(2)
    expect(await terminate(server)).toBeLessThan(LIMIT_MS)
    expect(workers.filter(isRunning)).toEqual([])
    expect(server.log()).toContain('stuck-workers')
    expect(server.log()).toContain('worker did not stop, killing it')
  })

  test('REL-11: a second signal ends the server at once', async () => {
    const server = await startWithPlugin('stuck-twice', '{ close: () => new Promise(() => {}) }')
    process.kill(server.pid, 'SIGTERM')
    await server.logged(/stopping/)
    expect(await terminate(server)).toBeLessThan(3_000)
  })
})

test('a draining server is not ready, still serves requests, and then ends', async () => {
  const drain = async (workers: string) => {
    const server = await start({ ...BARE, MAYFLY_DRAIN_SECONDS: '3', MAYFLY_WORKERS: workers })
    process.kill(server.pid, 'SIGTERM')
    const readiness = async () => (await fetch(`${server.url}/api/v1/readyz`)).status
    await expect.poll(readiness, { interval: 20 }).toBe(503)
    expect((await create(server)).status).toBe(201)
    expect((await fetch(`${server.url}/api/v1/healthz`)).status).toBe(204)
    await server.ended
    expect(await create(server).catch(() => 'closed')).toBe('closed')
  }
  await Promise.all(['1', '2'].map(drain))
})
