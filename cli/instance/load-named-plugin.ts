/**
 * Loads the plugins that a config names, and protects users who run a command in a folder in which others can put
 * files.
 */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { loadPlugin, locatePlugin, type Plugin, PluginError } from '#core/runtime'
import { builtIns } from '#plugins'

/**
 * `file`: the config file. Unless the user named it (`required`), it and the file of a plugin must belong to the user
 * or to root, and other users must not be able to change them. Throws PluginError.
 */
export async function loadNamedPlugin(name: string, file: { path: string; required: boolean }): Promise<Plugin> {
  const folder = dirname(file.path)
  if (!file.required && !Object.hasOwn(builtIns, name)) {
    if (existsSync(file.path)) assertOwnFile(file.path, name)
    assertOwnFile(locatePlugin(name, builtIns, folder), name)
  }
  return loadPlugin(name, builtIns, folder)
}

/** Windows has no such owners: there, every file passes. Throws PluginError. */
function assertOwnFile(path: string, plugin: string): void {
  const user = process.getuid?.()
  if (user === undefined) return
  const { uid, mode } = statSync(path)
  const isWritable = (mode & 0o002) !== 0
  if ((uid === user || uid === 0) && !isWritable) return
  const reason = isWritable ? 'every user of this machine can change' : 'another user owns'
  throw new PluginError(
    `Plugin "${plugin}" is not loaded, because ${reason} ${path}. Change its owner or mode, or name the config file with --config.`,
  )
}
