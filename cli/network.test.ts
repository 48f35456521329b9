/**
 * Faults of the network and of servers: nothing is lost, and no result is printed in part. Concurrent, because commands
 * wait before a retry.
 */

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createToken } from '#core/auth/api-tokens'
import { toAuthContext } from '#core/contracts/auth-context'
import { aUser } from '#core/testing'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { answering, type Fault, passOn, startFaultyProxy } from '#test/faulty-proxy'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { needs } from '#test/needs'
import { startProxy } from '#test/proxy'
import { run } from '#test/run-cli'
import { createCertificate } from '#test/tls-listener'

const TEXT = 'pässwörd\nsecond line\n'
const NOTHING = Buffer.alloc(0)

let server: LocalServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-network-'))
  server = await startLocalServer()
})
afterAll(async () => {
  for (const other of others) other.close().closeAllConnections()
  await Promise.all(proxies.map((proxy) => proxy.close()))
  await server?.stop()
  await rm(folder, { recursive: true })
})

const others: Server[] = []
const proxies: { close(): Promise<void> }[] = []

/** A server other than Mayfly. */
async function elsewhere(response: RequestListener): Promise<string> {
  const other = createServer(response).listen(0, '127.0.0.1')
  others.push(other)
  await once(other, 'listening')
  return `http://localhost:${(other.address() as AddressInfo).port}`
}

async function create(stdin: string | Uint8Array, ...flags: string[]): Promise<string> {
  const { stdout } = await run(['secret', 'create', '--server', server.url, ...flags], { stdin })
  return stdout.toString().trim()
}

/** A proxy of this test alone. */
async function proxied<T extends { close(): Promise<void> }>(start: (url: string) => Promise<T>): Promise<T> {
  const proxy = await start(server.url)
  proxies.push(proxy)
  return proxy
}

/** Every command that talks to a server. */
async function allCommands(address: string, ...flags: string[]) {
  const link = (await create(TEXT)).replace(server.url, address)
  return Promise.all([
    run(['secret', 'create', '--server', address, ...flags], { stdin: TEXT }),
    run(['secret', 'read', link, ...flags]),
    run(['secret', 'read', link, '--peek', ...flags]),
    run(['secret', 'burn', link, ...flags]),
  ])
}

test.concurrent.each([
  [{ read_only: true }, 'administrators can still create secrets: `mayfly login`'],
  [{ who_can_create: 'users' }, 'run `mayfly login`'],
  [{ who_can_create: 'admins' }, 'sign in as an administrator: `mayfly login`'],
] as const)('secret create says how to continue when the settings are %o', async (instanceSettings, hint) => {
  const closed = await startLocalServer({ instanceSettings })
  const { stderr, code } = await run(['secret', 'create', '--server', closed.url], { stdin: TEXT })
  await closed.stop()
  expect({ stderr, code }).toEqual({ stderr: expect.stringContaining(`mayfly: hint: ${hint}\n`), code: 4 })
})

test.concurrent('secret create names the reason when the groups of the user do not allow it', async () => {
  const oidc = { MAYFLY_OIDC_ISSUER: 'https://id.example.org', MAYFLY_OIDC_CLIENT_ID: 'mayfly' }
  const env = { MAYFLY_AUTH: 'local-auth,oidc', ...oidc, MAYFLY_OIDC_CREATOR_GROUPS: 'senders' }
  const closed = await startLocalServer({ env })
  const user = aUser({ creationDeniedBy: 'oidc' })
  await closed.app.storage.users.create(user)
  const { token } = await createToken(closed.app, { name: 'ci ☃' }, toAuthContext(user, { address: null }))
  const options = { stdin: TEXT, env: { MAYFLY_TOKEN: token } }
  const { stderr, code } = await run(['secret', 'create', '--server', closed.url], options)
  await closed.stop()
  expect(stderr).toContain('your groups at the sign-in provider do not allow you to create secrets')
  expect(stderr).toContain('hint: ask an administrator for such a group, then sign in again in the browser')
  expect(code).toBe(4)
})

test.concurrent('secret create says that users have a larger quota of files', async () => {
  const small = await startLocalServer({ env: { MAYFLY_VISITOR_BYTES_PER_DAY: '1' } })
  const flags = ['--server', small.url, '--file', '-', '--name', 'grüße.bin']
  const { stderr, code } = await run(['secret', 'create', ...flags], { stdin: TEXT })
  await small.stop()
  expect({ stderr, code }).toEqual({
    stderr: expect.stringContaining('hint: `mayfly login` raises the quota'),
    code: 7,
  })
})

test.concurrent('secret create says that users have higher limits', async () => {
  const body = {
    statusCode: 429,
    error: 'Too Many Requests',
    code: 'limit.reached',
    message: 'Zu viel.',
    retryAfter: 5,
  }
  const busy = await elsewhere((_, response) => response.writeHead(429).end(JSON.stringify(body)))
  const { stderr, code } = await run(['secret', 'create', '--server', busy], { stdin: TEXT })
  expect(stderr).toContain('hint: try again in 5 seconds, or wait with --retry; `mayfly login` raises the limits\n')
  expect(code).toBe(7)
})

test.concurrent('client commands exit with 6 and empty stdout when the server is down', async () => {
  for (const { stdout, stderr, code } of await allCommands('http://localhost:1')) {
    expect(stderr).toContain('mayfly: error: the server could not be reached (ECONNREFUSED)\nmayfly: hint: ')
    expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 6 })
  }
})

test.concurrent('client commands exit with 6 after --timeout', async () => {
  const silent = await elsewhere(() => {})
  for (const { stdout, stderr, code } of await allCommands(silent, '--timeout', '1s')) {
    expect(stderr).toContain('the server could not be reached (timed out)')
    expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 6 })
  }
})

test.concurrent('client commands exit with 6 on a proxy error or a foreign page', async () => {
  const proxyPage = await elsewhere((_, response) => response.writeHead(502).end('<h1>Bad Gateway</h1>\x1b[2J'))
  const page = await elsewhere((_, response) => response.end('<h1>Welcome</h1>'))
  const responses = await Promise.all([allCommands(proxyPage), allCommands(page)])
  for (const { stdout, stderr, code } of responses.flat()) {
    expect(stderr).toMatch(/^mayfly: error: .*status (502|200)/)
    expect(stderr).not.toContain('\x1b')
    expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 6 })
  }
})

test.concurrent.each([
  ['http', 'HTTP_PROXY'],
  ['https', 'HTTPS_PROXY'],
])('a proxy of %s that is down is named', async (scheme, name) => {
  const env = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' }
  const flags = ['--allow-http', '--server', `${scheme}://secrets.example.org`]
  const { stderr, code } = await run(['secret', 'create', ...flags], { env, stdin: TEXT })
  expect(code).toBe(6)
  expect(stderr).toContain(`(ECONNREFUSED, through the proxy 127.0.0.1:9 of ${name})`)
  expect(stderr).toContain(`hint: check ${name}`)
})

describe.concurrent('a view whose response is lost', () => {
  /** A home of the reader, and a server whose responses can be lost. */
  async function start() {
    const home = await mkdtemp(join(folder, 'home-'))
    const faulty = await proxied(startFaultyProxy)
    const attempt = (link: string, ...flags: string[]) =>
      run(['secret', 'read', link, ...flags], { env: { HOME: home } })
    return { home, faulty, attempt }
  }
  const losing: Fault = async (request, response, pass) => {
    if (request.method !== 'POST') return passOn(request, response, pass)
    await once((await pass()).resume(), 'end')
    return answering(502)(request, response, pass)
  }

  test('REL-26: is repeated by the next run, which uses no further view', async () => {
    const { faulty, attempt } = await start()
    const link = (await create(TEXT, '--views', '2')).replace(server.url, faulty.url)
    faulty.fail(losing)
    const first = await attempt(link)
    expect(first).toMatchObject({ stdout: NOTHING, code: 6 })
    expect(first.stderr).toMatch(/it is unknown whether the secret was opened\n.*hint: run it again within 9 minutes/)
    faulty.fail(null)
    expect(await attempt(link)).toMatchObject({
      stdout: Buffer.from(TEXT),
      stderr: expect.stringContaining('1 more time'),
    })
    expect(await attempt(link)).toMatchObject({
      stdout: Buffer.from(TEXT),
      stderr: expect.stringContaining('gone now'),
    })
    expect(await attempt(link)).toMatchObject({ code: 3 })
  })

  test('is repeated after a wrong password', async () => {
    const { home, faulty, attempt } = await start()
    const [right, wrong] = [join(home, 'right'), join(home, 'wrong')]
    await Promise.all([right, wrong].map((path) => writeFile(path, `${path} ☃`)))
    const link = (await create(TEXT, '--password-file', right)).replace(server.url, faulty.url)
    faulty.fail(losing)
    expect(await attempt(link, '--password-file', right)).toMatchObject({ code: 6 })
    faulty.fail(null)
    const refused = await attempt(link, '--password-file', wrong)
    expect(refused).toMatchObject({ stdout: NOTHING, code: 5 })
    expect(refused.stderr).toMatch(/wrong password\n.*hint: run it again within \d+ minutes/)
    expect(refused.stderr).not.toContain('not used up')
    const { stdout, code } = await attempt(link, '--password-file', right)
    expect({ stdout, code }).toEqual({ stdout: Buffer.from(TEXT), code: 0 })
  })

  test('is lost for other users of the link, and when the server allows no repetition', async () => {
    const { faulty, attempt } = await start()
    const strict = await startLocalServer({ env: { MAYFLY_READ_GRACE_SECONDS: '0' } })
    faulty.retarget(strict.url)
    const { stdout } = await run(['secret', 'create', '--server', strict.url], { stdin: TEXT })
    const link = stdout.toString().trim().replace(strict.url, faulty.url)
    faulty.fail(losing)
    expect(await attempt(link)).toMatchObject({ code: 6, stderr: expect.stringContaining('repeats no views') })
    faulty.fail(null)
    expect(await attempt(link)).toMatchObject({ code: 3 })
    await strict.stop()
  })

  test('--retry waits for a server that is down', async () => {
    const { faulty, attempt } = await start()
    const link = (await create(TEXT)).replace(server.url, faulty.url)
    await faulty.down()
    const reading = attempt(link, '--retry', '5m')
    setTimeout(() => void faulty.up(), 7000)
    expect(await reading).toMatchObject({ stdout: Buffer.from(TEXT), code: 0 })
  })
})

test.concurrent('a token that is not valid any more does not stop a link, and other commands say how to go on', async () => {
  const link = await create(TEXT)
  const env = { MAYFLY_SERVER: server.url, MAYFLY_TOKEN: `mf_${'a'.repeat(22)}_${'b'.repeat(43)}` }
  const { stdout, stderr, code } = await run(['secret', 'read', link], { env })
  expect({ stdout: stdout.toString(), code }).toEqual({ stdout: TEXT, code: 0 })
  expect(stderr.match(/warning: the server does not accept the token of MAYFLY_TOKEN/g)).toHaveLength(1)
  const created = await run(['secret', 'create'], { env, stdin: TEXT })
  expect(created).toMatchObject({ code: 4, stderr: expect.stringContaining('hint: unset MAYFLY_TOKEN') })
})

test.concurrent('a different clock of the server is reported once', async () => {
  const date = new Date(Date.now() - 1200_000).toUTCString()
  const behind = await elsewhere((_, response) => response.writeHead(404, { date }).end('{}'))
  const { stderr } = await run(['secret', 'create', '--server', behind], { stdin: TEXT })
  expect(stderr.match(/warning: the clock of the server is .* behind/g)).toHaveLength(1)
  const { stderr: inSync } = await run(['secret', 'create', '--server', server.url], { stdin: TEXT })
  expect(inSync).not.toContain('clock')
})

test.concurrent('a certificate of an unknown authority names the ways to trust it', needs('openssl'), async () => {
  for (const isSigned of [false, true]) {
    const { cert, key, close } = createCertificate({ isSigned })
    const secure = createHttpsServer({ cert, key }).listen(0, 'localhost')
    await once(secure, 'listening')
    const connected = vi.fn()
    secure.on('connection', connected)
    const address = `https://localhost:${(secure.address() as AddressInfo).port}`
    const { stdout, stderr, code } = await run(['secret', 'create', '--server', address], { stdin: TEXT })
    expect(stderr).toMatch(/could not be reached \((DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE)\)/)
    expect(stderr).toMatch(/hint: .*--ca FILE.*NODE_EXTRA_CA_CERTS/)
    expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 6 })
    // A retry would get the same certificate.
    expect(connected).toHaveBeenCalledOnce()
    secure.close()
    close()
  }
})

test.concurrent('https to an http port says so', async () => {
  const { stderr, code } = await run(['secret', 'create', '--server', server.url.replace('http', 'https')], {
    stdin: TEXT,
  })
  expect(code).toBe(6)
  expect(stderr).toContain('hint: the server speaks http at this port')
})

test.concurrent('an internal error exits with 6 and prints the request id', async () => {
  const body = {
    statusCode: 500,
    error: 'x',
    code: 'server.error',
    message: 'Something went wrong.',
    requestId: 'r-1\x1b',
  }
  const failing = await elsewhere((_, response) => response.writeHead(500).end(JSON.stringify(body)))
  const [plain, json] = await Promise.all([allCommands(failing), allCommands(failing, '--json')])
  for (const { stdout, stderr, code } of plain) {
    expect(stderr).toMatch(/^mayfly: error: something went wrong/)
    expect(stderr).toMatch(/\nmayfly: hint: (.*; )?request id in the server's log: r-1\n$/)
    expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 6 })
  }
  for (const { stderr } of json) expect(JSON.parse(stderr)).toMatchObject({ error: { exit: 6, ref: 'r-1' } })
})

test.concurrent('client commands follow no redirect', async () => {
  let asked = 0
  const other = await elsewhere((_, response) => {
    asked++
    response.end('{}')
  })
  const redirecting = await elsewhere((_, response) => response.writeHead(307, { location: other }).end())
  for (const { stdout, code } of await allCommands(redirecting)) {
    expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 6 })
  }
  expect(asked).toBe(0)
})

/** A proxy that changes the response to a view. */
const meddler = (change: (response: Record<string, unknown>) => void) =>
  elsewhere(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = method === 'POST' ? await text(request) : undefined
    const passedOn = Object.entries(headers).filter(([name]) => /^content-type$|^mayfly-/.test(name))
    const init = { method, headers: passedOn as [string, string][], ...(body === undefined ? {} : { body }) }
    const answer = await fetch(server.url + url, init)
    const content = await answer.text()
    const viewed = /^\/api\/v1\/secret\/[\w-]+$/.test(url) ? JSON.parse(content) : null
    if (viewed) change(viewed)
    response.writeHead(answer.status).end(viewed ? JSON.stringify(viewed) : content)
  })

test.concurrent('secret read warns when the server changed expiry or views', async () => {
  const address = await meddler((response) => {
    Object.assign(response, { expiresAt: Date.now() + 30 * 86_400_000, maxViews: 7 })
  })
  const link = (await create(TEXT)).replace(server.url, address)
  const { stdout, stderr, code } = await run(['secret', 'read', link])
  expect(stdout.toString()).toBe(TEXT)
  expect(stderr).toContain('warning: the server keeps this secret longer than the sender set')
  expect(stderr).toContain('warning: the server allows more views than the sender set')
  expect(code).toBe(0)
})

test.concurrent('secret read warns about a hidden file and exits with 9 when it is missing', async () => {
  const address = await meddler((response) => Object.assign(response, { files: [] }))
  const link = (await create(randomBytes(100), '-f', '-', '--text', 'täxt')).replace(server.url, address)
  const { stdout, stderr, code } = await run(['secret', 'read', link, '--files'])
  expect(stderr).toContain('warning: the server lists different files than the sender attached')
  expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 9 })
})

test.concurrent('secret read exits with 9 and prints nothing when decryption fails', async () => {
  const { body } = await encryptSecret({ text: encodeText('forged'), ttl: 600 })
  for (const text of [TEXT, body.text]) {
    const address = await meddler((response) => Object.assign(response, { kind: 'public', text }))
    const link = (await create(TEXT)).replace(server.url, address)
    const { stdout, stderr, code } = await run(['secret', 'read', link])
    expect(stderr).toContain("mayfly: error: cannot decrypt the server's response: ")
    expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 9 })
  }
})

test.concurrent('REL-02: secret read repeats a view whose response was lost', async () => {
  const proxy = await proxied(startProxy)
  const link = (await create(TEXT)).replace(server.url, proxy.url)
  proxy.cutAnswerTo(/^POST \/api\/v1\/secret\/[^/ ]+ /)
  const { stdout, stderr, code } = await run(['secret', 'read', '-', '-v'], { stdin: link })
  expect(proxy.lost().at(-1)).toContain('-----BEGIN AGE ENCRYPTED FILE-----')
  expect(stderr).toMatch(/POST \S+ failed .*\n.*POST \S+ 200 /)
  expect(stdout.toString()).toBe(TEXT)
  expect(code).toBe(0)
  expect((await run(['secret', 'read', link])).code).toBe(3)
})

test.concurrent('secret create makes one secret when the response is lost', async () => {
  const proxy = await proxied(startProxy)
  proxy.cutAnswerTo(/^POST \/api\/v1\/secret /)
  const { stdout, code } = await run(['secret', 'create', '--server', proxy.url], { stdin: TEXT })
  const [, id = ''] = /"id":"([\w-]{22})"/.exec(proxy.lost().at(-1) ?? '') ?? []
  expect(id).not.toBe('')
  expect(stdout.toString()).toContain(`/secret/${id}#`)
  expect(code).toBe(0)
})
