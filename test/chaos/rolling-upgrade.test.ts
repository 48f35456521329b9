/**
 * Three servers behind HAProxy, as docs/several-machines.md configures it, are replaced one after the other under load:
 * no request fails, and no secret is opened twice.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { makeDatabase } from '#test/databases'
import { freePort } from '#test/free-port'
import { needs } from '#test/needs'
import { startProxy } from '#test/reverse-proxy'
import { startServer } from '#test/start-server'
import { startViewLoad } from '#test/view-load'

const SERVERS = 3
const LANES = 4
const READY = { timeout: 20_000, interval: 50 }

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test('REL-29: three processes are replaced under load without a failed request, and no secret is opened twice', {
  ...needs('postgres', 'haproxy'),
  timeout: 120_000,
}, async () => {
  const database = await makeDatabase('postgres')
  closing.push(database.drop)
  const ports = await Promise.all(Array.from({ length: SERVERS }, freePort))
  const start = (port: number) =>
    startServer({
      args: ['--port', String(port)],
      env: Object.assign({ MAYFLY_PLUGINS: ',', MAYFLY_LOG: 'error', MAYFLY_DRAIN_SECONDS: '2' }, database.env),
    })
  const servers = [await start(ports[0] as number)]
  servers.push(...(await Promise.all(ports.slice(1).map(start))))
  closing.push(() => Promise.all(servers.map((server) => server.kill())))

  const folder = await mkdtemp(join(tmpdir(), 'mayfly-rolling-'))
  closing.push(() => rm(folder, { recursive: true }))
  const port = await freePort()
  const proxy = await startProxy('haproxy', haproxyConfig(port, ports), folder)
  closing.push(() => proxy.kill())
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(204), READY)

  const load = startViewLoad(() => url, LANES)
  for (const [index, each] of ports.entries()) {
    const before = load.granted.size
    await servers[index]?.stop()
    servers[index] = await start(each)
    // The load balancer notices it.
    await sleep(1_000)
    expect(load.granted.size).toBeGreaterThan(before)
  }
  await load.stop()

  expect([...load.granted.values()].filter((count) => count !== 1)).toEqual([])
  expect([...load.responses.keys()].sort()).toEqual([200, 201, 404])
})

const haproxyConfig = (port: number, servers: number[]) => `
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s

frontend secrets
    bind 127.0.0.1:${port}
    http-request set-header X-Forwarded-For %[src]
    default_backend mayfly

backend mayfly
    balance leastconn
    option httpchk GET /readyz
    option redispatch
    retries 2
    default-server check inter 250ms fall 2 rise 1
${servers.map((each) => `    server at-${each} 127.0.0.1:${each}`).join('\n')}
`
