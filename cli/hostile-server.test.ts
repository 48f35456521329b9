/** A server or a proxy that changes responses: nothing of it controls the terminal, and no invalid field is used. */

import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser } from '#core/auth/administer-users'
import { createToken } from '#core/auth/api-tokens'
import { LOCAL_CLI, toAuthContext } from '#core/runtime'
import { type FaultyProxy, startFaultyProxy } from '#test/faulty-proxy'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'

/** Sets the title of the window, changes the color, and reverses the text behind it. */
const UNSAFE = '\x1b]0;x\x07\u009b31m\u202e\u2028\r'
const FOUND = /(?![\n\t])\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

let server: LocalServer
let proxy: FaultyProxy
let env: Record<string, string>
let link: string
beforeAll(async () => {
  server = await startLocalServer()
  proxy = await startFaultyProxy(server.url)
  const boss = { username: 'boss', email: 'boss@example.org', password: 'correct horse ☃', generated: false }
  await createUser(server.app, { ...boss, role: 'admin' }, LOCAL_CLI)
  const user = (await server.app.storage.users.find('boss')) ?? expect.fail('no user')
  const { token } = await createToken(server.app, { name: 'ci' }, toAuthContext(user, { address: null }))
  env = { MAYFLY_SERVER: proxy.url, MAYFLY_TOKEN: token }
  link = (await run(['secret', 'create', '--views', '99'], { stdin: 'text', env })).stdout.toString().trim()
  link = link.replace(server.url, proxy.url)
  await run(['secret', 'create', '--public', '--title', 'title'], { stdin: 'text', env })
})
afterAll(async () => {
  await proxy?.close()
  await server?.stop()
})

const commands = (): string[][] => [
  ['secret', 'read', link],
  ['secret', 'read', '--peek', link],
  ['secret', 'list'],
  ['secret', 'export'],
  ['secret', 'burn', link],
  ['whoami'],
  ['audit', '--server', proxy.url],
  ['audit', '--csv', '--server', proxy.url],
  ['user', 'list', '--server', proxy.url],
  ['user', 'tokens', 'boss', '--server', proxy.url],
  ['settings', 'list', '--server', proxy.url],
  ['settings', 'get', 'restrict_organization_email', '--server', proxy.url],
  ['webhook', 'list'],
]

/** Changes the JSON of all responses from now on. */
function changeResponses(change: (document: unknown) => unknown): void {
  proxy.fail(async (_, response, pass) => {
    const answer: IncomingMessage = await pass()
    const body = await text(answer)
    const isJson = answer.headers['content-type']?.startsWith('application/json')
    const changed = isJson && body !== '' ? JSON.stringify(change(JSON.parse(body))) : body
    response
      .writeHead(answer.statusCode ?? 500, { 'content-type': answer.headers['content-type'] ?? 'text/plain' })
      .end(changed)
  }, Number.POSITIVE_INFINITY)
}

/** Replaces each value by the result of `replace`, with the name of its field. */
function mapValues(value: unknown, replace: (value: unknown, name: string) => unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => mapValues(item, replace, name))
  if (typeof value !== 'object' || value === null) return replace(value, name)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapValues(each, replace, key)]))
}

/** The output of a command, as text and as JSON. */
async function outputs(args: string[]) {
  const ran = await Promise.all([
    run(args, { env }),
    ...(args.includes('--csv') ? [] : [run([...args, '--json'], { env })]),
  ])
  return ran.map(({ stdout, stderr, code }) => ({ output: stdout + stderr, stderr, code }))
}

test('texts of a hostile server do not control the terminal', async () => {
  changeResponses((document) =>
    mapValues(document, (value, name) => {
      const isFree =
        typeof value === 'string' &&
        !['id', 'kind', 'role', 'state', 'text', 'who_can_create', 'who_can_request'].includes(name)
      return isFree && !/^[\w-]{43}$/.test(value) && name !== 'scopes' ? `${value}${UNSAFE}` : value
    }),
  )
  const seen = new Set<number | null>()
  for (const args of commands()) {
    for (const { output, code } of await outputs(args)) {
      expect(output.replaceAll('\r\n', '\n'), args.join(' ')).not.toMatch(FOUND)
      seen.add(code)
    }
  }
  expect(seen).toContain(0)
})

test('error codes and fields that are names of object members have no hints', async () => {
  const error = { error: 'Forbidden', code: 'constructor', field: 'constructor', message: 'constructor: no' }
  proxy.fail(async (_, response) => {
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ statusCode: 403, ...error }))
  }, Number.POSITIVE_INFINITY)
  for (const args of [['whoami'], ['secret', 'update', link, '--views', '1']]) {
    const [text, json] = await outputs(args)
    expect(text, args.join(' ')).toMatchObject({ stderr: 'mayfly: error: constructor: no\n', code: 4 })
    expect(JSON.parse(json?.stderr ?? '').error, args.join(' ')).toMatchObject({ message: 'constructor: no' })
  }
})

test.each([
  ['kind', 'other'],
  ['role', 'root'],
  ['createdAt', 1e300],
  ['expiresAt', -1],
  ['maxViews', '1'],
  ['files', -1],
  ['username', 7],
  ['total', null],
  ['at', 'now'],
])('a response with the %s %j is an error', async (name, value) => {
  changeResponses((document) => mapValues(document, (each, key) => (key === name ? value : each)))
  let refused = 0
  for (const args of commands()) {
    for (const { stderr, code } of await outputs(args)) {
      if (stderr.includes('invalid response')) {
        refused++
        expect(code).toBe(9)
      }
      expect(stderr).not.toMatch(/unexpected failure|TypeError|RangeError/)
    }
  }
  expect(refused).toBeGreaterThan(0)
})
