/** The reverse proxy examples of docs/several-machines.md, run as they are, in front of two servers. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PART_SIZE } from '#shared/crypto/parts'
import { freePort } from '#test/free-port'
import { needs } from '#test/needs'
import { examplesOf, nginxAround, type ProxyName, startProxy } from '#test/reverse-proxy'
import { run } from '#test/run-cli'
import { type RunningServer, startServer } from '#test/start-server'

const PAGE = fileURLToPath(new URL('../../../docs/several-machines.md', import.meta.url))

interface Case {
  name: ProxyName
  /** Adapts the example to a port of the loopback, without a certificate. */
  adapt(config: string, port: number, folder: string): string
}

const CASES: Case[] = [
  {
    name: 'nginx',
    adapt: (config, port, folder) =>
      nginxAround(config.replace('443 ssl', `127.0.0.1:${port}`).replace(/ssl_certificate.*;/g, ''), folder),
  },
  {
    name: 'haproxy',
    adapt: (config, port) => config.replace(/bind .*/, `bind 127.0.0.1:${port}`),
  },
  {
    name: 'caddy',
    adapt: (config, port, folder) =>
      `{\n admin off\n storage file_system ${folder}\n}\n${config.replace('secrets.example.org', `http://127.0.0.1:${port}`)}`,
  },
]

let folder: string
let url: string
let port: number
/** Behind every proxy. */
let survivor: RunningServer
const start = () => {
  const env = {
    MAYFLY_PLUGINS: ',',
    MAYFLY_PUBLIC_URL: url,
    MAYFLY_TRUSTED_PROXIES: '127.0.0.1',
    MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0',
  }
  return startServer({ dataDir: join(folder, 'data'), env })
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-proxy-'))
  await mkdir(join(folder, 'data'))
  port = await freePort()
  url = `http://127.0.0.1:${port}`
  survivor = await start()
})
afterAll(async () => {
  await survivor?.stop()
  await rm(folder, { recursive: true })
})

for (const { name, adapt } of CASES) {
  describe(name, needs(name), () => {
    let proxy: ChildProcess | undefined
    let victim: RunningServer
    beforeAll(async () => {
      victim = await start()
      const [example = ''] = examplesOf(await readFile(PAGE, 'utf8'), name)
      const [one, two] = [victim, survivor].map((server) => `127.0.0.1:${server.port}`)
      const here = example.replaceAll('10.0.0.11:3000', one ?? '').replaceAll('10.0.0.12:3000', two ?? '')
      proxy = await startProxy(name, adapt(here, port, folder), folder)
      await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(204), { timeout: 20_000 })
    })
    afterAll(async () => {
      await stop(proxy)
      await victim?.stop()
    })

    test('SEC-21: forwards the address of the client and drops a forged one', async () => {
      const headers = { 'x-forwarded-for': '203.0.113.66' }
      const { address } = (await (await fetch(`${url}/api/v1/settings`, { headers })).json()) as { address: string }
      expect(address).toBe('127.0.0.1')
    })

    test('passes files of several parts and uses the other server when one is killed', async () => {
      const file = join(folder, `${name}.bin`)
      const bytes = randomBytes(PART_SIZE + 1)
      await writeFile(file, bytes)
      const create = () => run(['secret', 'create', '--server', url, '-f', file])
      const link = async () => `${(await create()).stdout}`.trim()
      const links = [await link(), await link()]
      await victim.kill()
      for (const each of [...links, await link()]) {
        const { stdout, code, stderr } = await run(['secret', 'read', each])
        expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) })
        expect(stdout.equals(bytes)).toBe(true)
      }
    }, 120_000)
  })
}

/** The next proxy takes its port. */
async function stop(proxy: ChildProcess | undefined): Promise<void> {
  if (!proxy) return
  const ended = once(proxy, 'close')
  proxy.kill()
  await ended
}
