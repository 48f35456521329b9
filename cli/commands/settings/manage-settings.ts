/** `mayfly settings list`, `get` and `set`. */
import { LOCAL_CLI } from '#core/runtime'
import {
  choicesOf,
  type InstanceSettings,
  isFlag,
  mapSettings,
  SETTING_NAMES,
  type SettingName,
} from '#shared/instance-settings'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { type LocalApp, withLocalApp } from '../../instance/local-app.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'

async function readSettings({ services }: LocalApp): Promise<InstanceSettings> {
  const settings = await services.settings.current()
  return mapSettings(SETTING_NAMES, (name) => settings[name]) as InstanceSettings
}

export async function listSettings(flags: InstanceFlags & ListFlags & GlobalFlags, io: Io): Promise<void> {
  await withLocalApp(flags, io, async (app) => {
    const settings = await readSettings(app)
    if (flags.json) return io.write(`${JSON.stringify(settings)}\n`)
    const rows = SETTING_NAMES.map((name) => ({ name, value: settings[name] }))
    await io.write(formatList(rows, ['name', 'value'], flags, io))
  })
}

export async function getSetting(key: string, flags: InstanceFlags & GlobalFlags, io: Io): Promise<void> {
  const name = parseName(key)
  await withLocalApp(flags, io, async (app) => {
    const value = (await readSettings(app))[name]
    await io.write(`${flags.json ? JSON.stringify({ [name]: value }) : value}\n`)
  })
}

export async function setSettings(pairs: string[], flags: InstanceFlags & GlobalFlags, io: Io): Promise<void> {
  if (pairs.length === 0) throw new CliError('usage', 'missing argument: key=value', 'for example read_only=true')
  const changes = Object.fromEntries(pairs.map(parseChange))
  await withLocalApp(flags, io, async (app) => {
    const before = await readSettings(app)
    const after = await app.services.settings.update(changes, LOCAL_CLI)
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
