// Installs and builds what is missing or out of date, so that `npm start` and `npm test` work on a fresh clone.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const SOURCES = ['core', 'plugins', 'cli', 'web', 'migrations', 'config', 'package.json', 'tsup.config.ts']

if (changedAt(['package-lock.json']) > changedAt(['node_modules/.package-lock.json'])) npm('ci')
if (changedAt(SOURCES) > changedAt(['dist/.built'])) npm('run', 'build')

/** Latest change among files and folders, in epoch ms; 0 when there is none. */
function changedAt(paths) {
  return Math.max(0, ...paths.map((path) => newest(join(root, path))))
}

function newest(path) {
  if (!existsSync(path)) return 0
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}

/** On stderr, so that the output of what follows stays clean. */
function npm(...args) {
  process.stderr.write(`npm ${args.join(' ')}\n`)
  const { status } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}
