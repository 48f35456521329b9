/** docs/recipes.md as written: every block runs, is sound shell, and does what it says. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hasTerminals, run, shell, terminal } from '#core/testing/run'
import { type RunningServer, startServer } from '#core/testing/serve'

const page = readFileSync(join(import.meta.dirname, '../docs/recipes.md'), 'utf8')
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
const scripts = blocks.filter((code) => code.startsWith('#!/bin/sh\n'))
const recipes = blocks.filter((code) => !scripts.includes(code))
const lacks = (...programs: string[]) => programs.some((name) => spawnSync('which', [name]).status !== 0)
const TEXT = 'päss "wörd" \\n %s ☃\nsecond line\n\n'

// Each test starts several processes.
vi.setConfig({ testTimeout: 90_000 })

let server: RunningServer
let cwd: string
let env: Record<string, string>
beforeAll(async () => {
  server = await startServer({ env: { MAYFLY_PLUGINS: ',' } })
  cwd = mkdtempSync(join(tmpdir(), 'mayfly-recipes-'))
  mkdirSync(join(cwd, 'bin'))
  mkdirSync(join(cwd, 'certs'))
  // What they name and the machine may lack.
  const stubs = { pg_dump: 'echo dump', kubectl: 'cat /dev/stdin > got', psql: 'printenv PGPASSWORD > got' }
  for (const [name, script] of Object.entries(stubs)) {
    writeFileSync(join(cwd, 'bin', name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(cwd, 'bin', name), 0o755)
  }
  const files = {
    '.env': TEXT,
    id_ed25519: 'key\n',
    'password.txt': 'pässwörd\n',
    'names.txt': 'one\ntwo\n',
    'certs/a': 'a',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content)
  spawnSync('age-keygen', ['-o', 'key.txt'], { cwd })
  for (const [index, name] of ['seal.sh', 'open.sh'].entries()) writeFileSync(join(cwd, name), scripts[index] ?? '')
  env = { MAYFLY_SERVER: server.url, PATH: `${cwd}/bin:${process.env.PATH}` }
})
afterAll(async () => {
  await server?.stop()
  rmSync(cwd, { recursive: true, force: true })
})

async function create(flags: string[] = [], stdin = 'täxt'): Promise<string> {
  return (await run(['secret', 'create', ...flags], { stdin, env, cwd })).stdout.toString().trim()
}

test('there are as many as there were', () => {
  expect(scripts).toHaveLength(2)
  expect(recipes.length).toBeGreaterThanOrEqual(11)
})

test.skipIf(lacks('jq', 'curl', 'age', 'openssl')).each(recipes)('runs: %s', async (code) => {
  const links = { LINK: await create(), LINK_TO_FILES: await create(['-f', 'id_ed25519', '--text', 'x']) }
  const { stdout, code: exit, stderr } = await shell(code, { env: { ...env, ...links }, cwd })
  expect(stderr).not.toContain('error')
  expect(exit).toBe(0)
  if (code.includes('kubectl') || code.includes('psql'))
    expect(readFileSync(join(cwd, 'got'), 'utf8').trim()).toBe('täxt')
  if (code.includes('--out-dir')) expect(readdirSync(join(cwd, 'in'))).toContain('id_ed25519')
  if (code.includes('--label'))
    expect(readFileSync(join(cwd, 'links.tsv'), 'utf8')).toMatch(/^one\thttp\S+\ntwo\thttp\S+\n$/)
  if (code.includes('--generate-password')) expect(stdout.toString()).toMatch(/^http\S+\n[a-z-]+\d\d\n$/)
  if (code.includes('a text')) expect(stdout.toString()).toBe('a text\n')
})

test.skipIf(lacks('shellcheck'))('all of them are sound shell (apt-get install shellcheck)', () => {
  for (const code of blocks) {
    const dialect = scripts.includes(code) ? 'sh' : 'bash'
    const { stdout } = spawnSync('shellcheck', ['-s', dialect, '-e', 'SC2154', '-'], { input: code, encoding: 'utf8' })
    expect(stdout).toBe('')
  }
})

describe.skipIf(lacks('curl', 'openssl', 'dash'))('without Mayfly, in a POSIX shell', () => {
  test.each([TEXT, '', 'x'.repeat(60_000), `${'ä'.repeat(50)}\0\n`])(
    'what seal.sh makes, mayfly reads',
    async (text) => {
      const { stdout, stderr } = spawnSync('dash', ['seal.sh', '600'], { cwd, env: { ...env }, input: text })
      expect(stderr.toString()).toBe('')
      const read = await run(['secret', 'read', '-'], { stdin: stdout })
      expect(read.stderr).toBe('mayfly: opened; it is gone now\n')
      expect(read.stdout.toString()).toBe(text)
    },
  )

  test('more than it can take is 7', () => {
    const { status } = spawnSync('dash', ['seal.sh'], { cwd, env: { ...env }, input: 'x'.repeat(66_000) })
    expect(status).toBe(7)
  })

  test.skipIf(lacks('age') || !hasTerminals)(
    'what mayfly makes, open.sh and age open; a link that was cut uses up nothing',
    async () => {
      const link = await create(['--no-chomp'], TEXT)
      const cut = spawnSync('dash', ['open.sh'], { cwd, env: { ...env }, input: `${link.slice(0, -1)}\n` })
      expect(cut.status).toBe(5)
      const { stdout } = spawnSync('dash', ['open.sh', 's.age'], { cwd, env: { ...env }, input: `${link}\n` })
      const age = terminal('age -d s.age | tail -n +2 > plain', { cwd })
      await age.sees(/passphrase:/)
      age.types(`${stdout.toString().trim()}\r`)
      expect(await age.ended).toBe(0)
      expect(readFileSync(join(cwd, 'plain'), 'utf8')).toBe(TEXT)
    },
  )
})
