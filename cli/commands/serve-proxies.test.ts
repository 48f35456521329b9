/** The reverse proxies of docs/several-machines.md, as they are written there, in front of two instances. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '#core/host'
import { run } from '#core/testing/run'
import { type RunningServer, startServer } from '#core/testing/serve'

const PAGE = fileURLToPath(new URL('../../docs/several-machines.md', import.meta.url))

interface Proxy {
  name: string
  /** Makes the example run here: without a certificate, on a port of the loopback. */
  adapt(config: string, port: number, folder: string): string
  command(file: string): string[]
}

const PROXIES: Proxy[] = [
  {
    name: 'nginx',
    adapt: (config, port, folder) =>
      `pid ${folder}/nginx.pid; error_log stderr; events {} http {
        client_body_temp_path ${folder}; proxy_temp_path ${folder};
        ${config.replace('443 ssl', `127.0.0.1:${port}`).replace(/ssl_certificate.*;/g, '')} }`,
    command: (file) => ['nginx', '-c', file, '-g', 'daemon off;'],
  },
  {
    name: 'haproxy',
    adapt: (config, port) => config.replace(/bind .*/, `bind 127.0.0.1:${port}`),
    command: (file) => ['haproxy', '-db', '-f', file],
  },
  {
    name: 'caddy',
    adapt: (config, port, folder) =>
      `{\n admin off\n storage file_system ${folder}\n}\n${config.replace('secrets.example.org', `http://127.0.0.1:${port}`)}`,
    command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
]
/** The language of its block in the page. */
const LANGUAGES: Record<string, string> = { nginx: 'nginx', haproxy: 'haproxy', caddy: 'caddyfile' }

function isInstalled({ name }: Proxy): boolean {
  try {
    execFileSync('which', [name], { env: { PATH: `${process.env.PATH}:/usr/sbin` } })
    return true
  } catch {
    if (process.env.CI) throw new Error(`${name} is missing: apt-get install ${name}`)
    process.stderr.write(`${name} is missing: apt-get install ${name}\n`)
    return false
  }
}

let folder: string
let proxy: ChildProcess | undefined
let servers: RunningServer[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-proxy-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe.each(PROXIES.filter(isInstalled))('$name', ({ name, adapt, command }) => {
  let url: string
  beforeAll(async () => {
    const dataDir = await mkdtemp(join(folder, 'data-'))
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const env = {
      ...{ MAYFLY_PLUGINS: ',', MAYFLY_PUBLIC_URL: url, MAYFLY_TRUSTED_PROXIES: '127.0.0.1' },
      ...{ MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0' },
    }
    // One after the other: the first makes the database.
    servers = [await startServer({ dataDir, env }), await startServer({ dataDir, env })]
    const page = await readFile(PAGE, 'utf8')
    const [, example = ''] = new RegExp(`\`\`\`${LANGUAGES[name]}\\n([^]*?)\`\`\``).exec(page) ?? []
    const [one, two] = servers.map((server) => `127.0.0.1:${server.port}`)
    const here = example.replaceAll('10.0.0.11:3000', one ?? '').replaceAll('10.0.0.12:3000', two ?? '')
    await writeFile(join(folder, name), adapt(here, port, folder))
    const [program = '', ...args] = command(join(folder, name))
    proxy = spawn(program, args, { stdio: 'ignore', env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder } })
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(204), { timeout: 20_000 })
  })
  afterAll(async () => {
    proxy?.kill()
    await Promise.all(servers.map((server) => server.stop()))
  })

  test('tells the address of the caller, whatever the caller says', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.66' }
    const { address } = (await (await fetch(`${url}/api/v1/settings`, { headers })).json()) as { address: string }
    expect(address).toBe('127.0.0.1')
  })

  test('lets a file of several parts through, and goes on with one instance when the other is killed', async () => {
    const file = join(folder, `${name}.bin`)
    const bytes = randomBytes(20 * 2 ** 20)
    await writeFile(file, bytes)
    const create = () => run(['secret', 'create', '--server', url, '-f', file])
    const link = async () => `${(await create()).stdout}`.trim()
    const links = [await link(), await link()]
    servers[0]?.kill()
    await servers[0]?.ended
    for (const each of [...links, await link()]) {
      const { stdout, code, stderr } = await run(['secret', 'read', each])
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) })
      expect(stdout.equals(bytes)).toBe(true)
    }
  }, 120_000)
})
