/** The single file of the client: alone in an empty folder, with Node.js and nothing else. */
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '#cli/lib/version'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { CLI } from '#test/start-server'

const TEXT = 'pässwörd ☃\nsecond line\n'
const folder = mkdtempSync(join(tmpdir(), 'mayfly-client-'))
const file = join(folder, 'mayfly.mjs')

let server: LocalServer
beforeAll(async () => {
  copyFileSync(join(dirname(CLI), 'client/mayfly.mjs'), file)
  server = await startLocalServer({ instanceSettings: { who_can_request: 'anyone' } })
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Ran {
  stdout: string
  stderr: string
  code: number
}

/** The server is in this process, so this must not block. */
function mayfly(args: string[], stdin = '', env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { HOME: folder, MAYFLY_SERVER: server.url, ...env } }
    const child = execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) => {
      resolve({ stdout, stderr, code: Number(error?.code ?? 0) })
    })
    child.stdin?.end(stdin)
  })
}

test.each([
  ['the client file', file],
  ['the program of the package', CLI],
])('%s ends on an old Node with one line', (_, program) => {
  // As an old Node does it: the version is read before anything else runs.
  const old = `Object.defineProperty(process.versions, 'node', { value: '18.20.8' })`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, program, '--version']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: 'mayfly: error: needs Node 20.19 or newer, this is 18.20.8\n',
  })
})

test('nothing that an old Node may lack is imported before the check', () => {
  // A missing name of a static import fails before any code runs.
  const listImports = (text: string) => [
    ...text.matchAll(/(?:^|;)\s*import\s*(?:[\w${},*\s]+from\s*)?["']([^"']+)["']/gm),
  ]
  expect(listImports(readFileSync(file, 'utf8')).map(([, name]) => name)).toEqual(['node:module'])
  const ofPackage = listImports(readFileSync(CLI, 'utf8')).map(([, name = '']) => name)
  const chunks = ofPackage.filter((name) => name.startsWith('./'))
  const ofChunks = chunks.flatMap((name) => listImports(readFileSync(join(dirname(CLI), name), 'utf8')))
  const packages = [...ofPackage.filter((name) => !chunks.includes(name)), ...ofChunks.map(([, name]) => name)]
  expect(new Set(packages)).toEqual(new Set(['node:module']))
})

test('creates, reads and burns secrets, with text, files and passwords', async () => {
  const created = await mayfly(['secret', 'create'], TEXT)
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http.*\/secret\/.*#.*\n$/) })
  expect(await mayfly(['secret', 'read', '-q', '-'], created.stdout)).toEqual({ stdout: TEXT, stderr: '', code: 0 })
  expect((await mayfly(['secret', 'read', '-'], created.stdout)).code).toBe(3)
  writeFileSync(join(folder, 'password'), 'hunter2 ☃')
  writeFileSync(join(folder, 'täst.bin'), Buffer.alloc(100_000, 'ä'))
  const password = ['--password-file', 'password']
  const withFile = await mayfly(['secret', 'create', '-f', 'täst.bin', ...password])
  expect(withFile.code).toBe(0)
  expect((await mayfly(['secret', 'read', '-', ...password, '-o', 'copy'], withFile.stdout)).code).toBe(0)
  expect(readFileSync(join(folder, 'copy')).equals(readFileSync(join(folder, 'täst.bin')))).toBe(true)
  const burned = await mayfly(['secret', 'create', '--json'], TEXT)
  expect((await mayfly(['secret', 'burn', JSON.parse(burned.stdout).link, '--yes'])).code).toBe(0)
})

test('runs a command with a secret in its environment', async () => {
  const created = await mayfly(['secret', 'create'], TEXT)
  const script = 'process.stdout.write(process.env.SECRET)'
  const ran = await mayfly(['run', '--links', '-', '--', process.execPath, '-e', script], `SECRET=${created.stdout}`)
  expect(ran).toMatchObject({ code: 0, stdout: TEXT })
})

test('creates, answers and collects a request', async () => {
  const requested = await mayfly(['request', 'create', '--collect-file', 'collect'])
  expect(requested.code, requested.stderr).toBe(0)
  expect((await mayfly(['request', 'submit', requested.stdout.trim()], TEXT)).code).toBe(0)
  const collected = await mayfly(['request', 'collect', '-', '-q'], readFileSync(join(folder, 'collect'), 'utf8'))
  expect(collected).toMatchObject({ code: 0, stdout: TEXT })
})

test('has the commands of a client only', async () => {
  const { stdout } = await mayfly(['--help'])
  expect(stdout).toContain('secret create')
  expect(stdout).not.toMatch(/\b(serve|backup|doctor|user add)\b/)
  expect(await mayfly(['--version'])).toMatchObject({ stdout: `${version}\n`, code: 0 })
  expect((await mayfly(['serve'])).code).toBe(2)
  expect((await mayfly(['completion', 'bash'])).stdout).toContain('secret')
})

test('is smaller than 2 MB, contains no driver and lists its licenses', () => {
  expect(statSync(file).size).toBeLessThan(2e6)
  expect(readFileSync(file, 'utf8')).not.toMatch(/require\("(sqlite3|pg|mysql2|knex|koa)"\)/)
  expect(readFileSync(join(dirname(CLI), 'client/THIRD-PARTY-NOTICES.txt'), 'utf8')).toContain('commander')
})
