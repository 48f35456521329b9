/**
 * Serves an instance from the sources, for development: `npm run dev -- --port 4000`. esbuild bundles the server, which
 * restarts after each change of its sources; Vite, inside the server, serves the web app. Arguments are passed on to
 * `mayfly serve`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { context } from 'esbuild'

const root = dirname(import.meta.dirname)
/** The web plugin looks for `web` two folders above its bundle. */
const OUT_DIR = join(root, 'node_modules/.dev')
/** All that the server is built from. Vite watches `web`. */
const SOURCES = ['core', 'plugins', 'cli', 'migrations', 'config']
const SERVE = [
  '--enable-source-maps',
  join(OUT_DIR, 'main.js'),
  'serve',
  '--set',
  'web.dev=true',
  '--set',
  'limits=off',
]
/** Editors write a file in several steps, in ms. */
const SETTLE_MS = 30
/** Time for a graceful shutdown before the server is killed, in ms. */
const STOP_MS = 200

rmSync(OUT_DIR, { recursive: true, force: true })
mkdirSync(OUT_DIR, { recursive: true })
const bundler = await context({
  absWorkingDir: root,
  entryPoints: ['cli/main.ts'],
  outdir: OUT_DIR,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  write: false,
})
const watched = new Set()
let timer
let queue = Promise.resolve()
let served = ''
let server

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end)
watch(root, (_, name) => name === 'package.json' && scheduleUpdate())
scheduleUpdate()

function scheduleUpdate() {
  clearTimeout(timer)
  timer = setTimeout(() => {
    queue = queue.then(update)
  }, SETTLE_MS)
}

/** Bundles, and restarts the server if the bundle is different. esbuild prints the errors of a failed build. */
async function update() {
  try {
    for (const folder of SOURCES) watchFolder(join(root, folder))
  } catch (error) {
    // A folder was removed meanwhile, for example because another branch is checked out.
    if (error.code !== 'ENOENT') throw error
    scheduleUpdate()
  }
  const result = await bundler.rebuild().catch(() => null)
  if (!result) return
  const version = result.outputFiles.map(({ path, hash }) => `${path} ${hash}`).join()
  if (version === served) return
  for (const { path, contents } of result.outputFiles) writeFileSync(path, contents)
  served = version
  await stop()
  server = spawn(process.execPath, [...SERVE, ...process.argv.slice(2)], { stdio: 'inherit' })
}

/** Watches each folder by itself: `recursive` misses files that an editor replaces on some systems. */
function watchFolder(folder) {
  if (!watched.has(folder)) {
    watched.add(folder)
    const watcher = watch(folder, scheduleUpdate)
    const unwatch = () => {
      watcher.close()
      watched.delete(folder)
    }
    // The folder was removed.
    watcher.on('error', unwatch)
    watcher.on('change', () => !existsSync(folder) && unwatch())
  }
  const entries = readdirSync(folder, { withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) watchFolder(join(folder, entry.name))
}

async function stop() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  const killing = setTimeout(() => server.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(killing)
}

async function end() {
  await queue
  await stop()
  process.exit()
}
