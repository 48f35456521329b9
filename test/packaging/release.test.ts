/** What a release consists of: the single executables, where there is neither Node.js nor npm. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#core/runtime'
import manifest from '#package' with { type: 'json' }
import { builtIns } from '#plugins'
import { makeDatabase } from '#test/databases'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'

const TEXT = 'sécret ☃'
const MAX_BYTES = 140 * 2 ** 20
/** Values of `e_machine` in the header of an ELF file. */
const MACHINES = { x64: 62, arm64: 183 }

let folder: string
let release: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-release-'))
  release = join(folder, 'release')
  execFileSync(process.execPath, [join(ROOT, 'scripts/release/executables.mjs'), release], { stdio: 'pipe' })
}, 600_000)
const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const executable = (name: string, arch: string = process.arch) => join(release, `${name}-linux-${arch}`)

/** With no variables but `env`, and so without programs and a home folder. */
function run(name: string, args: string[], { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {}) {
  const cwd = mkdtempSync(join(folder, 'run-'))
  return spawnSync(executable(name), args, { cwd, env: { PATH: '', HOME: '', ...env }, input, encoding: 'utf8' })
}

async function serve(env: NodeJS.ProcessEnv, args: string[] = []) {
  const cwd = mkdtempSync(join(folder, 'serve-'))
  const settings = { MAYFLY_HOST: '127.0.0.1', MAYFLY_PORT: `${await freePort()}`, MAYFLY_DATA_DIR: join(cwd, 'data') }
  const child = spawn(executable('mayfly'), ['serve', ...args], {
    cwd,
    env: { PATH: '', HOME: '', ...settings, ...env },
  })
  started.push(child)
  let log = ''
  child.stdout.on('data', (chunk) => {
    log += chunk
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      log += chunk
      const [, ready] = /Ready on (http[^\s"]+)/.exec(log) ?? []
      if (ready) resolve(ready)
    })
    child.once('close', () => reject(new Error(log)))
  })
  return { url, child, log: () => log }
}

function shareSecret(url: string): string {
  const created = run('mayfly-client', ['secret', 'create'], { input: TEXT, env: { MAYFLY_SERVER: url } })
  expect(created.stdout, created.stderr).toMatch(/^http\S+#\S+\n$/)
  const { stdout, stderr } = run('mayfly-client', ['secret', 'read', '--quiet', '-'], { input: created.stdout })
  expect(stderr).toBe('')
  return stdout
}

describe('executables', () => {
  test.each(Object.entries(MACHINES))('for %s are ELF programs of that processor, without symbols', (arch, machine) => {
    for (const name of ['mayfly', 'mayfly-client']) {
      const program = readFileSync(executable(name, arch))
      expect(program.subarray(0, 4).toString('latin1')).toBe('\x7fELF')
      expect(program.readUInt16LE(18)).toBe(machine)
      expect(program.byteLength).toBeLessThan(MAX_BYTES)
      // postject writes a few; Node.js has 40.
      expect(program.readUInt16LE(60), 'number of sections').toBeLessThan(5)
      // The mark in Node.js that a blob is there.
      expect(program.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1')).toBe(true)
      expect(program.includes(ROOT)).toBe(false)
      expect(statSync(executable(name, arch)).mode & 0o777).toBe(0o755)
    }
  })

  test.each(['mayfly', 'mayfly-client'])('%s runs with an empty PATH and an empty HOME', (name) => {
    expect(run(name, ['--version'])).toMatchObject({ stdout: `${manifest.version}\n`, stderr: '', status: 0 })
    expect(run(name, ['secret', 'create', '--help']).stdout).toContain('--password-file')
  })

  test('serve stores a secret in SQLite and serves the web app in every language', async () => {
    const { url } = await serve({})
    expect(shareSecret(url)).toBe(TEXT)
    const html = await (await fetch(url, { headers: { 'accept-language': 'ar' } })).text()
    expect(html).toMatch(/<html lang="ar" dir="rtl"/)
    const [, asset = ''] = /src="(\/?assets\/[^"]+\.js)"/.exec(html) ?? []
    const script = await fetch(new URL(asset, url), { headers: { 'accept-encoding': 'br' } })
    expect(script.headers.get('content-encoding')).toBe('br')
    expect((await script.text()).length).toBeGreaterThan(100)
    expect((await fetch(new URL('/legal/de/privacy.json', url))).status).toBe(200)
  })

  test('setup hashes the password of the administrator, and doctor finds nothing to repair', () => {
    const dataDir = join(folder, 'doctor')
    const flags = ['--data-dir', dataDir, '--public-url', 'http://localhost:3000', '--admin-username', 'admin']
    const args = ['setup', '--no-input', ...flags, '--admin-email', 'admin@example.org', '--generate-admin-password']
    const setUp = run('mayfly', args)
    expect(setUp.stdout, setUp.stderr).toMatch(/^\S{12,}\n$/)
    const { stdout } = run('mayfly', ['doctor', '--json'], { env: { MAYFLY_DATA_DIR: dataDir } })
    const findings = JSON.parse(stdout) as { level: string; check: string }[]
    expect(findings.filter(({ level }) => level === 'fail')).toEqual([])
    expect(findings).toContainEqual(expect.objectContaining({ check: 'web', level: 'ok' }))
  })

  test('every built-in plugin loads', () => {
    // Most report that their settings are missing.
    const reports = Object.keys(builtIns).map((name) => run('mayfly', ['plugin', 'check', name]))
    expect(reports.filter(({ status }) => ![0, 9].includes(status ?? 1))).toEqual([])
    expect(reports.filter(({ stdout, stderr }) => (stdout + stderr).includes('could not be loaded'))).toEqual([])
  })

  test(
    'several processes share a database, and a plugin on disk uses the modules of the executable',
    needs('postgres'),
    async () => {
      const plugin = join(folder, 'plugin.mjs')
      writeFileSync(
        plugin,
        `import { definePlugin, z } from 'mayfly'
       import * as knex from 'mayfly/knex'
       const options = z.object({})
       const setup = () => { console.log('functions for knex: ' + Object.keys(knex).length); return {} }
       export default definePlugin({ contract: 1, name: 'note', options, setup })`,
      )
      const database = await makeDatabase('postgres')
      const { url, child, log } = await serve({ ...database.env, MAYFLY_PLUGINS: `web,${plugin}` }, ['--workers', '2'])
      expect(shareSecret(url)).toBe(TEXT)
      expect(log()).toMatch(/functions for knex: [1-9]/)
      child.kill('SIGTERM')
      await once(child, 'close')
      await database.drop()
    },
  )

  test('a setting for a native module is an error that names the setting', () => {
    const { status, stderr } = run('mayfly', ['serve', '--set', 'sqlite.driver=sqlite3'])
    expect(stderr).toContain(
      'The executable contains node:sqlite and no sqlite3\nmayfly: hint: remove the setting sqlite.driver',
    )
    expect(status).toBe(2)
  })
})
