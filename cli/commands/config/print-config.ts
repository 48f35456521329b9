/** `mayfly config list`. */
import { coreSettings, markdownTable, maskValue, type Setting, shownValue } from '#config'
import { loadPlugin } from '#core/runtime'
import { builtIns } from '#plugins'
import { loadInstanceConfig, parseKeyValues } from '../../instance/instance-config.js'
import type { Io } from '../../output/io.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'

export interface ConfigListFlags extends ListFlags {
  client?: true
  markdown?: true
  set?: string[]
}

/** Formats the config settings with secrets masked. Throws CliError `usage` with all problems at once. */
export async function formatConfig(flags: ConfigListFlags & GlobalFlags, io: Io): Promise<string> {
  const { config, json, set } = flags
  const { allSettings, warnings } = await loadInstanceConfig(config, parseKeyValues(set), io)
  for (const { message, fix } of warnings) io.warn(`${message}; ${fix}`)
  const columns = ['key', 'value', 'origin']
  if (!json) return formatList(allSettings.map(toRow), columns, flags, io)
  const shown = allSettings.map((setting) => {
    const { key, origin } = setting
    return { key, value: maskValue(setting) ?? null, origin }
  })
  return `${JSON.stringify(shown)}\n`
}

const toRow = (setting: Setting) => ({ key: setting.key, value: shownValue(setting), origin: setting.origin })

/** Creates a reference of all settings: core, then each built-in plugin. */
export async function createConfigReference(): Promise<string> {
  const tables = [markdownTable(null, coreSettings)]
  for (const name of Object.keys(builtIns).sort()) {
    const { options } = await loadPlugin(name, builtIns, '.')
    if (Object.keys(options.shape).length > 0) tables.push(markdownTable(name, options))
  }
  return tables.join('\n')
}
