/** Files of a release: executables without Node.js and npm, packages on a bare Debian, and equal files of two runs. */
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '#core/runtime'
import manifest from '#package' with { type: 'json' }
import { builtIns } from '#plugins'
import { makeDatabase } from '#test/databases'
import { bootDebian, type DebianMachine } from '#test/debian-machine'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'

const TEXT = 'sécret ☃'
const MAX_BYTES = 140 * 2 ** 20
const CONFIG = '/etc/mayfly/mayfly.config.json'
/** Values of `e_machine` in the header of an ELF file. */
const MACHINES = { x64: 62, arm64: 183 }

let folder: string
let release: string
/** In another time zone, with the executables for this processor. It runs beside the tests of the first release. */
let again: string
let isBuiltAgain: Promise<unknown>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-release-'))
  release = join(folder, 'release')
  again = join(folder, 'again')
  await buildRelease(release, 'Pacific/Kiritimati')
  isBuiltAgain = buildRelease(again, 'America/Nome', '--architecture', process.arch)
  // The test of its files reports the error.
  isBuiltAgain.catch(() => {})
}, 600_000)

function buildRelease(target: string, timeZone: string, ...flags: string[]): Promise<unknown> {
  const args = [join(ROOT, 'scripts/release/release.mjs'), '--dry-run', '--out', target, ...flags]
  // The level of a release takes four times as long.
  const env = { ...process.env, TZ: timeZone, DPKG_DEB_COMPRESSOR_LEVEL: '1' }
  return promisify(execFile)(process.execPath, args, { env })
}

const started: ChildProcess[] = []
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await isBuiltAgain?.catch(() => {})
  rmSync(folder, { recursive: true, force: true })
}, 600_000)

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
  const log: string[] = []
  child.stdout.on('data', (chunk) => log.push(`${chunk}`))
  return { url: await readyUrl(child), child, log: () => log.join('') }
}

/** Rejects with the log when the process ends before it serves. */
function readyUrl(child: ChildProcess): Promise<string> {
  let log = ''
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      log += chunk
      const [, ready] = /Ready on (http[^\s"]+)/.exec(log) ?? []
      if (ready) resolve(ready)
    })
    child.once('close', () => reject(new Error(log)))
  })
}

function shareSecret(url: string): string {
  const created = run('mayfly-client', ['secret', 'create'], { input: TEXT, env: { MAYFLY_SERVER: url } })
  expect(created.stdout, created.stderr).toMatch(/^http\S+#\S+\n$/)
  const { stdout, stderr } = run('mayfly-client', ['secret', 'read', '--quiet', '-'], { input: created.stdout })
  expect(stderr).toBe('')
  return stdout
}

describe('executables', () => {
  let url: string
  beforeAll(async () => {
    ;({ url } = await serve({}))
  })

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
    // Loads each of them to list its settings.
    const { stdout, stderr, status } = run('mayfly', ['config', 'list', '--markdown'])
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    const withoutSettings = Object.keys(builtIns).filter((name) => !stdout.includes(`\n| \`${name}.`))
    expect(withoutSettings).toEqual(['audit-stdout', 'local-auth'])
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

  test.each(['mayfly', 'mayfly-client'])('an agent creates a secret from a file with %s mcp', async (name) => {
    const home = mkdtempSync(join(folder, 'agent-'))
    writeFileSync(join(home, 'secret.txt'), TEXT)
    const env = { PATH: '', HOME: home, MAYFLY_SERVER: url }
    run(name, ['config', 'set', `agent_folders=${home}`, 'agent_commands=true'], { env })
    const agent = new Client({ name: 'test', version: '1' })
    await agent.connect(new StdioClientTransport({ command: executable(name), args: ['mcp'], env }))
    const input = { file: join(home, 'secret.txt') }
    const { content } = await agent.callTool({ name: 'create_secret', arguments: input })
    await agent.close()
    const [{ text }] = content as [{ text: string }]
    expect(text).not.toContain(TEXT)
    expect(run('mayfly-client', ['secret', 'read', '--quiet', '-'], { input: JSON.parse(text).link }).stdout).toBe(TEXT)
  })

  test('a setting for a native module is an error that names the setting', () => {
    const { status, stderr } = run('mayfly', ['serve', '--set', 'sqlite.driver=sqlite3'])
    expect(stderr).toContain(
      'The executable contains node:sqlite and no sqlite3\nmayfly: hint: remove the setting sqlite.driver',
    )
    expect(status).toBe(2)
  })
})

describe('Debian packages', needs('mmdebstrap', 'mount'), () => {
  const [, arch = ''] = /^(amd64|arm64)$/.exec(process.arch === 'x64' ? 'amd64' : process.arch) ?? []
  const otherArch = arch === 'amd64' ? 'arm64' : 'amd64'
  const SERVER_URL = 'http://localhost:3000'
  let debian: string
  let clients: string
  let machine: DebianMachine
  beforeAll(async () => {
    debian = join(folder, 'debian')
    clients = join(folder, 'debian-client')
    // Essential packages and the dependencies of ours. debootstrap takes more than twice the processor time.
    const packages = '--include=systemd-sysv,passwd,libstdc++6'
    execFileSync('mmdebstrap', ['--variant=essential', packages, 'bookworm', debian], { stdio: 'pipe' })
    writeFileSync(join(debian, 'etc/hosts'), '127.0.0.1 localhost\n')
    execFileSync('cp', ['-al', debian, clients])
    makeOlderPackage()
    for (const architecture of [arch, otherArch])
      copyFileSync(packageFile('mayfly', architecture), join(debian, `${architecture}.deb`))
    copyFileSync(packageFile('mayfly-client', arch), join(clients, 'client.deb'))
    machine = await bootDebian(debian)
  }, 600_000)
  afterAll(() => machine?.stop())

  const packageFile = (name: string, architecture: string) =>
    join(release, `${name}_${manifest.version}_${architecture}.deb`)

  /** The same package with a lower version and other defaults. */
  function makeOlderPackage() {
    const tree = join(folder, 'older')
    execFileSync('dpkg-deb', ['--raw-extract', packageFile('mayfly', arch), tree])
    replaceIn(join(tree, 'DEBIAN/control'), `Version: ${manifest.version}`, 'Version: 0.0.1')
    replaceIn(join(tree, CONFIG), '3000', '3001')
    execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, join(debian, 'older.deb')])
    rmSync(tree, { recursive: true })
  }

  function succeed(command: string, options?: { input?: string; folder?: string }) {
    const { status, stdout, stderr } = machine.run(command, options)
    expect(status, `${command}\n${stdout}${stderr}`).toBe(0)
    return stdout
  }
  const runClient = (command: string, input: string) => succeed(command, { input, folder: clients })
  const create = () => runClient(`mayfly secret create --quiet --server ${SERVER_URL}`, TEXT)
  const read = (link: string) => runClient('mayfly secret read --quiet -', link)

  /** The unit has started when its process has, which is before the server listens. */
  const waitForServer = () =>
    vi.waitFor(() => succeed("bash -c ': < /dev/tcp/127.0.0.1/3000'"), { timeout: 30_000, interval: 200 })

  test('are installed, serve, keep data and configuration in an upgrade, and are removed', async () => {
    runClient('dpkg -i /client.deb', '')
    const pages = readdirSync(join(clients, 'usr/share/man/man1'))
    expect(pages).toEqual(expect.arrayContaining(['mayfly-secret-create.1.gz', 'mayfly-mcp.1.gz']))
    expect(pages).not.toContain('mayfly-serve.1.gz')

    succeed('dpkg -i /older.deb')
    expect(succeed("stat -c '%U:%G %a' /var/lib/mayfly /etc/mayfly/mayfly.config.json")).toBe(
      'mayfly:mayfly 700\nroot:mayfly 640\n',
    )
    const config = JSON.stringify({ host: '127.0.0.1', port: 3000 })
    writeFileSync(join(debian, CONFIG), config)
    succeed('systemctl restart mayfly')
    await waitForServer()
    const [first, second] = [create(), create()]
    expect(read(first)).toBe(TEXT)

    succeed(`dpkg -i --force-confold /${arch}.deb`)
    expect(readFileSync(join(debian, CONFIG), 'utf8')).toBe(config)
    expect(readFileSync(join(debian, `${CONFIG}.dpkg-dist`), 'utf8')).toContain('3000')
    await waitForServer()
    expect(read(second)).toBe(TEXT)
    expect(succeed('mayfly --version')).toBe(`${manifest.version}\n`)

    succeed('systemctl start mayfly-backup.service')
    expect(succeed("stat -c '%U %a' /var/lib/mayfly-backup/backup-*.tar")).toBe('mayfly 600\n')

    succeed('dpkg --remove mayfly')
    const left = ['usr/bin/mayfly', 'var/lib/mayfly/mayfly.db', CONFIG].map((path) => existsSync(join(debian, path)))
    expect(left).toEqual([false, true, true])
    expect(machine.run('systemctl is-active mayfly').stdout).toBe('inactive\n')
    succeed('dpkg --purge mayfly')
    expect(existsSync(join(debian, 'var/lib/mayfly'))).toBe(false)
    expect(existsSync(join(debian, 'etc/mayfly'))).toBe(false)
    expect(machine.run('systemctl cat mayfly mayfly-backup.timer').stdout).toBe('')
  })

  test('a killed service starts again, and one with an invalid setting stays ended and says why', async () => {
    succeed(`dpkg -i /${arch}.deb`)
    await waitForServer()
    const link = create()
    succeed('systemctl kill --signal=KILL mayfly')
    const restarts = () => machine.run('systemctl show --property NRestarts mayfly').stdout
    await vi.waitFor(() => expect(restarts()).toBe('NRestarts=1\n'), 30_000)
    await waitForServer()
    expect(read(link)).toBe(TEXT)
    writeFileSync(join(debian, CONFIG), JSON.stringify({ port: 'many' }))
    machine.run('systemctl restart mayfly')
    await vi.waitFor(() => expect(machine.run('systemctl is-failed mayfly').stdout).toBe('failed\n'), 30_000)
    expect(succeed('journalctl --unit mayfly --output cat')).toMatch(/error: .*port/)
    succeed('dpkg --purge mayfly')
  })

  test('say what is wrong with missing rights and another processor', async () => {
    succeed('rm -rf /var/lib/mayfly; mkdir -m 755 /var/lib/mayfly')
    const failed = machine.run(`dpkg -i /${arch}.deb`)
    expect(failed.stderr).toContain('mayfly: error: user mayfly cannot write to /var/lib/mayfly\nmayfly: hint: chown ')
    expect(failed.status).not.toBe(0)
    expect(succeed('dpkg-query --status mayfly')).toContain('\nStatus: install ok half-configured\n')
    const [, fix = ''] = /hint: (.*)/.exec(failed.stderr) ?? []
    succeed(fix)
    await waitForServer()
    expect(machine.run(`dpkg -i /${otherArch}.deb`).stderr).toContain('does not match system')
    succeed('dpkg --purge mayfly')
  })
})

const replaceIn = (path: string, text: string, other: string) =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(text, other))

test('a second run of the release in another time zone writes the same files, which SHA256SUMS lists', {
  timeout: 900_000,
}, async () => {
  await isBuiltAgain
  const sums = listChecksums(release)
  const files = readdirSync(release, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(Object.keys(sums)).toHaveLength(files.length - 1)
  const other = process.arch === 'x64' ? /arm64/ : /x64|amd64/
  const expected = Object.entries(sums).filter(([name]) => !other.test(name) && !name.startsWith('templates/'))
  expect(listChecksums(again)).toEqual(Object.fromEntries(expected))
  const version = manifest.version
  expect(expected.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      `mayfly-${version}.tgz`,
      `create-mayfly-plugin-${version}.tgz`,
      `mayfly-chart-${version}.tgz`,
      `mayfly-image-context-${version}.tar.gz`,
      `mayfly-${version}.cdx.json`,
      `mayfly-linux-${process.arch}`,
      'NOTES.md',
    ]),
  )
  expect(readFileSync(join(release, 'templates/flake.nix'), 'utf8')).toContain(sums['mayfly-linux-arm64'])
})

/** SHA-256 by file name. */
function listChecksums(path: string): Record<string, string> {
  const lines = readFileSync(join(path, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
  return Object.fromEntries(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
}
