/** Loads plugins by their name in the config: built-in, `./file.js` or an npm package. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { z } from 'zod'
import { listPluginSettings } from './list-plugin-settings.js'
import { CONTRACT, type Plugin } from './plugin.js'
import { PluginError } from './plugin-error.js'

export type BuiltIns = Record<string, () => Promise<{ default: unknown }>>

/**
 * Loads a plugin. Files and npm packages are resolved from `baseDir`, the folder of the config file. Throws
 * PluginError.
 */
export async function loadPlugin(name: string, builtIns: BuiltIns, baseDir: string): Promise<Plugin> {
  const module = await importPlugin(name, builtIns, baseDir)
  const plugin: unknown = typeof module === 'object' && module !== null && 'default' in module ? module.default : null
  if (!isPlugin(plugin)) {
    throw new PluginError(`"${name}" is not a plugin: it has no default export made with definePlugin().`)
  }
  assertContract(name, plugin)
  listPluginSettings(plugin)
  return plugin
}

async function importPlugin(name: string, builtIns: BuiltIns, baseDir: string): Promise<unknown> {
  if (Object.hasOwn(builtIns, name)) return importOrThrow(name, () => builtIns[name]?.())
  return importOrThrow(name, () => import(pathToFileURL(locatePlugin(name, builtIns, baseDir)).href))
}

/**
 * Absolute path of the file of a plugin that is not built in. Throws PluginError, and an Error for a package without an
 * entry point.
 */
export function locatePlugin(name: string, builtIns: BuiltIns, baseDir: string): string {
  if (/^\.{0,2}\//.test(name)) {
    const file = resolve(baseDir, name)
    if (!existsSync(file)) throw new PluginError(`Plugin file ${file} does not exist.`)
    return file
  }
  const require = findRequire(name, baseDir)
  if (require) return require.resolve(name)
  const known = Object.keys(builtIns).sort().join(', ')
  throw new PluginError(`Plugin "${name}" is neither built in (${known}) nor installed as a package.`)
}

/** Throws the error of a plugin that exists but fails to load, for example because of a missing dependency. */
async function importOrThrow(name: string, load: () => unknown): Promise<unknown> {
  try {
    return await load()
  } catch (cause) {
    if (cause instanceof PluginError) throw cause
    throw new PluginError(`Plugin "${name}" could not be loaded: ${describeFailure(cause)}`, { cause })
  }
}

/** Names the missing package, because database drivers and the S3 client are optional dependencies. */
function describeFailure(cause: unknown): string {
  const reason = (cause instanceof Error ? cause.message.split('\n')[0] : null) ?? String(cause)
  const [, missing] = /^Cannot find (?:package|module) '((?:@[\w.-]+\/)?[\w.-]+)'/.exec(reason) ?? []
  const binary = findBinary(cause)
  if (binary)
    return `the binary of ${binary} is missing or was made for another version of Node.js: npm rebuild ${binary}`
  if (missing === undefined) return reason
  return `it needs the package ${missing}: npm install ${missing === 'mayfly' ? ownFolder() : missing}`
}

/** Name of the package whose compiled part was not found or not accepted; null for other failures. */
function findBinary(cause: unknown): string | null {
  const { code = '', message = '' } = (cause ?? {}) as NodeJS.ErrnoException
  if (code !== 'ERR_DLOPEN_FAILED' && !/^Could not locate the bindings file/.test(message)) return null
  return /node_modules[\\/]((?:@[\w.-]+[\\/])?[\w.-]+)[\\/](?:build|lib|prebuilds)[\\/]/.exec(message)?.[1] ?? null
}

/** The folder of this package, from which npm installs it: Mayfly is not in the npm registry. */
const ownFolder = (): string => dirname(createRequire(import.meta.filename).resolve('mayfly/package.json'))

/**
 * Returns a `require` that can resolve the package: from the config folder, else from Mayfly itself. Null when neither
 * can.
 */
function findRequire(name: string, baseDir: string): NodeJS.Require | null {
  const candidates = [resolve(baseDir, 'package.json'), import.meta.filename].map((from) => createRequire(from))
  const hasPackage = (folder: string) => existsSync(resolve(folder, name))
  return candidates.find((require) => require.resolve.paths(name)?.some(hasPackage)) ?? null
}

/** Throws PluginError for a plugin that was written for another contract. */
function assertContract(name: string, { contract }: { contract?: number }): void {
  if (contract === CONTRACT) return
  if (contract === undefined) {
    throw new PluginError(`Plugin "${name}" has no contract number. Add "contract: ${CONTRACT}" to its definition.`)
  }
  const advice = contract < CONTRACT ? 'Update the plugin.' : 'Install a newer version of Mayfly.'
  throw new PluginError(
    `Plugin "${name}" was written for plugin contract ${contract}; this version of Mayfly needs ${CONTRACT}. ${advice}`,
  )
}

function isPlugin(value: unknown): value is Plugin {
  if (typeof value !== 'object' || value === null) return false
  const { name, options, setup } = value as Partial<Plugin>
  // Not instanceof: a package may carry its own copy of zod.
  const isSchema = typeof options?.safeParse === 'function' && typeof (options as z.ZodObject).shape === 'object'
  return (
    typeof name === 'string' && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && isSchema && typeof setup === 'function'
  )
}
