/** `mayfly plugin list`. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listPluginSettings, locatePlugin } from '#core/runtime'
import { builtIns } from '#plugins'
import { type InstanceConfig, loadConfigForFlags, type NamedPlugin } from '../../instance/instance-config.js'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { version } from '../../lib/version.js'
import type { Io } from '../../output/io.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'

export async function listPlugins(flags: InstanceFlags & ListFlags & GlobalFlags, io: Io): Promise<void> {
  const config = await loadConfigForFlags(flags, io)
  const folder = dirname(config.configFile.path ?? config.configFile.searched[0] ?? io.cwd)
  const rows = config.plugins.map((each) => toRow(each, config.settings, folder))
  if (flags.json) return io.writeJson(rows)
  const lines = rows.map(({ slots, commands, settings, ...row }) => ({
    ...row,
    provides: [
      ...slots,
      ...(commands.length > 0 ? ['commands'] : []),
      ...(settings.length > 0 ? ['settings'] : []),
    ].join(),
  }))
  await io.write(formatList(lines, ['name', 'source', 'version', 'contract', 'provides'], flags, io))
}

function toRow({ plugin, specifier }: NamedPlugin, settings: InstanceConfig['settings'], folder: string) {
  const { name, contract, commands = [] } = plugin
  const isBuiltIn = Object.hasOwn(builtIns, specifier)
  return {
    name,
    source: isBuiltIn ? 'built in' : specifier,
    version: isBuiltIn ? version : findVersion(specifier, folder),
    contract,
    slots: [
      ...(['storage', 'files', 'limits'] as const).filter((slot) => settings[slot] === name),
      ...(settings.auth.includes(name) ? ['auth'] : []),
    ],
    commands: commands.map((each) => each.name),
    settings: listPluginSettings(plugin).map((setting) => setting.name),
  }
}

/** The version in the nearest package.json above the file of the plugin. Null if there is none. */
function findVersion(specifier: string, folder: string): string | null {
  const file = locatePlugin(specifier, builtIns, folder)
  for (let at = dirname(file), above = ''; at !== above; above = at, at = dirname(at)) {
    const found = readManifest(join(at, 'package.json'))
    if (found) return typeof found.version === 'string' ? found.version : null
  }
  return null
}

function readManifest(path: string): { version?: unknown } | null {
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}
