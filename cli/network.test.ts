/** The program when the network or the server is not what it should be: nothing is lost, nothing is half printed. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { type RunningProxy, startProxy } from '#test/proxy'
import { run } from '#test/run-cli'

const TEXT = 'pässwörd\nsecond line\n'
const NOTHING = Buffer.alloc(0)

let server: LocalServer
let proxy: RunningProxy
beforeAll(async () => {
  server = await startLocalServer()
  proxy = await startProxy(server.url)
})
afterAll(async () => {
  for (const other of others) other.closeAllConnections()
  await proxy?.close()
  await server?.stop()
})

const others: Server[] = []

/** Something else than Mayfly. */
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
const throughProxy = (link: string) => link.replace(server.url, proxy.url)

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

test.each([
  [{ read_only: true }, 'administrators can still create secrets: `mayfly login`'],
  [{ who_can_create: 'users' }, 'run `mayfly login`'],
  [{ who_can_create: 'admins' }, 'sign in as an administrator: `mayfly login`'],
] as const)('secret create says how to continue when the settings are %o', async (instanceSettings, hint) => {
  const closed = await startLocalServer({ instanceSettings })
  const { stderr, code } = await run(['secret', 'create', '--server', closed.url], { stdin: TEXT })
  await closed.stop()
  expect({ stderr, code }).toEqual({ stderr: expect.stringContaining(`mayfly: hint: ${hint}\n`), code: 4 })
})

test('secret create says that users have a larger quota of files', async () => {
  const small = await startLocalServer({ env: { MAYFLY_VISITOR_BYTES_PER_DAY: '1' } })
  const flags = ['--server', small.url, '--file', '-', '--name', 'grüße.bin']
  const { stderr, code } = await run(['secret', 'create', ...flags], { stdin: TEXT })
  await small.stop()
  expect({ stderr, code }).toEqual({
    stderr: expect.stringContaining('hint: `mayfly login` raises the quota'),
    code: 7,
  })
})

test('secret create says that users have higher limits', async () => {
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

// At once, because each command waits between its tries.
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

test('an internal error exits with 6 and prints the request id', async () => {
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
    expect(stderr).toBe("mayfly: error: something went wrong\nmayfly: hint: request id in the server's log: r-1\n")
    expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 6 })
  }
  for (const { stderr } of json) expect(JSON.parse(stderr)).toMatchObject({ error: { exit: 6, ref: 'r-1' } })
})

test('client commands follow no redirect', async () => {
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

/** A server in between that changes what a view answers. */
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

test('secret read warns when the server changed expiry or views', async () => {
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

test('secret read warns about a hidden file and exits with 9 when it is missing', async () => {
  const address = await meddler((response) => Object.assign(response, { files: [] }))
  const link = (await create(randomBytes(100), '-f', '-', '--text', 'täxt')).replace(server.url, address)
  const { stdout, stderr, code } = await run(['secret', 'read', link, '--files'])
  expect(stderr).toContain('warning: the server lists different files than the sender attached')
  expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 9 })
})

test('secret read exits with 9 and prints nothing when decryption fails', async () => {
  const { body } = await encryptSecret({ text: encodeText('forged'), ttl: 600 })
  for (const text of [TEXT, body.text]) {
    const address = await meddler((response) => Object.assign(response, { kind: 'public', text }))
    const link = (await create(TEXT)).replace(server.url, address)
    const { stdout, stderr, code } = await run(['secret', 'read', link])
    expect(stderr).toContain("mayfly: error: cannot decrypt the server's response: ")
    expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 9 })
  }
})

test('secret read repeats a view whose response was lost', async () => {
  const link = throughProxy(await create(TEXT))
  proxy.cutAnswerTo(/^POST \/api\/v1\/secret\/[^/ ]+ /)
  const { stdout, stderr, code } = await run(['secret', 'read', '-', '-v'], { stdin: link })
  expect(proxy.lost().at(-1)).toContain('-----BEGIN AGE ENCRYPTED FILE-----')
  expect(stderr).toMatch(/POST \S+ failed .*\n.*POST \S+ 200 /)
  expect(stdout.toString()).toBe(TEXT)
  expect(code).toBe(0)
  expect((await run(['secret', 'read', link])).code).toBe(3)
})

test('secret create makes one secret when the response is lost', async () => {
  proxy.cutAnswerTo(/^POST \/api\/v1\/secret /)
  const { stdout, code } = await run(['secret', 'create', '--server', proxy.url], { stdin: TEXT })
  const [, id = ''] = /"id":"([\w-]{22})"/.exec(proxy.lost().at(-1) ?? '') ?? []
  expect(id).not.toBe('')
  expect(stdout.toString()).toContain(`/secret/${id}#`)
  expect(code).toBe(0)
})
