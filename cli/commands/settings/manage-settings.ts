/** `mayfly settings`: what administrators change while the instance runs. */
import { LOCAL_CLI } from '#core/runtime'
import { type InstanceSettings, isFlag, mapSettings, SETTING_NAMES, type SettingName } from '#shared/instance-settings'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { atDesk, type Desk } from '../../instance/local-app.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { type ListFlags, listText } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'

async function current({ services }: Desk): Promise<InstanceSettings> {
  const settings = await services.settings.current()
  return mapSettings(SETTING_NAMES, (name) => settings[name]) as InstanceSettings
}

export async function listSettings(flags: InstanceFlags & ListFlags & GlobalFlags, io: Io): Promise<void> {
  await atDesk(flags, io, async (desk) => {
    const settings = await current(desk)
    if (flags.json) return io.write(`${JSON.stringify(settings)}\n`)
    const rows = SETTING_NAMES.map((name) => ({ name, value: settings[name] }))
    await io.write(listText(rows, ['name', 'value'], flags, io))
  })
}

export async function getSetting(key: string, flags: InstanceFlags & GlobalFlags, io: Io): Promise<void> {
  const name = known(key)
  await atDesk(flags, io, async (desk) => {
    const value = (await current(desk))[name]
    await io.write(`${flags.json ? JSON.stringify({ [name]: value }) : value}\n`)
  })
}

export async function setSettings(pairs: string[], flags: InstanceFlags & GlobalFlags, io: Io): Promise<void> {
  if (pairs.length === 0) throw new CliError('usage', 'a setting is missing', 'such as read_only=true')
  const changes = Object.fromEntries(pairs.map(changeOf))
  await atDesk(flags, io, async (desk) => {
    const before = await current(desk)
    const after = await desk.services.settings.update(changes, LOCAL_CLI)
    for (const name of SETTING_NAMES) {
      if (after[name] !== before[name]) io.note(`${name}: ${shown(before[name])} -> ${shown(after[name])}`)
    }
    if (flags.json) await io.write(`${JSON.stringify(after)}\n`)
  })
}

function changeOf(pair: string): [SettingName, string | boolean] {
  const at = pair.indexOf('=')
  if (at < 1) throw new CliError('usage', 'a setting is given as key=value', 'such as read_only=true')
  const name = known(pair.slice(0, at))
  const value = pair.slice(at + 1)
  if (!isFlag(name)) return [name, value]
  if (value !== 'true' && value !== 'false') throw new CliError('usage', `${name} must be true or false`)
  return [name, value === 'true']
}

function known(key: string): SettingName {
  const name = SETTING_NAMES.find((each) => each === key.replaceAll('-', '_').toLowerCase())
  if (name) return name
  throw new CliError('usage', 'there is no such setting', `one of: ${SETTING_NAMES.join(', ')}`)
}

const shown = (value: string | boolean): string => (value === '' ? '(empty)' : String(value))
