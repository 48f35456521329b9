// Builds the single executables of the server and the client for each architecture into a folder: `npm run executables
// -- FOLDER`. Each is a Node.js with the modules and files of Mayfly as assets. They contain neither times nor paths of
// the machine: two builds of one commit are equal.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './product.mjs'
import { stripElf } from './strip-elf.mjs'

/** Not beside its list, where a build would take it for newer sources. */
const TOOLS = join(ROOT, 'node_modules/.release-tools')
const BUNDLES = join(ROOT, 'node_modules/.executables')
export const ARCHITECTURES = ['x64', 'arm64']
/** File names end with the architecture: `mayfly-linux-x64`. */
export const PROGRAMS = { mayfly: 'server', 'mayfly-client': 'client' }
/** Marks the place in Node.js that says whether there is a blob. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** Writes the executables to `folder`. `architectures`: some of ARCHITECTURES. Needs dist. Returns the paths. */
export async function buildExecutables(folder, architectures = ARCHITECTURES) {
  if (!existsSync(join(ROOT, 'dist/.built'))) throw new Error('dist is missing: npm run build')
  installTools()
  // Every module there becomes part of the program, also one of an earlier build.
  rmSync(BUNDLES, { recursive: true, force: true })
  const tsup = join(ROOT, 'node_modules/tsup/dist/cli-default.js')
  run(process.execPath, [tsup, '--config', 'tsup.executables.config.ts', '--silent'], ROOT)
  mkdirSync(folder, { recursive: true })
  const { inject } = createRequire(join(TOOLS, 'package.json'))('postject')
  const paths = []
  for (const [name, bundle] of Object.entries(PROGRAMS)) {
    const blob = writeBlob(bundle)
    for (const arch of architectures) {
      const path = join(folder, `${name}-linux-${arch}`)
      writeFileSync(path, stripElf(readFileSync(nodeOf(arch))), { mode: 0o755 })
      await quietly(() => inject(path, 'NODE_SEA_BLOB', blob, { sentinelFuse: FUSE }))
      paths.push(path)
    }
  }
  return paths
}

/** The Node.js inside the executables. */
export const nodeOf = (arch) => join(TOOLS, `node_modules/node-linux-${arch}/bin/node`)

/** The programs for the other architecture are installed too: --force. */
export function installTools() {
  const lock = readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8')
  const installed = join(TOOLS, 'installed.json')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return
  mkdirSync(TOOLS, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(import.meta.dirname, name), join(TOOLS, name))
  run('npm', ['ci', '--force', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], TOOLS)
  writeFileSync(installed, lock)
}

/** The same for every architecture, because it contains no compiled code. */
function writeBlob(bundle) {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-blob-'))
  try {
    const config = {
      // Relative, because the blob contains this path.
      main: 'boot.cjs',
      output: join(folder, 'blob'),
      disableExperimentalSEAWarning: true,
      assets: listAssets(bundle),
    }
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
    run(nodeOf(process.arch), ['--experimental-sea-config', join(folder, 'config.json')], BUNDLES)
    return readFileSync(config.output)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Path of each file, by its path in the executable. */
function listAssets(bundle) {
  const modules = listFiles(join(BUNDLES, bundle), (name) => name.endsWith('.js'))
  const web = bundle === 'server' ? listFiles(join(ROOT, 'dist/web'), () => true) : []
  return Object.fromEntries([
    ...modules.map((name) => [`dist/${name}`, join(BUNDLES, bundle, name)]),
    ...web.map((name) => [`dist/web/${name}`, join(ROOT, 'dist/web', name)]),
  ])
}

const listFiles = (folder, filter) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && filter(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** postject prints a warning for each section that a stripped program does not have. */
async function quietly(work) {
  const { log, warn, error } = console
  console.log = console.warn = console.error = () => {}
  try {
    return await work()
  } finally {
    Object.assign(console, { log, warn, error })
  }
}

function run(program, args, cwd) {
  const { status, stderr, error } = spawnSync(program, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${error?.message ?? stderr}`)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const path of await buildExecutables(resolve(process.argv[2] ?? join(ROOT, 'release')))) {
    process.stdout.write(`${path} ${(statSync(path).size / 2 ** 20).toFixed(1)} MiB\n`)
  }
}
