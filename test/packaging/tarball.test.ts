/** The package as npm installs it: the packed files in a folder with its dependencies only. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '#core/runtime'
import manifest from '#package' with { type: 'json' }
import { importsOf, parse, ROOT } from '#test/source-files'

/** Imports that are not in package.json, each with the reason. */
const NOT_INSTALLED: Record<string, string> = { vite: 'serves a checkout that is being worked on, and nothing else' }
const page = readFileSync(join(ROOT, 'docs/install.md'), 'utf8')
/** Two fifths of it are the code of the bundled dependencies, and as much the texts of 40 languages. */
const MAX_BYTES = 13 * 2 ** 20

let folder: string
let installed: string
let packed: { size: number; unpackedSize: number; files: { path: string; mode: number }[] }
let server: ChildProcess | undefined
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-tarball-'))
  installed = join(folder, 'node_modules/mayfly')
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  mkdirSync(installed)
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  ;[packed] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' }))
  execFileSync('tar', ['-xzf', join(folder, `mayfly-${manifest.version}.tgz`), '-C', installed, '--strip-components=1'])
  for (const name of dependencies()) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  symlinkSync(`../mayfly/${manifest.bin.mayfly}`, join(folder, 'node_modules/.bin/mayfly'))
})
afterAll(() => {
  server?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** The packages that `npm install mayfly` brings, those without development's own. */
function dependencies(): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true }>
  }
  return Object.entries(packages).flatMap(([path, { dev }]) => {
    const [, name = ''] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? []
    // Binaries for other machines are in the lockfile, too.
    return name !== '' && !dev && existsSync(join(ROOT, path)) ? [name] : []
  })
}

test('the tarball contains the program, all entries with types, and the web app', () => {
  const paths = packed.files.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining([
      'dist/cli.js',
      'dist/mayfly.js',
      'dist/testing.js',
      'dist/knex.js',
      'dist/types/core/index.d.ts',
      'dist/library/client.js',
      'dist/library/THIRD-PARTY-NOTICES.txt',
      'dist/types/core/shared/library/index.d.ts',
      'dist/types/api.d.ts',
      'LICENSE',
      'docs/one-machine.md',
      'docs/install/mayfly.service',
      'docs/monitoring/alerts.yaml',
      expect.stringMatching(/^dist\/web\/assets\/.*\.js\.br$/),
    ]),
  )
})

test('V15.2.3: the tarball is small and contains no tests, maps or development files', () => {
  expect(packed.unpackedSize).toBeLessThan(MAX_BYTES)
  const paths = packed.files.map(({ path }) => path)
  expect(paths.filter((path) => /\.map$|\.test\.|fixtures\/|bench|\.built|node_modules/.test(path))).toEqual([])
  const allowed = /^(dist\/|docs\/|package\.json$|README\.md$|CHANGELOG\.md$|LICENSE$)/
  expect(paths.filter((path) => !allowed.test(path))).toEqual([])
  expect(manifest.scripts).not.toHaveProperty('postinstall')
  expect(readFileSync(join(installed, manifest.bin.mayfly), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
})

test('the tarball imports only its dependencies and its own files', () => {
  const { dependencies, optionalDependencies, peerDependencies } = manifest
  const asked = new Set(Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
  const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.js$|\.d\.ts$/.test(name) && !name.startsWith('web/'),
  )
  const found = files.flatMap((name) => {
    const at = join(installed, 'dist', name)
    return importsOf(parse(at, readFileSync(at, 'utf8'))).map(({ specifier }) => ({ at, specifier }))
  })
  const wrong = found.filter(({ at, specifier }) => {
    if (specifier.startsWith('.'))
      return ![specifier, specifier.replace(/\.js$/, '.d.ts')].some((path) => existsSync(join(dirname(at), path)))
    const [name = ''] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? []
    return !(isBuiltIn(specifier) || asked.has(name) || name in NOT_INSTALLED)
  })
  expect(wrong).toEqual([])
  expect(found.length).toBeGreaterThan(200)
})

const isBuiltIn = (name: string) => name.startsWith('node:') || builtinModules.includes(name)

test('the tarball is installed as in docs/install.md, starts and serves a secret', async () => {
  const port = await freePort()
  const bin = join(folder, 'node_modules/.bin/mayfly')
  const env = { PATH: process.env.PATH, HOME: folder, MAYFLY_HOST: '127.0.0.1', MAYFLY_PORT: `${port}` }
  const mayfly = (args: string[], input = '') =>
    spawnSync(process.execPath, [bin, ...args], { cwd: folder, env, input, encoding: 'utf8' })
  const npx = spawnSync('npx', ['--offline', 'mayfly', '--version'], { cwd: folder, env, encoding: 'utf8' })
  expect(npx.stdout, npx.stderr).toBe(`${manifest.version}\n`)

  const [, steps = ''] = /<!-- package -->\n```sh\nnpm install .*\n([\s\S]*?)npx mayfly serve\n```/.exec(page) ?? []
  const setUp = spawnSync('bash', ['-euc', steps.replace('3000', `${port}`)], { cwd: folder, env, encoding: 'utf8' })
  expect(readFileSync(join(folder, 'admin-password'), 'utf8'), setUp.stderr).toMatch(/^\S{12,}\n$/)

  server = spawn(process.execPath, [bin, 'serve'], { cwd: folder, env })
  const url = await readyAt(server)
  const created = mayfly(['secret', 'create', '--server', url], 'sécret ☃')
  expect(created.stdout, created.stderr).toMatch(/^http\S+#\S+\n$/)
  expect(mayfly(['secret', 'read', '-'], created.stdout).stdout).toBe('sécret ☃')

  const html = await (await fetch(url)).text()
  const [, asset = ''] = /src="(\/?assets\/[^"]+\.js)"/.exec(html) ?? []
  expect((await fetch(new URL(asset, url))).status).toBe(200)
}, 120_000)

test('doctor says how to repair a package without a page of the web app', () => {
  const page = join(installed, 'dist/web/index.html')
  rmSync(page)
  const env = { PATH: process.env.PATH, HOME: folder }
  const { stdout, status } = spawnSync(process.execPath, [join(installed, manifest.bin.mayfly), 'doctor', '--json'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  const findings = JSON.parse(stdout) as { check: string }[]
  expect(findings.filter(({ check }) => check === 'web')).toEqual([
    {
      section: 'config',
      check: 'web',
      level: 'fail',
      message: `does not start: ${page} is missing`,
      fix: 'install Mayfly again',
    },
  ])
  expect(status).toBe(9)
}, 60_000)

function readyAt(child: ChildProcess): Promise<string> {
  let log = ''
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      log += chunk
      const [, url] = /Ready on (http[^\s"]+)/.exec(log) ?? []
      if (url) resolve(url)
    })
    child.once('close', () => reject(new Error(log)))
  })
}
