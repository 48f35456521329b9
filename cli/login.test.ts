/** `mayfly login` with a token, and the uses of the token. */

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { listen, stopListening } from '#core/runtime'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'

const PASSWORD = 'correct horse battery'

let data: string
let home: string
let server: LocalServer
let token: string
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'mayfly-login-'))
  server = await startLocalServer({ dataDir: data })
  const env = { MAYFLY_DATA_DIR: data, MAYFLY_PLUGINS: ',' }
  await writeFile(join(data, 'pw'), PASSWORD)
  const add = [
    'user',
    'add',
    'anna',
    '--email',
    'anna@example.org',
    '--password-file',
    join(data, 'pw'),
    '--no-must-change',
  ]
  expect(await run(add, { env })).toMatchObject({ code: 0 })
  token = (await run(['user', 'token', 'anna'], { env })).stdout.toString().trim()
})
afterAll(async () => {
  await server.stop()
  await rm(data, { recursive: true })
})
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'mayfly-home-'))
})
afterEach(() => rm(home, { recursive: true }))

async function mayfly(args: string[], { stdin = '', env = {} }: { stdin?: string; env?: Record<string, string> } = {}) {
  const all = { XDG_CONFIG_HOME: home, MAYFLY_SERVER: server.url, ...env }
  const { stdout, stderr, code } = await run(args, { env: all, cwd: home, stdin })
  return { stdout: stdout.toString(), stderr, code }
}
const tokens = () => join(home, 'mayfly', 'tokens.json')
const whoami = (env: Record<string, string> = {}) => mayfly(['whoami'], { env })

test('SEC-34: login --token-stdin verifies the token and stores it for one server with mode 0600', async () => {
  expect(await whoami()).toEqual({
    stdout: '',
    stderr: 'mayfly: error: not signed in\nmayfly: hint: run `mayfly login`, or set MAYFLY_TOKEN\n',
    code: 4,
  })
  const wrong = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
  expect(await mayfly(['login', '--token-stdin'], { stdin: wrong })).toMatchObject({
    stdout: '',
    code: 4,
  })
  for (const nothing of ['', 'two words', 'x'.repeat(2000)]) {
    expect((await mayfly(['login', '--token-stdin'], { stdin: nothing })).code).toBe(2)
  }
  const signedIn = await mayfly(['login', `${server.url}/`, '--token-stdin'], { stdin: `${token}\n` })
  const stderr = `mayfly: signed in as anna\nmayfly: commands use ${server.url}/ now\n`
  expect(signedIn).toEqual({ stdout: '', stderr, code: 0 })
  expect((await stat(tokens())).mode & 0o777).toBe(0o600)
  expect((await stat(join(home, 'mayfly'))).mode & 0o777).toBe(0o700)
  expect(JSON.parse(await readFile(tokens(), 'utf8'))).toEqual({ [`${server.url}/`.replace(/\/$/, '')]: token })
  expect(await whoami()).toEqual({
    stdout: 'anna\n',
    stderr: [
      `mayfly: at ${server.url}, token from ${tokens()}`,
      'mayfly: defaults: --ttl 1d --views 1',
      'mayfly: uploaded in 24 hours: 0 bytes of 10 GB\n',
    ].join('\n'),
    code: 0,
  })
  expect(JSON.parse((await mayfly(['whoami', '--json'])).stdout)).toEqual({
    username: 'anna',
    role: 'user',
    server: server.url,
    defaults: { ttl: 86_400, views: 1 },
    uploads: { used_bytes: 0, limit_bytes: 10 ** 10, ends_at: null },
  })
  expect((await mayfly(['whoami'], { env: { MAYFLY_SERVER: 'http://127.0.0.1:1' } })).code).toBe(4)
})

test('login remembers the server, and profiles have one of their own', async () => {
  const alone = (args: string[], stdin = '', env: Record<string, string> = {}) =>
    mayfly(args, { stdin, env: { MAYFLY_SERVER: '', ...env } })
  expect(await alone(['whoami'])).toMatchObject({ code: 2, stderr: expect.stringContaining('run `mayfly login URL`') })
  await alone(['login', server.url, '--token-stdin'], token)
  expect(await alone(['whoami'])).toMatchObject({ stdout: 'anna\n', code: 0 })
  const link = (await alone(['secret', 'create'], 'täxt')).stdout
  expect(link.startsWith(`${server.url}/secret/`)).toBe(true)
  expect(await alone(['secret', 'burn', '-', '--yes'], link)).toMatchObject({ code: 0 })
  // Another server does not become the default by itself.
  const again = await alone(['login', server.url.replace('localhost', '127.0.0.1'), '--token-stdin'], token)
  expect(again.stderr).toContain(
    `commands still use ${server.url}; to change that: mayfly config set server=http://127`,
  )
  expect((await alone(['config', 'get', 'server'])).stdout).toBe(`${server.url}\n`)
  // Profiles.
  await alone(['config', 'set', 'server=http://127.0.0.1:1'])
  expect(await alone(['whoami', '--profile', 'work'])).toMatchObject({ code: 2 })
  await alone(['login', server.url, '--token-stdin', '--profile', 'work'], token)
  expect(await alone(['whoami', '--profile', 'work'])).toMatchObject({ stdout: 'anna\n', code: 0 })
  expect(await alone(['whoami'], '', { MAYFLY_PROFILE: 'work' })).toMatchObject({ stdout: 'anna\n', code: 0 })
  expect(await alone(['whoami', '--profile', 'work'], '', { MAYFLY_SERVER: 'http://127.0.0.1:1' })).toMatchObject({
    code: 0,
  })
  expect(await alone(['whoami'])).toMatchObject({ code: 4 })
})

test('config set stores defaults for new secrets, and names an invalid setting', async () => {
  expect(await mayfly(['config', 'set', 'ttl=2h', 'views=3', 'color=always'])).toMatchObject({ stdout: '', code: 0 })
  expect(JSON.parse((await mayfly(['config', 'list', '--client', '--json'])).stdout)).toEqual({
    ttl: '2h',
    views: '3',
    color: 'always',
  })
  expect((await stat(join(home, 'mayfly', 'config.json'))).mode & 0o777).toBe(0o600)
  const made = JSON.parse((await mayfly(['secret', 'create', '--json'], { stdin: 'x' })).stdout)
  expect(made.views).toBe(3)
  expect(Date.parse(made.expires_at) - Date.now()).toBeLessThanOrEqual(2 * 3600 * 1000)
  const other = await mayfly(['secret', 'create', '--json', '--views', '1', '--ttl', '1d'], { stdin: 'x' })
  expect(JSON.parse(other.stdout)).toMatchObject({ views: 1 })
  expect((await mayfly(['frobnicate'])).stderr).not.toContain('\x1b')
  for (const [pair, name] of [
    ['ttl=soon', 'ttl must be'],
    ['views=-1', 'views must be'],
    ['server=example.org', 'server must be'],
    ['colour=auto', 'unknown setting'],
  ] as const) {
    expect(await mayfly(['config', 'set', pair])).toMatchObject({ code: 2, stderr: expect.stringContaining(name) })
  }
  await mayfly(['config', 'set', 'ttl='])
  expect(await mayfly(['config', 'get', 'ttl'])).toMatchObject({ stdout: '', code: 3 })
  await writeFile(join(home, 'mayfly', 'config.json'), '{"ttl":"2h","tll":"1h"}')
  expect(await mayfly(['secret', 'create'], { stdin: 'x' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('tll is not a setting of the command line'),
  })
})

test('without a home folder login fails and other commands work', async () => {
  const env = { HOME: '', MAYFLY_SERVER: server.url }
  const made = await run(['secret', 'create'], { env, stdin: 'täxt' })
  expect(made).toMatchObject({ code: 0 })
  expect((await run(['secret', 'read', '-'], { env, stdin: made.stdout })).stdout.toString()).toBe('täxt')
  const kept = await run(['login', '--token-stdin', '-v'], { env, stdin: token })
  expect(kept).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot store a token: no home folder') })
  expect(kept.stderr).not.toContain('GET')
  expect((await run(['logout'], { env })).code).toBe(4)
  expect((await run(['whoami'], { env: { ...env, MAYFLY_TOKEN: token } })).stdout.toString()).toBe('anna\n')
})

test.each(['--username', '--password-file'])('login has no option %s', async (option) => {
  expect(await mayfly(['login', option, 'x'])).toMatchObject({ stdout: '', code: 2 })
})

test('a signed-in user creates, lists and burns own secrets', async () => {
  await writeFile(join(home, 'token'), `${token}\n`)
  const env = { MAYFLY_TOKEN_FILE: join(home, 'token') }
  expect((await mayfly(['secret', 'list'])).code).toBe(4)
  const made = JSON.parse((await mayfly(['secret', 'create', '--json'], { stdin: 'text', env })).stdout)
  const visitors = JSON.parse((await mayfly(['secret', 'create', '--json'], { stdin: 'text' })).stdout)
  const listed = JSON.parse((await mayfly(['secret', 'list', '--json'], { env })).stdout)
  expect(listed).toMatchObject([{ id: made.id, kind: 'sealed', views_left: 1, has_password: false, files: 0 }])
  expect((await mayfly(['secret', 'list'], { env })).stdout).toMatch(new RegExp(`^${made.id}\tsealed\t1\t0\t`))
  expect(await mayfly(['secret', 'burn', visitors.id, '--yes'], { env })).toMatchObject({ code: 3 })
  expect(await mayfly(['secret', 'burn', made.id, '--yes'])).toMatchObject({ code: 2 })
  expect(await mayfly(['secret', 'burn', made.id, '--yes'], { env })).toMatchObject({ code: 0 })
  expect((await mayfly(['secret', 'list'], { env })).stdout).toBe('')
  expect((await mayfly(['secret', 'read', '-'], { stdin: visitors.link, env })).stdout).toBe('text')
  for (const bad of [{ MAYFLY_TOKEN: 'not one' }, { MAYFLY_TOKEN_FILE: '/nowhere' }]) {
    expect((await mayfly(['secret', 'list'], { env: bad })).code).toBe(2)
  }
})

test('SEC-34: a token is never sent to the server of a foreign link', async () => {
  const seen: (string | undefined)[] = []
  const other: Server = await listen(
    (request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(302, { location: `${server.url}/api/v1/settings` }).end()
    },
    '127.0.0.1',
    0,
  )
  const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  await mayfly(['login', '--token-stdin'], { stdin: token })
  const link = `${address}/secret/${'A'.repeat(22)}`
  for (const env of [{}, { MAYFLY_TOKEN: token }] as Record<string, string>[]) {
    await mayfly(['secret', 'read', link, '--key-file', '/dev/null'], { env })
    await mayfly(['secret', 'read', '--peek', link], { env })
    await mayfly(['secret', 'burn', '-', '--yes'], {
      stdin: `${address}/secret/${'A'.repeat(22)}~${'A'.repeat(43)}`,
      env,
    })
  }
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.filter((header) => header !== undefined)).toEqual([])
  await stopListening(other, 0)
})

test('labels name secrets in the list of their creator, are on this machine only, and end with the secrets', async () => {
  await mayfly(['login', '--token-stdin'], { stdin: token })
  const create = async (...flags: string[]) =>
    JSON.parse((await mayfly(['secret', 'create', '--json', ...flags], { stdin: 'täxt' })).stdout) as { id: string }
  const labeled = await create('--label', 'röuter ☃')
  const other = await create()
  const list = async () => {
    const rows: { id: string; label: string | null }[] = JSON.parse((await mayfly(['secret', 'list', '--json'])).stdout)
    return Object.fromEntries(rows.map(({ id, label }) => [id, label]))
  }
  expect(await list()).toMatchObject({ [labeled.id]: 'röuter ☃', [other.id]: null })
  expect((await mayfly(['secret', 'update', other.id, '--label', 'secönd'])).code).toBe(0)
  expect(await list()).toMatchObject({ [labeled.id]: 'röuter ☃', [other.id]: 'secönd' })
  expect((await mayfly(['secret', 'update', 'A'.repeat(22), '--label', 'x'])).code).toBe(3)
  const file = join(home, 'mayfly', 'labels.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const stored = JSON.parse(await readFile(file, 'utf8'))
  const [[, entries]] = Object.entries<Record<string, { expiresAt: number }>>(stored) as [
    [string, Record<string, { expiresAt: number }>],
  ]
  await mayfly(['secret', 'burn', other.id, '--yes'])
  const ended = JSON.parse((await mayfly(['secret', 'list', '--state', 'ended', '--json'])).stdout)
  expect(ended[0]).toMatchObject({ id: other.id, state: 'burned', label: 'secönd', views: 0, views_limit: 1 })
  const exported = await mayfly(['secret', 'export', '--format', 'ndjson', '--state', 'burned'])
  expect(JSON.parse(exported.stdout.split('\n')[0] ?? '')).toEqual(ended[0])
  expect((await mayfly(['secret', 'export', '--format', 'csv', '--json'])).code).toBe(2)
  for (const entry of Object.values(entries)) entry.expiresAt = 1
  await writeFile(file, JSON.stringify(stored))
  const third = await create('--label', 'third')
  expect(Object.keys(JSON.parse(await readFile(file, 'utf8'))[Object.keys(stored)[0] as string])).toEqual([third.id])
  await writeFile(file, '[]')
  expect((await mayfly(['secret', 'list'])).code).toBe(2)
  expect((await create('--label', 'x')).id).toHaveLength(22)
})

test('secret create starts with the defaults of the user', async () => {
  const { storage } = server.app
  const { id } = (await storage.users.find('anna')) as { id: string }
  await storage.users.update(id, { defaultTtl: 7200, defaultViews: 3 })
  const env = { MAYFLY_TOKEN: token }
  const create = async (...options: string[]) => {
    const { stdout } = await mayfly(['secret', 'create', '--json', ...options], { stdin: 'für ☃', env })
    const { id: secretId } = JSON.parse(stdout)
    const stored = await storage.secrets.peek(secretId, Date.now())
    const { maxViews, createdAt, expiresAt } = stored as NonNullable<typeof stored>
    return { views: maxViews, hours: (expiresAt - createdAt) / 3_600_000 }
  }
  expect((await whoami(env)).stderr).toContain('mayfly: defaults: --ttl 2h --views 3\n')
  expect(await create()).toEqual({ views: 3, hours: 2 })
  expect(await create('--ttl', '5h', '--views', '2')).toEqual({ views: 2, hours: 5 })
  await mayfly(['config', 'set', 'ttl=4h'])
  expect(await create()).toEqual({ views: 3, hours: 4 })
  await storage.users.update(id, { defaultTtl: null, defaultViews: null })
})

test('secret create --preset starts with a preset of the server', async () => {
  const preset = async (...words: string[]) =>
    run(['settings', 'preset', ...words], { env: { MAYFLY_DATA_DIR: data, MAYFLY_PLUGINS: ',' } })
  for (const words of [
    ['Пароль ☃', 'ttl=many'],
    ['x', 'options=colour'],
    ['x', 'colour=1'],
    ['x', '--remove'],
    ['y'],
  ]) {
    expect((await preset(...words)).code).toBe(2)
  }
  expect((await preset('Пароль ☃', 'ttl=2h', 'maxViews=3', 'options=password,receipt')).code).toBe(0)
  expect((await preset('Contract', 'options=recipients')).code).toBe(0)
  expect((await preset('contract', 'options=preventBurn')).stderr).toContain('preset Contract changed')
  expect((await preset()).stdout.toString()).toBe('Пароль ☃\t2h\t3\tpassword,receipt\nContract\t\t\tpreventBurn\n')
  server.app.settings.invalidate()
  const create = async (...options: string[]) => {
    const made = await mayfly(['secret', 'create', '--json', ...options], { stdin: 'für ☃' })
    expect(made).toMatchObject({ code: 0 })
    const { id, password, receipt } = JSON.parse(made.stdout)
    const stored = await server.app.storage.secrets.peek(id, Date.now())
    const { maxViews, createdAt, expiresAt } = stored as NonNullable<typeof stored>
    const hours = (expiresAt - createdAt) / 3_600_000
    return { views: maxViews, hours, password: password !== undefined, receipt: receipt !== undefined }
  }
  const asNamed = { views: 3, hours: 2, password: true, receipt: true }
  expect(await create('--preset', 'пароль ☃')).toEqual(asNamed)
  expect(await create('--preset', 'Пароль ☃', '--ttl', '1h', '--views', '2')).toEqual({
    ...asNamed,
    hours: 1,
    views: 2,
  })
  await mayfly(['config', 'set', 'ttl=4h', 'views=4'])
  expect(await create('--preset', 'Пароль ☃')).toEqual(asNamed)
  expect(await create('--preset', 'Contract')).toMatchObject({ hours: 4, views: null, password: false })
  const unknown = await mayfly(['secret', 'create', '--preset', 'other'], { stdin: 'x' })
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('one of: Пароль ☃; Contract') })
  // Without --json and a terminal, the password would be lost.
  expect((await mayfly(['secret', 'create', '--preset', 'Пароль ☃'], { stdin: 'x' })).code).toBe(2)
  expect((await preset('Contract', '--remove')).code).toBe(0)
  expect((await preset('Пароль ☃', '--remove')).code).toBe(0)
})
