/** `mayfly settings list`, `get` and `set`, for the settings of Mayfly and of the configured plugins. */
import type { PluginSetting } from '#shared/api'
import { choicesOf, type InstanceSettings, isFlag, SETTING_NAMES, type SettingName } from '#shared/instance-settings'
import { isPluginSettingName, type SettingValue } from '#shared/plugin-setting'
import type { Administration } from '../../instance/administration.js'
import { type AdminFlags, withAdministration } from '../../instance/with-administration.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'

/** Values by name, in the order of the list. */
type Values = Record<string, SettingValue>

export async function listSettings(flags: AdminFlags & ListFlags & GlobalFlags, io: Io): Promise<void> {
  await withAdministration(flags, io, async (administration) => {
    const values = await readAll(administration)
    if (flags.json) return io.writeJson(values)
    const rows = Object.entries(values).map(([name, value]) => ({ name, value }))
    await io.write(formatList(rows, ['name', 'value'], flags, io))
  })
}

export async function getSetting(key: string, flags: AdminFlags & GlobalFlags, io: Io): Promise<void> {
  const wanted = parseName(key)
  await withAdministration(flags, io, async (administration) => {
    const values = isPluginSettingName(wanted)
      ? await readPluginSettings(administration)
      : await readOwnSettings(administration)
    const name = findName(wanted, values)
    const value = values[name]
    await io.writeResult(flags, { [name]: value }, `${value}\n`)
  })
}

export async function setSettings(pairs: string[], flags: AdminFlags & GlobalFlags, io: Io): Promise<void> {
  if (pairs.length === 0) throw new CliError('usage', 'missing argument: key=value', 'for example read_only=true')
  const changes = pairs.map(parseChange)
  await withAdministration(flags, io, async (administration) => {
    const before = await readAll(administration)
    const named = changes.map(([name, value]) => [findName(name, before), value] as const)
    const own = Object.fromEntries(named.filter(([name]) => !isPluginSettingName(name)))
    const ofPlugins = Object.fromEntries(named.filter(([name]) => isPluginSettingName(name)))
    const after = { ...before }
    const note = (changed: Values) => {
      for (const [name, value] of Object.entries(changed)) {
        const old = before[name] ?? ''
        if (value !== old) io.note(`${name}: ${formatValue(old)} -> ${formatValue(value)}`)
      }
      Object.assign(after, changed)
    }
    // The settings of plugins first: only they can have a value that this program cannot check.
    if (Object.keys(ofPlugins).length > 0) note(toValues(await administration.updatePluginSettings(ofPlugins)))
    if (Object.keys(own).length > 0) note(pickOwn(await administration.updateSettings(own)))
    if (flags.json) await io.writeJson(after)
  })
}

const readAll = async (administration: Administration): Promise<Values> => ({
  ...(await readOwnSettings(administration)),
  ...(await readPluginSettings(administration)),
})

const readOwnSettings = async (administration: Administration): Promise<Values> =>
  pickOwn(await administration.readSettings())

const readPluginSettings = async (administration: Administration): Promise<Values> =>
  toValues(await administration.listPluginSettings())

const pickOwn = (settings: InstanceSettings): Values =>
  Object.fromEntries(SETTING_NAMES.map((name) => [name, settings[name]]))

const toValues = (settings: PluginSetting[]): Values =>
  Object.fromEntries(settings.map(({ name, value }) => [name, value]))

/** The server checks and converts the values of plugins. */
function parseChange(pair: string): [name: string, value: SettingValue] {
  const at = pair.indexOf('=')
  if (at < 1) throw new CliError('usage', 'a setting must have the form key=value', 'for example read_only=true')
  const name = parseName(pair.slice(0, at))
  const value = pair.slice(at + 1)
  if (isPluginSettingName(name)) return [name, value]
  const choices = choicesOf(name)
  if (choices && !choices.includes(value)) {
    throw new CliError('usage', `${name} must be one of: ${choices.join(', ')}`)
  }
  if (!isFlag(name)) return [name, value]
  if (value !== 'true' && value !== 'false') throw new CliError('usage', `${name} must be true or false`)
  return [name, value === 'true']
}

/** A setting of Mayfly, or a name with a dot, which may be one of a plugin. */
function parseName(key: string): SettingName | `${string}.${string}` {
  const name = SETTING_NAMES.find((each) => each === normalize(key))
  if (name) return name
  if (isPluginSettingName(key)) return key
  throw unknownSetting(SETTING_NAMES)
}

/** The name as it is in `values`. */
function findName(wanted: string, values: Values): string {
  const names = Object.keys(values)
  const name = names.find((each) => normalize(each) === normalize(wanted))
  if (name === undefined) throw unknownSetting(names)
  return name
}

const unknownSetting = (names: string[]) =>
  new CliError(
    'usage',
    'unknown setting',
    names.length === 0 ? 'no plugin has settings' : `one of: ${names.join(', ')}`,
  )

const normalize = (name: string): string => name.replaceAll('-', '_').toLowerCase()

const formatValue = (value: SettingValue): string => (value === '' ? '(empty)' : String(value))
