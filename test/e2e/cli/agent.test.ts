/** `mayfly mcp` with the client of the SDK: no result, error or log contains a secret. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'
import { shell } from '#test/spawn-cli'
import { CLI } from '#test/start-server'

const CANARY = 'CaNaRy-1f3a ☃\nsecond-canary-line-77\n'
const FORMS = [
  'CaNaRy-1f3a',
  'second-canary-line-77',
  Buffer.from(CANARY).toString('base64').slice(0, 16),
  Buffer.from(CANARY).toString('hex').slice(0, 20),
  encodeURIComponent(CANARY).slice(0, 20),
]

let server: LocalServer
let client: Client
let home: string
let work: string
let env: Record<string, string>
/** All that the client has received, and the log of the server. */
let seen = ''
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'mayfly-agent-'))
  work = join(home, 'work')
  mkdirSync(join(work, 'inner'), { recursive: true })
  writeFileSync(join(work, 'canary.txt'), CANARY)
  writeFileSync(join(home, 'outside.txt'), CANARY)
  symlinkSync(join(home, 'outside.txt'), join(work, 'leak.txt'))
  symlinkSync(join(home, 'later.txt'), join(work, 'dangling.txt'))
  for (const [name, code] of Object.entries({
    print: 'cat canary.txt',
    fail: 'cat canary.txt; cat canary.txt >&2; exit 3',
  })) {
    writeFileSync(join(work, name), `#!/bin/sh\n${code}\n`)
    chmodSync(join(work, name), 0o755)
  }
  server = await startLocalServer({ instanceSettings: { who_can_request: 'anyone' } })
  env = { HOME: home, PATH: process.env.PATH ?? '', MAYFLY_SERVER: server.url }
  const allowed = [join(work, 'print'), join(work, 'fail'), 'sh', 'printenv', 'sleep', process.execPath].join(',')
  const set = await run(['config', 'set', `agent_folders=${work}`, `agent_commands=${allowed}`], { env })
  expect(set.code, set.stderr).toBe(0)
  client = await connect()
})
afterAll(async () => {
  await client?.close()
  await server?.stop()
  rmSync(home, { recursive: true, force: true })
})

async function connect(): Promise<Client> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env, stderr: 'pipe' })
  transport.stderr?.on('data', (chunk) => {
    seen += chunk
  })
  const connected = new Client({ name: 'test', version: '1' })
  await connected.connect(transport)
  return connected
}

async function callTool(name: string, input: object = {}) {
  const { content, isError } = await client.callTool({ name, arguments: { ...input } })
  const [{ text }] = content as [{ text: string }]
  seen += text
  return { text, isError: isError === true, value: isError ? null : JSON.parse(text) }
}

/** The last test: everything that was received before. */
const checkSeen = () => {
  for (const form of FORMS) expect(seen.toLowerCase()).not.toContain(form.toLowerCase())
  expect(server.log()).not.toContain('CaNaRy')
}

test('without the settings the program ends and names the missing one', async () => {
  const bare = await shell('mayfly mcp < /dev/null', { cwd: work, env: { HOME: join(work, 'inner') } })
  expect(bare).toMatchObject({ code: 2, stderr: expect.stringContaining('agent_folders') })
  mkdirSync(join(work, 'inner/.config/mayfly'), { recursive: true })
  writeFileSync(join(work, 'inner/.config/mayfly/config.json'), JSON.stringify({ agent_folders: work }))
  const half = await shell('mayfly mcp < /dev/null', { cwd: work, env: { HOME: join(work, 'inner') } })
  expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining('agent_commands') })
})

test('the tools are listed with schemas', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'create_secret',
    'request_secret',
    'collect_secret',
    'run_command',
    'secret_status',
    'burn_secret',
  ])
  for (const { inputSchema, description } of tools) {
    expect(inputSchema.type).toBe('object')
    expect(description).toBeTruthy()
  }
})

test('create_secret seals a file and the output of a command, and the link opens both', async () => {
  const file = await callTool('create_secret', { file: join(work, 'canary.txt'), title: 'Zugang ☃', ttl: '2h' })
  expect(file.text).toContain('"link"')
  expect((await run(['secret', 'read', '-'], { stdin: file.value.link })).stdout.toString()).toBe(CANARY)
  const attached = await callTool('create_secret', { file: join(work, 'canary.txt'), attach: true })
  expect((await run(['secret', 'read', '-'], { stdin: attached.value.link })).stdout.toString()).toBe(CANARY)
  const output = await callTool('create_secret', { command: [join(work, 'print')] })
  expect((await run(['secret', 'read', '-'], { stdin: output.value.link })).stdout.toString()).toBe(CANARY)
  checkSeen()
})

test('secret_status and burn_secret need the link or the id, and the burn token is in a private file', async () => {
  const { value } = await callTool('create_secret', { file: join(work, 'canary.txt') })
  const folder = join(home, '.local/state/mayfly/agent')
  const [name = ''] = readdirSync(folder).filter((each) => each.startsWith(value.id))
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  expect(value).not.toHaveProperty('burn_token')
  expect((await callTool('secret_status', { link: value.link })).value).toMatchObject({ views_left: 1 })
  expect((await callTool('burn_secret', { id: value.id })).value).toEqual({ burned: true })
  expect((await callTool('secret_status', { link: value.link })).text).toContain('not found')
  expect((await callTool('burn_secret', { id: value.id })).isError).toBe(true)
  const other = await callTool('create_secret', { file: join(work, 'canary.txt') })
  expect((await callTool('burn_secret', { link: other.value.link })).value).toEqual({ burned: true })
})

const SHOW = `
const value = process.env.SECRET
console.log(value, Buffer.from(value).toString('base64'), Buffer.from(value).toString('hex'), encodeURIComponent(value))
console.error(value.split('\\n').map((line, at) => at + line).join(' '), JSON.stringify(value))`

test('run_command passes a secret and returns the output without it, in every encoding', async () => {
  writeFileSync(join(work, 'show.mjs'), SHOW)
  const { link } = (await callTool('create_secret', { file: join(work, 'canary.txt') })).value
  const secrets = [{ variable: 'SECRET', link }]
  const { value } = await callTool('run_command', { command: [process.execPath, 'show.mjs'], secrets })
  expect(value).toMatchObject({ exit_code: 0, is_cut: false })
  expect(value.stdout.match(/\[redacted\]/g).length).toBeGreaterThanOrEqual(4)
  expect(value.stderr).toMatch(/^0\[redacted\] 1\[redacted\] 2 "\[redacted\]"\n$/)
  checkSeen()
  expect((await callTool('run_command', { command: [process.execPath, 'show.mjs'], secrets })).text).toContain(
    'not found',
  )
})

test('a person answers a request: into a private file, and into a variable', async () => {
  const one = (await callTool('request_secret', { title: 'Passwort ☃' })).value
  expect((await callTool('secret_status', { request: one.request })).value.submissions).toEqual([])
  const early = await callTool('collect_secret', { request: one.request, file: join(work, 'early.txt') })
  expect(early).toMatchObject({ isError: true, text: expect.stringContaining('no unopened submission') })
  expect((await run(['request', 'submit', one.link], { stdin: CANARY })).code).toBe(0)
  const file = join(work, 'received.txt')
  expect((await callTool('collect_secret', { request: one.request, file })).value).toMatchObject({ file })
  expect(readFileSync(file, 'utf8')).toBe(CANARY)
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const two = (await callTool('request_secret', { title: 'noch eines' })).value
  await run(['request', 'submit', two.link], { stdin: CANARY })
  const secrets = [{ variable: 'SECRET', request: two.request }]
  for (let time = 0; time < 2; time++) {
    const { value } = await callTool('run_command', { command: ['printenv', 'SECRET'], secrets })
    expect(value).toMatchObject({ exit_code: 0, stdout: expect.stringMatching(/^\[redacted\]\n+$/) })
  }
  checkSeen()
})

test.each([
  ['a file outside', 'create_secret', () => ({ file: join(home, 'outside.txt') }), 'agent_folders'],
  ['a symbolic link to it', 'create_secret', () => ({ file: join(work, 'leak.txt') }), 'agent_folders'],
  ['a path with ..', 'create_secret', () => ({ file: `${work}/inner/../canary.txt` }), 'must not contain ..'],
  ['a relative path', 'create_secret', () => ({ file: 'canary.txt' }), 'absolute'],
  ['a missing file outside', 'create_secret', () => ({ file: join(home, 'none.txt') }), 'agent_folders'],
  ['a folder outside', 'run_command', () => ({ command: ['printenv'], folder: '/', secrets: [] }), 'agent_folders'],
  ['another command', 'run_command', () => ({ command: ['cat', 'canary.txt'], secrets: [] }), 'agent_commands'],
  ['a path to an allowed name', 'run_command', () => ({ command: ['./printenv'], secrets: [] }), 'agent_commands'],
  ['a shell', 'run_command', () => ({ command: ['sh', '-c', 'cat canary.txt | rev'], secrets: [] }), 'of a shell'],
  ['a substitution', 'create_secret', () => ({ command: ['printenv', '$(id)'] }), 'of a shell'],
  ['PATH as variable', 'run_command', () => ({ command: ['printenv'], secrets: [{ variable: 'PATH' }] }), 'PATH'],
  ['no value', 'run_command', () => ({ command: ['printenv'], secrets: [{ variable: 'A' }] }), 'link or request'],
  ['a damaged link', 'secret_status', () => ({ link: `${server.url}/secret/AAAA#1` }), 'no request was sent'],
  ['an unknown request', 'secret_status', () => ({ request: '0123456789abcdef' }), 'unknown request'],
  ['a failing command', 'create_secret', () => ({ command: [join(work, 'fail')] }), 'exit code 3'],
  ['both sources', 'create_secret', () => ({ file: join(work, 'canary.txt'), command: ['printenv'] }), 'either'],
  [
    'a command that hangs',
    'run_command',
    () => ({ command: ['sleep', '600'], timeout_seconds: 1, secrets: [] }),
    'ended',
  ],
])('%s is refused by %s with a clear sentence', async (_, name, input, message) => {
  const { isError, text } = await callTool(name, input())
  expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining(message) })
  checkSeen()
})

test('a collected secret never goes through a symbolic link or over a file', async () => {
  const { request, link } = (await callTool('request_secret', { title: 'x' })).value
  await run(['request', 'submit', link], { stdin: CANARY })
  for (const name of ['dangling.txt', 'leak.txt', 'canary.txt']) {
    expect((await callTool('collect_secret', { request, file: join(work, name) })).text).toContain('exists already')
  }
  const outside = await callTool('collect_secret', { request, file: join(home, 'later.txt') })
  expect(outside.text).toContain('agent_folders')
})

test('the output of a command is bounded, and has no token of the user', async () => {
  const code = 'process.stdout.write("x".repeat(300000) + (process.env.MAYFLY_TOKEN ?? ""))'
  writeFileSync(join(work, 'much.mjs'), code)
  const { value } = await callTool('run_command', { command: [process.execPath, 'much.mjs'], secrets: [] })
  expect(value).toMatchObject({ exit_code: 0, is_cut: true })
  expect(value.stdout).toHaveLength(64 * 1024)
  checkSeen()
})
