/** `mayfly login` when the network fails, or the server is not what it should be. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { approveDevice, findUserCode } from '#test/approve-device'
import { answering, type FaultyProxy, losingTheAnswer, startFaultyProxy } from '#test/faulty-proxy'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'

const ANNA = { username: 'anna', password: 'correct horse battery' }

let data: string
let home: string
let server: LocalServer
let proxy: FaultyProxy
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'mayfly-device-'))
  server = await startLocalServer({ dataDir: data })
  const env = { MAYFLY_DATA_DIR: data, MAYFLY_PLUGINS: ',' }
  await writeFile(join(data, 'pw'), ANNA.password)
  const add = ['user', 'add', 'anna', '--email', 'anna@example.org', '--password-file', join(data, 'pw')]
  expect(await run(add, { env })).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await server.stop()
  await rm(data, { recursive: true })
})
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'mayfly-home-'))
  proxy = await startFaultyProxy(server.url)
})
afterEach(async () => {
  await proxy.close()
  await rm(home, { recursive: true })
})

/** Runs `login`, and each step once when stderr contains its text. */
async function login(url: string, steps: [text: string, step: (stderr: string) => Promise<unknown>][] = []) {
  const started = new Map<string, Promise<unknown>>()
  const onStderr = (stderr: string) => {
    for (const [text, step] of steps) if (stderr.includes(text) && !started.has(text)) started.set(text, step(stderr))
  }
  const { stdout, stderr, code } = await run(['login', url], { env: { XDG_CONFIG_HOME: home }, cwd: home, onStderr })
  await Promise.all(started.values())
  return { stdout: stdout.toString(), stderr, code }
}
const approve = (stderr: string) => approveDevice(server.url, ANNA, findUserCode(stderr) ?? '')
const tokens = () => join(home, 'mayfly', 'tokens.json')

test('login goes on when the server was unreachable and failed for a while', async () => {
  const { stderr, code } = await login(proxy.url, [
    [
      'waiting for approval',
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
  expect(Object.keys(JSON.parse(await readFile(tokens(), 'utf8')))).toEqual([proxy.url])
})

test('login names the token that did not arrive', async () => {
  const { stdout, stderr, code } = await login(proxy.url, [
    [
      'waiting for approval',
      async (shown) => {
        proxy.fail(losingTheAnswer, 1)
        await approve(shown)
      },
    ],
  ])
  expect({ stdout, code }).toEqual({ stdout: '', code: 6 })
  expect(stderr).toMatch(/hint: run `mayfly login` again; if you have approved it, delete the token "mayfly on /)
  await expect(stat(tokens())).rejects.toMatchObject({ code: 'ENOENT' })
})

test('an address on another host than the server is not opened without a warning', async () => {
  const { stderr, code } = await login(proxy.url, [['waiting for approval', approve]])
  expect(code).toBe(0)
  const { host } = new URL(server.url)
  expect(stderr).toContain(`warning: this address is not on ${proxy.url}; sign in only if you know ${host}\n`)
})

test('login ends with 6 when the server is down, before a code is shown', async () => {
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
  onTestFinished(() => {
    other.closeAllConnections()
    other.close()
  })
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`
}

test.each([
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

test('login asks less often when the server tells it to slow down', async () => {
  let polls = 0
  const url = await hostileServer({ expiresInSeconds: 4 }, [{ status: 400, code: 'auth.device_slow_down' }], () => {
    polls += 1
  })
  expect(await login(url)).toMatchObject({ code: 4 })
  // Every second otherwise.
  expect(polls).toBeLessThanOrEqual(1)
})

test('login ends when the time is over, and after other errors', async () => {
  const late = await login(await hostileServer({ expiresInSeconds: 1 }))
  expect(late).toMatchObject({ stdout: '', code: 4, stderr: expect.stringContaining('error: not approved in time') })
  const limited = { status: 429, code: 'limit.reached' }
  const full = await login(await hostileServer({}, [limited, { status: 409, code: 'token.limit_reached' }]))
  expect(full).toMatchObject({ stdout: '', code: 8 })
})
