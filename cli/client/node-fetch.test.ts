/**
 * The command line against a server that requires a client certificate, through real proxies, with additional headers.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http, { type IncomingHttpHeaders } from 'node:http'
import https from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'

const TEXT = 'pässwörd ☃\nsecond line\n'
const folder = mkdtempSync(join(tmpdir(), 'mayfly-tls-'))
const pem = (name: string) => join(folder, name)

/** Listens on loopback. URLs use a host name instead of the IP address, so that the server name is sent. */
const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function makeCertificate(name: string): void {
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost', '-days', '2', '-nodes']
  const files = ['-keyout', pem(`${name}.key`), '-out', pem(`${name}.pem`)]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, ...files], { stdio: 'ignore' })
}

let backend: LocalServer
let seen: IncomingHttpHeaders[] = []
let tunnels: { path: string; authorization: string | undefined }[] = []
/** Requests that a proxy got with their whole URL. */
let forwarded: string[] = []
const servers: Server[] = []

const forward = (request: http.IncomingMessage, response: http.ServerResponse): void => {
  seen.push(request.headers)
  const { method, url, headers } = request
  const target = http.request(new URL(url as string, backend.url), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode as number, answer.rawHeaders)
    answer.pipe(response)
  })
  request.pipe(target)
}

let secureUrl: string
let proxyPort: number

describe('transport', needs('openssl'), () => {
  beforeAll(async () => {
    backend = await startLocalServer()
    for (const name of ['server', 'client', 'stranger']) makeCertificate(name)
    const read = (name: string) => readFileSync(pem(name))
    const options = { key: read('server.key'), cert: read('server.pem'), ca: read('client.pem') }
    const secure = https.createServer({ ...options, requestCert: true, rejectUnauthorized: true }, forward)
    servers.push(secure)
    secureUrl = `https://localhost:${await listen(secure)}`
    const proxy = http.createServer((request, response) => {
      forwarded.push(request.url as string)
      forward(request, response)
    })
    proxy.on('connect', ({ url, headers }: http.IncomingMessage, socket: Socket) => {
      tunnels.push({ path: url as string, authorization: headers['proxy-authorization'] })
      if (headers['proxy-authorization'] === undefined) return socket.end('HTTP/1.1 407 No\r\n\r\n')
      const target = connect(Number(url?.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        target.pipe(socket).pipe(target)
      })
      target.on('error', () => socket.destroy())
      socket.on('error', () => target.destroy())
    })
    servers.push(proxy)
    proxyPort = await listen(proxy)
  })
  afterAll(async () => {
    for (const server of servers) {
      ;(server as http.Server).closeAllConnections()
      server.close()
    }
    await backend?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(() => {
    seen = []
    tunnels = []
    forwarded = []
  })

  const client = () => ['--cert', pem('client.pem'), '--key', pem('client.key'), '--ca', pem('server.pem')]
  const create = (flags: string[], env: Record<string, string> = {}, stdin: string | Uint8Array = TEXT) =>
    run(['secret', 'create', '--server', secureUrl, ...flags], { stdin, env })
  /** Unlike a create, it is sent once. */
  const burn = (flags: string[], env: Record<string, string> = {}) =>
    run(['secret', 'burn', 'A'.repeat(22), '--yes', '--server', secureUrl, ...flags], {
      env: { MAYFLY_TOKEN: 'mf_token', ...env },
    })
  const read = (created: Buffer, flags: string[], env: Record<string, string> = {}) =>
    run(['secret', 'read', created.toString().trim().replace(backend.url, secureUrl), ...flags], { env })
  const proxied = () => ({ https_proxy: `http://us%65r:p%C3%A4ss@127.0.0.1:${proxyPort}` })

  test('a server that requires a client certificate gets it', async () => {
    const created = await create(client())
    expect(created).toMatchObject({ code: 0, stderr: expect.not.stringContaining('error') })
    expect((await read(created.stdout, client())).stdout.toString()).toBe(TEXT)
  })

  test('a missing, unknown or untrusted certificate is an unreachable server, and nothing is printed', async () => {
    const unknown = ['--cert', pem('stranger.pem'), '--key', pem('stranger.key'), '--ca', pem('server.pem')]
    for (const flags of [['--ca', pem('server.pem')], unknown, client().slice(0, 4)]) {
      expect(await burn(flags)).toMatchObject({ code: 6, stdout: Buffer.alloc(0) })
    }
    expect(seen).toEqual([])
  })

  test('requests go through the proxy of HTTPS_PROXY, with its password and the certificate', async () => {
    const created = await create(client(), proxied())
    expect(created.code).toBe(0)
    expect((await read(created.stdout, client(), proxied())).stdout.toString()).toBe(TEXT)
    const authorization = `Basic ${Buffer.from('user:päss').toString('base64')}`
    expect(tunnels.length).toBeGreaterThan(0)
    for (const tunnel of tunnels) expect(tunnel).toEqual({ path: secureUrl.slice(8), authorization })
  })

  test('a file of several parts goes through the proxy', async () => {
    const bytes = Buffer.alloc(9 * 2 ** 20, 'ä☃')
    const created = await create([...client(), '--file', '-', '--name', 'täst.bin'], proxied(), bytes)
    expect(created.code).toBe(0)
    expect((await read(created.stdout, [...client(), '-o', '-'], proxied())).stdout.equals(bytes)).toBe(true)
  })

  test('doctor --url and verify-web use the proxy, the certificate and the headers', async () => {
    const flags = [...client(), '-H', 'X-One: hunter1']
    const doctor = await run(['doctor', '--url', secureUrl, '--json', '--section', 'proxy', ...flags], {
      env: proxied(),
    })
    const found: { check: string; level: string }[] = JSON.parse(doctor.stdout.toString())
    expect(found.filter(({ level }) => level === 'fail').map(({ check }) => check)).toEqual(['links'])
    expect(tunnels.length).toBeGreaterThan(5)
    expect(seen.length).toBeGreaterThan(5)
    for (const headers of seen) expect(headers).toMatchObject({ 'x-one': 'hunter1' })
    ;[seen, tunnels] = [[], []]
    const { code } = await run(['verify-web', secureUrl, ...flags], { env: proxied() })
    expect([0, 9]).toContain(code)
    expect(tunnels.length).toBeGreaterThan(0)
    expect(seen.length).toBeGreaterThan(5)
    for (const headers of seen) expect(headers).toMatchObject({ 'x-one': 'hunter1' })
  })

  test('NO_PROXY excludes servers, and a proxy that refuses is named', async () => {
    expect((await create(client(), { ...proxied(), NO_PROXY: 'example.org, localhost' })).code).toBe(0)
    expect(tunnels).toEqual([])
    const refused = await burn(client(), { HTTPS_PROXY: `127.0.0.1:${proxyPort}` })
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining('the proxy returned status 407') })
  })

  test('a proxy gets the whole URL of a plain request, and the body arrives', async () => {
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxyPort}` }
    const created = await run(['secret', 'create', '--server', backend.url], { stdin: TEXT, env })
    expect(created.code).toBe(0)
    expect(forwarded.at(-1)).toBe(`${backend.url}/api/v1/secret`)
  })

  test('headers of flags and files are sent, and never printed', async () => {
    writeFileSync(pem('headers'), '# for the access proxy\nCF-Access-Client-Id: abc\n\nX-Two:  hunter2 \n')
    const flags = [...client(), '-H', 'X-One: hunter1', '-H', `@${pem('headers')}`, '--verbose']
    const { code, stdout, stderr } = await create(flags)
    expect(code).toBe(0)
    expect(seen[0]).toMatchObject({ 'x-one': 'hunter1', 'cf-access-client-id': 'abc', 'x-two': 'hunter2' })
    expect(`${stdout}${stderr}`).not.toContain('hunter')
    for (const wrong of ['X-One hunter1', 'X-One:', 'Host: hunter2', 'X: hunter2\r\nY: 1', ': hunter2']) {
      const refused = await create([...client(), '--http-header', wrong])
      expect(refused.code).toBe(2)
      expect(refused.stderr).not.toContain('hunter')
    }
  })

  test('a profile has headers and certificates for its own server only', async () => {
    const env = { XDG_CONFIG_HOME: folder }
    writeFileSync(pem('headers'), 'X-Secret: hunter2\n')
    const files = ['headers_file=headers', 'cert=client.pem', 'key=client.key', 'ca=server.pem'].map((pair) =>
      pair.replace('=', `=${folder}/`),
    )
    const set = await run(['config', 'set', '--profile', 'work', `server=${secureUrl}`, ...files], { env })
    expect(set.code).toBe(0)
    expect((await run(['config', 'set', 'cert=client.pem'], { env })).code).toBe(2)
    const created = await run(['secret', 'create', '--profile', 'work'], { stdin: TEXT, env })
    expect(created.code).toBe(0)
    expect(seen.at(-1)).toMatchObject({ 'x-secret': 'hunter2' })
    seen = []
    const env2 = { ...env, HTTP_PROXY: `http://127.0.0.1:${proxyPort}` }
    const link = created.stdout.toString().trim().replace(secureUrl, backend.url)
    expect((await run(['secret', 'read', '--profile', 'work', link], { env: env2 })).code).toBe(0)
    expect(seen.length).toBeGreaterThan(0)
    for (const headers of seen) expect(headers).not.toHaveProperty('x-secret')
  })

  test.each([
    [['--cert', pem('client.pem')], '--cert and --key belong together'],
    [['--ca', pem('missing.pem')], '--ca: cannot read the file: ENOENT'],
  ])('%j is a usage error', async (flags, message) => {
    expect(await create(flags)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })
})
