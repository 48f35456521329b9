/** Runs every block of docs/recipes.md and checks it with shellcheck. */

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasServer } from '#test/connect-database'
import { makeDatabase, type TestDatabase } from '#test/databases'

import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { shell, terminal } from '#test/spawn-cli'
import { CLI, type RunningServer, startServer } from '#test/start-server'

const page = readFileSync(join(import.meta.dirname, '../../../docs/recipes.md'), 'utf8')
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
const [program = ''] = [...page.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
const [goProgram = ''] = [...page.matchAll(/^```go\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
const scripts = blocks.filter((code) => code.startsWith('#!/bin/sh\n'))
const recipes = blocks.filter((code) => !scripts.includes(code))
const TEXT = 'päss "wörd" \\n %s ☃\nsecond line\n\n'

let server: RunningServer
let target: TestDatabase
let cwd: string
let env: Record<string, string>
beforeAll(async () => {
  // In a process of its own, because spawnSync blocks this one.
  server = await startServer({ env: { MAYFLY_PLUGINS: ',' } })
  target = await makeDatabase((await hasServer('postgres')) ? 'postgres' : 'sqlite')
  cwd = await workplace()
  const bare = { MAYFLY_PLUGINS: ',', MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0' }
  const PG_URL = target.options.url ?? `sqlite:${target.options.file}`
  env = { ...bare, MAYFLY_SERVER: server.url, PG_URL, PATH: `${cwd}/bin:${process.env.PATH}` }
})
afterAll(async () => {
  await server?.stop()
  await target?.drop()
  rmSync(cwd, { recursive: true, force: true })
})

/** A folder with an instance and the files that the recipes use. */
async function workplace(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-recipes-'))
  for (const name of ['bin', 'certs']) mkdirSync(join(folder, name))
  // Stubs for tools that the machine may lack, and `mayfly` on the PATH.
  const programs = {
    pg_dump: 'echo dump',
    kubectl: 'cat /dev/stdin > got',
    psql: 'printenv PGPASSWORD > got',
    mayfly: `exec '${process.execPath}' '${CLI}' "$@"`,
  }
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  const files = {
    '.env': TEXT,
    id_ed25519: 'key\n',
    'password.txt': 'pässwörd\n',
    'names.txt': 'one\ntwo\n',
    'people.csv': 'name;mail\nZoë;zoe@example.org\nBen;ben@example.org\n',
    'welcome.pdf': 'päge\n',
    'team.csv': 'username,email,role\nalice,alice@example.org,admin\nbobby,bobby@example.org,user\n',
    'certs/a': 'a',
    'sign.sh': '#!/bin/sh\ncat "$KEYSTORE"\n',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  chmodSync(join(folder, 'sign.sh'), 0o755)
  for (const [index, name] of ['seal.sh', 'open.sh'].entries()) writeFileSync(join(folder, name), scripts[index] ?? '')
  spawnSync('age-keygen', ['-o', 'key.txt'], { cwd: folder })
  expect(await run(['migrate'], { cwd: folder, env: { MAYFLY_PLUGINS: ',', MAYFLY_DATA_DIR: 'data' } })).toMatchObject({
    code: 0,
  })
  return folder
}

async function create(flags: string[] = [], stdin = 'täxt'): Promise<string> {
  return (await run(['secret', 'create', ...flags], { stdin, env, cwd })).stdout.toString().trim()
}

/** Expected files or output of a recipe, by a part of its text. */
const OUTCOMES: [part: string, check: (stdout: string) => void][] = [
  ['kubectl', () => expect(left('got').trim()).toBe('täxt')],
  ['psql', () => expect(left('got').trim()).toBe('täxt')],
  ['mayfly inject', () => expect(left('app.yml')).toBe('db:\n  password: "täxt"\n')],
  ['--as-file', (stdout) => expect(stdout).toBe('täxt')],
  ['--out-dir', () => expect(readdirSync(join(cwd, 'in'))).toContain('id_ed25519')],
  ['--label', () => expect(left('links.tsv')).toMatch(/^one\thttp\S+\ntwo\thttp\S+\n$/)],
  [
    '--to-file',
    () =>
      expect(left('links.csv')).toMatch(
        /^name,mail,link,expires_at\r\n(\S+,\S+@example\.org,http\S+#\S+,\S+Z\r\n){2}$/,
      ),
  ],
  ['--generate-password', (stdout) => expect(stdout).toMatch(/^http\S+\n[a-z-]+\d\d\n$/)],
  ['a text', (stdout) => expect(stdout).toBe('a text\n')],
  ['team.csv', () => expect(left('team-links.tsv')).toMatch(/^alice\thttp\S+#\S+\nbobby\thttp\S+#\S+\n$/)],
  ['--rotate', () => expect(left('mayfly_token')).toMatch(/^mf_\S{20,}\n$/)],
  ['settings set', (stdout) => expect(stdout).toBe('example.org\n')],
  ['mayfly backup', (stdout) => expect(stdout).toMatch(/users\t3/)],
  ['db copy', (stdout) => expect(stdout).toMatch(/^users\t3\t3\tok$/m)],
  ['mayfly audit', (stdout) => expect(stdout).toMatch(/^\S+Z\t\(shell\)\t/)],
  ['mayfly doctor', (stdout) => expect(stdout).toMatch(/^config publicUrl: set MAYFLY_PUBLIC_URL$/m)],
]
/** Links that commands of the instance print need it. */
const publicUrl = () => ({ MAYFLY_PUBLIC_URL: server.url })
const left = (name: string) => readFileSync(join(cwd, name), 'utf8')

test('the page has the expected number of recipes', () => {
  expect(scripts).toHaveLength(2)
  expect(recipes.length).toBeGreaterThanOrEqual(22)
})

describe('every recipe is run by a test', needs('jq', 'curl', 'age', 'openssl'), () => {
  test.each(recipes)('in pipes, in CI: %s', async (code) => {
    const links = code.includes('LINK')
      ? { LINK: await create(), LINK_TO_FILES: await create(['-f', 'id_ed25519', '--text', 'x']) }
      : {}
    const {
      stdout,
      code: exit,
      stderr,
    } = await shell(code, {
      env: { ...env, ...links, ...(code.includes('--send-link') ? publicUrl() : {}), CI: '1', NO_COLOR: '1' },
      cwd,
    })
    expect(stderr).not.toContain('error')
    expect(stderr).not.toContain('\x1b')
    expect(exit, stderr).toBe(0)
    const [, outcome] = OUTCOMES.find(([part]) => code.includes(part)) ?? []
    outcome?.(stdout.toString())
  })

  test('recipes run on a terminal without questions', { ...needs('script'), timeout: 300_000 }, async () => {
    const folder = await workplace()
    const own = {
      ...env,
      ...publicUrl(),
      PATH: `${folder}/bin:${process.env.PATH}`,
      PG_URL: `sqlite:${folder}/copy.db`,
    }
    const links = {
      LINK: await create(['--views', '9']),
      LINK_TO_FILES: await create(['-f', 'id_ed25519', '--text', 'x']),
    }
    const steps = recipes.map(
      (code, at) =>
        `( set -euo pipefail\n${code})\nlast=$?; [ $last = 0 ] || { echo "recipe ${at}: $last"; exit 1; }\n`,
    )
    writeFileSync(join(folder, 'all.sh'), steps.join(''))
    const tty = terminal('bash all.sh', { cwd: folder, env: { ...own, ...links } })
    expect(await tty.ended, tty.screen()).toBe(0)
    expect(tty.screen()).not.toMatch(/error|recipe \d/)
    expect(readFileSync(join(folder, 'got'), 'utf8').trim()).toBe('täxt')
    rmSync(folder, { recursive: true })
  })
})

test('the recipe for Python opens links, and fails when one is gone', needs('python3'), async () => {
  const own = { ...env, LINK: await create([], TEXT) }
  const python = () => spawnSync('python3', ['-c', program], { cwd, env: own, encoding: 'utf8' })
  expect(python()).toMatchObject({ stdout: `${TEXT}\n`, status: 0 })
  expect(python()).toMatchObject({ stdout: '', stderr: expect.stringContaining('exit status 3') })
})

test('the recipe for Go opens a link and shares again, and fails when one is gone', needs('gccgo'), async () => {
  writeFileSync(join(cwd, 'open.go'), goProgram)
  expect(spawnSync('gccgo', ['-Wall', '-o', 'open', 'open.go'], { cwd, encoding: 'utf8' })).toMatchObject({
    stderr: '',
    status: 0,
  })
  const own = { ...env, LINK: await create([], TEXT) }
  const go = () => spawnSync(join(cwd, 'open'), { cwd, env: own, encoding: 'utf8' })
  const { stdout, status } = go()
  expect(status).toBe(0)
  expect((await run(['secret', 'read', '-'], { stdin: stdout })).stdout.toString()).toBe(TEXT)
  expect(go()).toMatchObject({ stdout: '', status: 1, stderr: expect.stringContaining('exit status 3') })
})

test('every recipe passes shellcheck', needs('shellcheck'), () => {
  for (const code of blocks) {
    const dialect = scripts.includes(code) ? 'sh' : 'bash'
    const { stdout } = spawnSync('shellcheck', ['-s', dialect, '-e', 'SC2154', '-'], { input: code, encoding: 'utf8' })
    expect(stdout).toBe('')
  }
})

describe('CRY-02: without Mayfly, in a POSIX shell', needs('curl', 'openssl', 'dash'), () => {
  test.each([TEXT, '', 'x'.repeat(60_000), `${'ä'.repeat(50)}\0\n`])(
    'mayfly reads what seal.sh creates',
    async (text) => {
      const { stdout, stderr } = spawnSync('dash', ['seal.sh', '600'], { cwd, env: { ...env }, input: text })
      expect(stderr.toString()).toBe('')
      const read = await run(['secret', 'read', '-'], { stdin: stdout })
      expect(read.stderr).toBe('mayfly: opened; the secret is gone now\n')
      expect(read.stdout.toString()).toBe(text)
    },
  )

  test('seal.sh exits with 7 for a text that is too large', () => {
    const { status } = spawnSync('dash', ['seal.sh'], { cwd, env: { ...env }, input: 'x'.repeat(66_000) })
    expect(status).toBe(7)
  })

  test('open.sh and age open what mayfly creates, and a truncated link uses no view', {
    ...needs('age', 'script'),
    timeout: 300_000,
  }, async () => {
    const link = await create([], TEXT)
    const cut = spawnSync('dash', ['open.sh'], { cwd, env: { ...env }, input: `${link.slice(0, -1)}\n` })
    expect(cut.status).toBe(5)
    const { stdout } = spawnSync('dash', ['open.sh', 's.age'], { cwd, env: { ...env }, input: `${link}\n` })
    const age = terminal('age -d s.age | tail -n +2 > plain', { cwd })
    await age.sees(/passphrase:/)
    age.types(`${stdout.toString().trim()}\r`)
    expect(await age.ended).toBe(0)
    expect(readFileSync(join(cwd, 'plain'), 'utf8')).toBe(TEXT)
  })
})
