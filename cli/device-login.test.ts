/** `mayfly login` with an approval in the browser. Concurrent, because each login waits between its requests. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveDevice, findUserCode } from '#test/approve-device'
import { answering, type Fault, type FaultyProxy, losingTheAnswer, passOn, startFaultyProxy } from '#test/faulty-proxy'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { type RunOptions, run } from '#test/run-cli'

const ANNA = { username: 'anna', password: 'correct horse battery' }

let data: string
let server: LocalServer
const proxies: FaultyProxy[] = []
const hostileServers: Server[] = []
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'mayfly-device-'))
  server = await startLocalServer({ dataDir: data })
  await writeFile(join(data, 'pw'), ANNA.password)
  expect(await addUser('anna', '--password-file', join(data, 'pw'), '--no-must-change')).toMatchObject({ code: 0 })
})
afterAll(async () => {
  for (const hostile of hostileServers) hostile.close().closeAllConnections()
  await Promise.all(proxies.map((proxy) => proxy.close()))
  await server.stop()
  await rm(data, { recursive: true })
})

const addUser = (name: string, ...options: string[]) =>
  run(['user', 'add', name, '--email', `${name}@example.org`, ...options], {
    env: { MAYFLY_DATA_DIR: data, MAYFLY_PLUGINS: ',' },
  })

async function throughProxy(): Promise<FaultyProxy> {
  const proxy = await startFaultyProxy(server.url)
  proxies.push(proxy)
  return proxy
}

type Step = [text: string, step: (stderr: string) => Promise<unknown>]

/**
 * Runs `login` in a home of its own, and each step once when stderr contains its text. `mayfly` runs other commands
 * there, and `tokens` is its file of tokens.
 */
async function login(url: string, steps: Step[] = [], args = [url]) {
  const home = await mkdtemp(join(data, 'home-'))
  const mayfly = async (words: string[], options: RunOptions = {}) => {
    const env = { XDG_CONFIG_HOME: home, MAYFLY_SERVER: url, ...options.env }
    const { stdout, stderr, code } = await run(words, { ...options, env, cwd: home })
    return { stdout: stdout.toString(), stderr, code }
  }
  const started = new Map<string, Promise<unknown>>()
  const onStderr = (stderr: string) => {
    for (const [text, step] of steps) if (stderr.includes(text) && !started.has(text)) started.set(text, step(stderr))
  }
  const result = await mayfly(['login', ...args], { onStderr })
  await Promise.all(started.values())
  return { ...result, mayfly, tokens: join(home, 'mayfly', 'tokens.json') }
}
const decide = (account: typeof ANNA, isApproved: boolean) => (stderr: string) =>
  approveDevice(server.url, account, findUserCode(stderr) ?? '', isApproved)
const approve = decide(ANNA, true)

const WAITING = 'waiting for approval'

test.concurrent('SEC-34: login without a terminal prints the address and the code, stores the token, and logout revokes it', async () => {
  const { stdout, stderr, code, mayfly, tokens } = await login(server.url, [[WAITING, approve]], [])
  const userCode = findUserCode(stderr) ?? ''
  expect({ stdout, code }).toEqual({ stdout: '', code: 0 })
  expect(stderr.split('\n')).toEqual([
    `mayfly: to sign in, open ${server.url}/account/device?code=${userCode}`,
    `mayfly: and check that it shows the code ${userCode}`,
    'mayfly: waiting for approval in the browser, for up to 10 minutes',
    'mayfly: signed in as anna',
    '',
  ])
  expect((await stat(tokens)).mode & 0o777).toBe(0o600)
  const [made = ''] = Object.values<string>(JSON.parse(await readFile(tokens, 'utf8')))
  expect(made).toMatch(/^mf_/)
  const { storage } = server.app
  const anna = await storage.users.find('anna')
  const all = await storage.tokens.list(anna?.id ?? '', Date.now())
  expect(all.find(({ id }) => made.startsWith(`mf_${id}_`))).toMatchObject({
    name: `mayfly on ${hostname()}`.slice(0, 64),
    scopes: ['secrets:create', 'secrets:read', 'account'],
  })
  expect(await mayfly(['logout'])).toEqual({ stdout: '', stderr: 'mayfly: signed out\n', code: 0 })
  expect(JSON.parse(await readFile(tokens, 'utf8'))).toEqual({})
  expect(await mayfly(['whoami'], { env: { MAYFLY_TOKEN: made } })).toMatchObject({ stdout: '', code: 4 })
  expect(await mayfly(['logout'])).toMatchObject({ code: 4 })
})

test.concurrent('login --json --quiet prints address and code to stderr, and one document to stdout', async () => {
  const steps: Step[] = [['shows the code', approve]]
  const { stdout, stderr, code } = await login(server.url, steps, ['--json', '--quiet'])
  expect({ document: JSON.parse(stdout), code }).toEqual({
    document: { server: server.url, username: 'anna' },
    code: 0,
  })
  expect(stderr.split('\n')).toHaveLength(3)
})

test.concurrent('a denied login ends with 4 and stores nothing', async () => {
  const { stdout, stderr, code, tokens } = await login(server.url, [[WAITING, decide(ANNA, false)]], [])
  expect({ stdout, code }).toEqual({ stdout: '', code: 4 })
  expect(stderr).toContain('mayfly: error: the sign-in was denied in the browser\n')
  await expect(stat(tokens)).rejects.toMatchObject({ code: 'ENOENT' })
})

test.concurrent('login tells a user with a password of an administrator to change it', async () => {
  const password = (await addUser('bert')).stdout.toString().trim()
  const steps: Step[] = [[WAITING, decide({ username: 'bert', password }, true)]]
  const { stderr, mayfly, tokens } = await login(server.url, steps, [])
  const note = 'mayfly: an administrator set this password; change it on the account page\n'
  expect(stderr).toMatch(new RegExp(`mayfly: signed in as bert\\n${note}$`))
  const [ofBert = ''] = Object.values<string>(JSON.parse(await readFile(tokens, 'utf8')))
  const withToken = await mayfly(['login', '--token-stdin'], { stdin: ofBert })
  expect(withToken.stderr).toBe('mayfly: signed in as bert\n')
})

test.concurrent('login goes on when the server was unreachable and failed for a while', async () => {
  const proxy = await throughProxy()
  const { stderr, code, tokens } = await login(proxy.url, [
    [
      WAITING,
      async (shown) => {
        await proxy.down()
        await approve(shown)
      },
    ],
    [
      'trying again',
      async () => {
        proxy.fail(answering(502), 1)
        await proxy.up()
      },
    ],
  ])
  expect({ code, notes: stderr.match(/trying again/g) }).toEqual({ code: 0, notes: ['trying again'] })
  expect(Object.keys(JSON.parse(await readFile(tokens, 'utf8')))).toEqual([proxy.url])
})

/** Passes on the refusals of requests before the approval. */
const losingTheToken: Fault = async (request, response, pass) => {
  const answer = await pass()
  const fault = answer.statusCode === 200 ? losingTheAnswer : passOn
  return fault(request, response, async () => answer)
}

test.concurrent('login names the token that did not arrive', async () => {
  const proxy = await throughProxy()
  const { stdout, stderr, code, tokens } = await login(proxy.url, [
    [
      WAITING,
      async (shown) => {
        proxy.fail(losingTheToken)
        await approve(shown)
      },
    ],
  ])
  expect({ stdout, code }).toEqual({ stdout: '', code: 6 })
  expect(stderr).toMatch(/hint: run `mayfly login` again; if you have approved it, delete the token "mayfly on /)
  await expect(stat(tokens)).rejects.toMatchObject({ code: 'ENOENT' })
})

test.concurrent('an address on another host than the server is not opened without a warning', async () => {
  const proxy = await throughProxy()
  const { stderr, code } = await login(proxy.url, [[WAITING, approve]])
  expect(code).toBe(0)
  const { host } = new URL(server.url)
  expect(stderr).toContain(`warning: this address is not on ${proxy.url}; sign in only if you know ${host}\n`)
})

test.concurrent('login ends with 6 when the server is down, before a code is shown', async () => {
  const proxy = await throughProxy()
  await proxy.down()
  const { stdout, stderr, code } = await login(proxy.url)
  expect({ stdout, code, shown: findUserCode(stderr) }).toEqual({ stdout: '', code: 6, shown: undefined })
})

const STARTED = {
  deviceCode: 'x',
  userCode: 'BCDF-GHJK',
  verificationUrl: 'https://secrets.example.org/account/device?code=BCDF-GHJK',
  expiresInSeconds: 600,
  intervalSeconds: 1,
}

/** A server that responds to a start with these fields, and to each request for the token with the next error. */
async function hostileServer(
  differing: object,
  errors: { status: number; code: string }[] = [],
  onPoll = () => {},
): Promise<string> {
  const other = createServer((request, response) => {
    const isPoll = request.url?.endsWith('/token') ?? false
    const error = (isPoll && errors.shift()) || { status: 400, code: 'auth.device_pending' }
    if (isPoll) onPoll()
    const failure = { statusCode: error.status, error: 'x', code: error.code, message: 'x', retryAfter: 1 }
    response.writeHead(isPoll ? error.status : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isPoll ? failure : { ...STARTED, ...differing }))
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  hostileServers.push(other)
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`
}

test.concurrent.each([
  { verificationUrl: 'file:///etc/passwd' },
  { verificationUrl: 'javascript:alert(1)' },
  { verificationUrl: 'https://secrets.example.org@evil.example/' },
  { verificationUrl: '/account/device' },
  { userCode: 'BCDF-GHJK\u001b[2J' },
  { userCode: '' },
])('login refuses %j', async (differing) => {
  const { stdout, stderr, code } = await login(await hostileServer(differing))
  expect({ stdout, code }).toEqual({ stdout: '', code: 9 })
  expect(stderr).toContain('the server sent an invalid address or code')
  for (const text of Object.values(differing).filter(Boolean)) expect(stderr).not.toContain(text)
})

test.concurrent('login asks less often when the server tells it to slow down', async () => {
  let polls = 0
  const url = await hostileServer({ expiresInSeconds: 4 }, [{ status: 400, code: 'auth.device_slow_down' }], () => {
    polls += 1
  })
  expect(await login(url)).toMatchObject({ code: 4 })
  // Every second otherwise.
  expect(polls).toBeLessThanOrEqual(1)
})

test.concurrent('login ends when the time is over, and after other errors', async () => {
  const limited = { status: 429, code: 'limit.reached' }
  const [late, full] = await Promise.all([
    login(await hostileServer({ expiresInSeconds: 1 })),
    login(await hostileServer({}, [limited, { status: 409, code: 'token.limit_reached' }])),
  ])
  expect(late).toMatchObject({ stdout: '', code: 4, stderr: expect.stringContaining('error: not approved in time') })
  expect(full).toMatchObject({ stdout: '', code: 8 })
})
