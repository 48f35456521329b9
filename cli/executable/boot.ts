/**
 * Start of the single executable. Its modules are assets of the executable; this makes Node.js import them from there.
 * A bundle in CommonJS, because Node.js 24 runs nothing else.
 */
import module, { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { getRawAsset } from 'node:sea'
import { pathToFileURL } from 'node:url'

interface Loaded {
  format: 'module'
  source: Uint8Array | string
  shortCircuit: true
}
type Next<T> = (subject: string, context: object) => T
/** The types of Node.js 20 do not have it. */
interface Hooks {
  resolve(specifier: string, context: { parentURL?: string }, next: Next<object>): object
  load(url: string, context: object, next: Next<object>): object
}

/** No path below an existing file can exist on disk. Relative where /proc is not mounted. */
const EXECUTABLE = resolve(process.execPath)
const ROOT = `${pathToFileURL(EXECUTABLE)}/`
const MAIN = `${ROOT}dist/cli.js`
const START = `${EXECUTABLE}/start.js`
/** The imports of plugins on disk: the modules of the running program, not a copy of them. */
const EXPORTS: Record<string, string> = { mayfly: 'dist/mayfly.js', 'mayfly/knex': 'dist/knex.js' }

const { registerHooks } = module as unknown as { registerHooks(hooks: Hooks): void }
registerHooks({
  resolve(specifier, context, next) {
    const url = locate(specifier, context.parentURL ?? '')
    return url === null ? next(specifier, context) : { url, format: 'module', shortCircuit: true }
  },
  load: (url, context, next) => (url.startsWith(ROOT) ? load(url) : next(url, context)),
})
// The main script of an executable cannot import modules; a module that it requires can.
createRequire(START)(START)

function locate(specifier: string, parent: string): string | null {
  if (specifier === START) return pathToFileURL(START).href
  if (specifier.startsWith(ROOT)) return specifier
  if (parent.startsWith(ROOT) && /^\.{1,2}\//.test(specifier)) return new URL(specifier, parent).href
  return Object.hasOwn(EXPORTS, specifier) ? `${ROOT}${EXPORTS[specifier]}` : null
}

function load(url: string): Loaded {
  const isStart = url === pathToFileURL(START).href
  const source = isStart
    ? `import(${JSON.stringify(MAIN)})`
    : Buffer.from(getRawAsset(url.slice(ROOT.length)) as ArrayBuffer)
  return { format: 'module', source, shortCircuit: true }
}
