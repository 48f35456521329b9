/** The reverse proxy examples of docs/one-machine.md, run as they are, with https in front of one server. */
import { type ChildProcess, execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PART_SIZE } from '#shared/crypto/parts'
import { freePort } from '#test/free-port'
import { needs } from '#test/needs'
import { examplesOf, nginxAround, type ProxyName, startProxy } from '#test/reverse-proxy'
import { ROOT } from '#test/source-files'
import { spawnCli } from '#test/spawn-cli'
import { type RunningServer, startServer } from '#test/start-server'

interface Addresses {
  http: number
  https: number
  /** Port of the server. */
  server: number
  folder: string
}

interface Case {
  title: string
  name: ProxyName
  /** Index of its example on the page. */
  example: number
  path: string
  /** True if its redirects always use port 443. */
  redirectsToDefault?: true
  /** Adapts the example to ports of the loopback and a certificate of the test. */
  adapt(config: string, place: Addresses): string
}

const nginx = (config: string, { http, https, server, folder }: Addresses) =>
  nginxAround(
    config
      .replace('listen 80', `listen 127.0.0.1:${http}`)
      .replace('listen 443', `listen 127.0.0.1:${https}`)
      .replace('https://secrets.example.org', `https://127.0.0.1:${https}`)
      .replaceAll('secrets.example.org;', '127.0.0.1;')
      .replace(/ssl_certificate .*;/, `ssl_certificate ${folder}/cert.pem;`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${folder}/key.pem;`)
      .replace('127.0.0.1:3000', `127.0.0.1:${server}`)
      .replaceAll('Host $host;', 'Host $http_host;'),
    folder,
  )

const CASES: Case[] = [
  { title: 'nginx', name: 'nginx', example: 0, path: '', adapt: nginx },
  {
    title: 'nginx, below a path',
    name: 'nginx',
    example: 1,
    path: '/secrets',
    adapt: (config, addresses) =>
      nginx(
        `server { listen 80; return 301 https://secrets.example.org$request_uri; }
         server { listen 443 ssl;
         ssl_certificate here;
         ssl_certificate_key here;
         ${config} }`,
        addresses,
      ),
  },
  {
    title: 'Caddy',
    name: 'caddy',
    example: 0,
    path: '',
    redirectsToDefault: true,
    adapt: (config, { http, https, server, folder }) =>
      `{\n admin off\n storage file_system ${folder}\n http_port ${http}\n https_port ${https}\n default_bind 127.0.0.1\n}\n${config
        .replace('secrets.example.org {', `127.0.0.1 {\n tls ${folder}/cert.pem ${folder}/key.pem`)
        .replace('127.0.0.1:3000', `127.0.0.1:${server}`)}`,
  },
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-proxy-'))
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2', '-nodes']
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject, ...files], { stdio: 'ignore' })
})
afterAll(() => rm(folder, { recursive: true }))

for (const { title, name, example, path, redirectsToDefault, adapt } of CASES) {
  describe(title, needs(name, 'openssl'), () => {
    let proxy: ChildProcess | undefined
    let server: RunningServer
    let http: number
    let url: string
    beforeAll(async () => {
      http = await freePort()
      const https = await freePort()
      url = `https://127.0.0.1:${https}${path}`
      const env = {
        MAYFLY_PUBLIC_URL: url,
        MAYFLY_TRUSTED_PROXIES: '127.0.0.1',
        MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0',
      }
      server = await startServer({ env })
      const config = examplesOf(await readFile(join(ROOT, 'docs/one-machine.md'), 'utf8'), name)[example] ?? ''
      proxy = await startProxy(name, adapt(config, { http, https, server: server.port, folder }), folder)
      await vi.waitFor(async () => expect((await curl(`${url}/readyz`)).status).toBe(204), { timeout: 20_000 })
    })
    afterAll(async () => {
      proxy?.kill()
      await server?.stop()
    })

    test('the proxy redirects http to https', async () => {
      const { status, location } = await curl(`http://127.0.0.1:${http}${path}/lite`)
      expect([301, 308]).toContain(status)
      expect(location).toBe(`${redirectsToDefault ? url.replace(/:\d+/, '') : url}/lite`)
    })

    test('a file of several parts is uploaded and downloaded', async () => {
      const file = join(folder, 'file.bin')
      const bytes = randomBytes(PART_SIZE + 1)
      await writeFile(file, bytes)
      const env = { NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') }
      const created = await spawnCli(['secret', 'create', '--server', url, '-f', file], { env })
      expect(created.stdout.toString(), created.stderr).toMatch(/^https:/)
      const { stdout } = await spawnCli(['secret', 'read', '-'], { env, stdin: created.stdout })
      expect(stdout.equals(bytes)).toBe(true)
    }, 120_000)

    test('every check of doctor passes, also with forged addresses', async () => {
      const { stdout, code, stderr } = await spawnCli(['doctor', '--url', url, '--timeout', '30s', '--json'], {
        env: { NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') },
      })
      const findings = JSON.parse(stdout.toString()) as { section: string; check: string; level: string }[]
      expect(findings.length, stderr).toBeGreaterThan(10)
      expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
      expect(code).toBe(0)
    }, 120_000)
  })
}

/** Status and redirect target. */
async function curl(url: string): Promise<{ status: number; location: string }> {
  const args = [
    '-s',
    '-o',
    '/dev/null',
    '--cacert',
    join(folder, 'cert.pem'),
    '-w',
    '%{http_code} %{redirect_url}',
    url,
  ]
  const output = await new Promise<string>((resolve) => execFile('curl', args, (_error, stdout) => resolve(stdout)))
  const [status, location = ''] = output.split(' ')
  return { status: Number(status), location }
}
