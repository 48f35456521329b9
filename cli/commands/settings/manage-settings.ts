/** `mayfly settings list`, `get` and `set`. */
import { choicesOf, isFlag, SETTING_NAMES, type SettingName } from '#shared/instance-settings'
import { type AdminFlags, withAdministration } from '../../instance/with-administration.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'

export async function listSettings(flags: AdminFlags & ListFlags & GlobalFlags, io: Io): Promise<void> {
  await withAdministration(flags, io, async (administration) => {
    const settings = await administration.readSettings()
    if (flags.json) return io.write(`${JSON.stringify(settings)}\n`)
    const rows = SETTING_NAMES.map((name) => ({ name, value: settings[name] }))
    await io.write(formatList(rows, ['name', 'value'], flags, io))
  })
}

export async function getSetting(key: string, flags: AdminFlags & GlobalFlags, io: Io): Promise<void> {
  const name = parseName(key)
  await withAdministration(flags, io, async (administration) => {
    const value = (await administration.readSettings())[name]
    await io.write(`${flags.json ? JSON.stringify({ [name]: value }) : value}\n`)
  })
}

export async function setSettings(pairs: string[], flags: AdminFlags & GlobalFlags, io: Io): Promise<void> {
  if (pairs.length === 0) throw new CliError('usage', 'missing argument: key=value', 'for example read_only=true')
  const changes = Object.fromEntries(pairs.map(parseChange))
  await withAdministration(flags, io, async (administration) => {
    const before = await administration.readSettings()
    const after = await administration.updateSettings(changes)
    for (const name of SETTING_NAMES) {
      if (after[name] !== before[name]) io.note(`${name}: ${formatValue(before[name])} -> ${formatValue(after[name])}`)
    }
    if (flags.json) await io.write(`${JSON.stringify(after)}\n`)
  })
}

function parseChange(pair: string): [SettingName, string | boolean] {
  const at = pair.indexOf('=')
  if (at < 1) throw new CliError('usage', 'a setting must have the form key=value', 'for example read_only=true')
  const name = parseName(pair.slice(0, at))
  const value = pair.slice(at + 1)
  const choices = choicesOf(name)
  if (choices && !choices.includes(value)) {
    throw new CliError('usage', `${name} must be one of: ${choices.join(', ')}`)
  }
  if (!isFlag(name)) return [name, value]
  if (value !== 'true' && value !== 'false') throw new CliError('usage', `${name} must be true or false`)
  return [name, value === 'true']
}

function parseName(key: string): SettingName {
  const name = SETTING_NAMES.find((each) => each === key.replaceAll('-', '_').toLowerCase())
  if (name) return name
  throw new CliError('usage', 'unknown setting', `one of: ${SETTING_NAMES.join(', ')}`)
}

const formatValue = (value: string | boolean): string => (value === '' ? '(empty)' : String(value))
