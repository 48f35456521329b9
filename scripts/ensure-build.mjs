// Installs and builds missing and outdated files, so that `npm start` and `npm test` work on a fresh clone. With
// --install-only, it builds nothing. With --check, it only says by its exit code whether the build is up to date.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
/** All that a build reads. */
const SOURCES = ['core', 'plugins', 'cli', 'bench', 'web', 'migrations', 'config', 'package.json', 'tsconfig.json']
const TOOLS = ['tsconfig.build.json', 'scripts', 'tsup.config.ts', 'node_modules/.package-lock.json']
const NOT_BUILT = /\.test\.tsx?$|\.md$/

if (process.argv.includes('--check')) process.exit(needsBuild() ? 1 : 0)
// npm writes its own lockfile last, and a build its mark: neither is there after an interruption.
if (changedAt(['package-lock.json']) > changedAt(['node_modules/.package-lock.json'])) npm('ci', '--include=dev')
const canBuild = !process.argv.includes('--install-only') && existsSync(join(root, 'core'))
if (canBuild && needsBuild()) npm('run', 'build')

function needsBuild() {
  return changedAt([...SOURCES, ...TOOLS]) > changedAt(['dist/.built'])
}

/** Latest change among files and folders, in epoch ms; 0 when there is none. */
function changedAt(paths) {
  return Math.max(0, ...paths.map((path) => newest(join(root, path))))
}

/** A folder changes too when something in it is added, renamed or removed. */
function newest(path) {
  if (!existsSync(path)) return 0
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  const names = readdirSync(path).filter((name) => !NOT_BUILT.test(name))
  return Math.max(stat.mtimeMs, ...names.map((name) => newest(join(path, name))))
}

/** On stderr, so that the output of the next command stays clean. */
function npm(...args) {
  // node-gyp compiles as many files at once.
  const env = { JOBS: 'max', ...process.env }
  process.stderr.write(`npm ${args.join(' ')}\n`)
  const { status } = spawnSync('npm', args, { cwd: root, env, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}
