/** `doctor --url` and `verify-web` behind a real nginx: they report each planted fault and nothing on a sound one. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { CheckResult } from '#cli/commands/doctor/check-result'
import { freePort } from '#core/runtime'
import { needs } from '#test/needs'
import { spawnCli } from '#test/spawn-cli'
import { type RunningServer, startServer } from '#test/start-server'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-doctor-'))
})
afterAll(() => rm(folder, { recursive: true }))

const NGINX = '/usr/sbin/nginx'

const SOUND = `
  proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
  proxy_set_header X-Forwarded-For $remote_addr; proxy_request_buffering off; proxy_buffering off;`

interface Fault {
  name: string
  /** Checks that report it. */
  finds: string[]
  /** Replacements in the configuration of a correct proxy, for the server and its location. */
  server?: string
  location?: string
  /** Before the proxy. */
  extra?: string
}

/** Faults that different checks find are planted together. */
const FAULTS: Fault[] = [
  {
    name: 'callers name themselves, a second policy, missing headers, a small limit of bodies, public metrics',
    finds: ['proxy: callers', 'headers: policy', 'headers: others', 'https: hsts', 'proxy: bodies', 'proxy: metrics'],
    server: 'client_max_body_size 1m;',
    location: `${SOUND.replace('$remote_addr', '$http_x_forwarded_for')} add_header Content-Security-Policy "default-src 'self'";
      proxy_hide_header X-Frame-Options; proxy_hide_header Strict-Transport-Security;`,
    extra: 'location = /metrics { return 200 "# HELP up is it up\\n"; }',
  },
  {
    name: 'no address of the caller, another policy, a compressed API',
    finds: ['proxy: callers', 'headers: policy', 'headers: compression'],
    server: 'client_max_body_size 16m; gzip on; gzip_proxied any; gzip_types application/json;',
    location: `${SOUND.replace(/proxy_set_header X-F.*?;/, '')} proxy_hide_header Content-Security-Policy;
      add_header Content-Security-Policy "default-src * 'unsafe-inline'";`,
  },
  {
    name: 'files are changed',
    finds: ['web: app'],
    location: `${SOUND} proxy_set_header Accept-Encoding ""; sub_filter_types *; sub_filter_once off; sub_filter "use strict" "use  strict"; sub_filter "function" "function ";`,
  },
  {
    name: 'responses are cached',
    finds: ['headers: caching'],
    location: `${SOUND.replace('proxy_buffering off', 'proxy_buffering on')} proxy_cache z; proxy_ignore_headers Cache-Control Set-Cookie Vary; proxy_cache_valid 200 1m;`,
  },
  {
    name: 'redirects repeat the host',
    finds: ['proxy: host'],
    server: 'client_max_body_size 16m; if ($host != "localhost") { return 301 https://$host$request_uri; }',
  },
  {
    name: 'uploads are collected',
    finds: ['proxy: buffering'],
    location: SOUND.replace('proxy_request_buffering off', 'proxy_request_buffering on'),
  },
  {
    name: 'errors are replaced',
    finds: ['proxy: errors'],
    location: `${SOUND} proxy_intercept_errors on; error_page 404 = @nothing;`,
    extra: 'location @nothing { return 404 "gone"; }',
  },
  {
    name: 'a visit of a link opens it',
    finds: ['proxy: views'],
    extra: 'location /secret/ { proxy_pass http://UPSTREAM/api/v1$request_uri; }',
  },
]

describe('from outside', needs('nginx'), () => {
  let server: RunningServer
  let port: number
  let nginx: ChildProcess | undefined
  const env = () => ({ NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') })
  const url = () => `https://localhost:${port}`

  beforeAll(async () => {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
      stdio: 'ignore',
    })
    port = await freePort()
    // The proxy itself has another address than its callers.
    server = await startServer({ env: { MAYFLY_PUBLIC_URL: url(), MAYFLY_TRUSTED_PROXIES: '127.0.0.1' } })
  })
  afterAll(async () => {
    await stop()
    await server.stop()
  })

  async function stop(): Promise<void> {
    if (!nginx) return
    const ended = new Promise((resolve) => nginx?.once('exit', resolve))
    nginx.kill()
    await ended
    nginx = undefined
  }

  async function start({
    server: inServer = 'client_max_body_size 16m;',
    location = SOUND,
    extra = '',
  }: Partial<Fault>) {
    await stop()
    const upstream = `127.0.0.1:${server.port}`
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (each) => `${each}_temp_path ${folder}/${each};`,
    )
    const config = `user root; pid ${folder}/nginx.pid; error_log stderr; worker_processes 1; events {} http {
      ${temporary.join(' ')} access_log off; proxy_cache_path ${folder}/cache-${Date.now()} keys_zone=z:1m;
      server { listen 127.0.0.1:${port} ssl; server_name localhost;
        ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
        ${inServer} ${extra.replace('UPSTREAM', upstream)}
        location / { proxy_pass http://${upstream}; ${location} } } }`
    await writeFile(join(folder, 'nginx.conf'), config)
    nginx = spawn(NGINX, ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], { stdio: 'ignore' })
    await vi.waitFor(() => execFileSync('curl', ['-sk', `${url()}/healthz`]), { timeout: 20_000 })
  }

  async function found(...flags: string[]): Promise<{ code: number | null; bad: string[]; stderr: string }> {
    const { stdout, stderr, code } = await spawnCli(['doctor', '--url', url(), '--json', ...flags], { env: env() })
    const all = JSON.parse(`${stdout}`) as CheckResult[]
    const bad = all.filter(({ level }) => level !== 'ok').map(({ section, check }) => `${section}: ${check}`)
    return { code, bad, stderr }
  }

  test('doctor and verify-web report no problem for a correct deployment', async () => {
    await start({})
    expect(await found('--strict')).toEqual({ code: 0, bad: [], stderr: '' })
    expect(await spawnCli(['verify-web', url()], { env: env() })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/\d+ files match this version/),
    })
  })

  test.each(FAULTS)('$name', async ({ finds, ...fault }) => {
    await start(fault)
    // Without the section `web`, whose hundreds of requests do not meet the other faults.
    const sections = new Set(finds.map((check) => check.replace(/:.*/, '')))
    const { code, bad } = await found('--section', ...sections)
    expect(bad).toEqual(expect.arrayContaining(finds))
    const isWarning = finds.includes('proxy: buffering')
    expect(code).toBe(isWarning ? 0 : 9)
    if (finds.includes('web: app'))
      expect(await spawnCli(['verify-web', url()], { env: env() })).toMatchObject({ code: 9 })
  })

  test('V12.2.1: an untrusted certificate and a missing response exit with 9', async () => {
    await start({})
    expect((await spawnCli(['doctor', '--url', url()])).code).toBe(9)
    await stop()
    expect(await spawnCli(['doctor', '--url', url()], { env: env() })).toMatchObject({ code: 9 })
    expect(await spawnCli(['doctor', '--url', 'nothing'])).toMatchObject({ code: 2, stdout: Buffer.alloc(0) })
  })
})
