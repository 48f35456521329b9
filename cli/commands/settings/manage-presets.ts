/** `mayfly settings preset`. */
import { parsePolicyValue } from '#shared/parse-policy-value'
import { formatPolicyValue } from '#shared/policies'
import { PRESET_OPTIONS, type Preset, type PresetOption, presetKey } from '#shared/presets'
import { type AdminFlags, withAdministration } from '../../instance/with-administration.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { repeatIfChanged } from './repeat-if-changed.js'

export interface PresetFlags extends AdminFlags, ListFlags {
  remove?: true
}

type Changes = Partial<Pick<Preset, 'ttl' | 'maxViews' | 'options'>>

/** Lists the presets, or adds, changes or removes one: `words` are its name and `key=value` pairs. */
export async function managePresets(
  [name, ...pairs]: string[],
  flags: PresetFlags & GlobalFlags,
  io: Io,
): Promise<void> {
  const changes: Changes = Object.assign({}, ...pairs.map(parseChange))
  if (flags.remove && (name === undefined || pairs.length > 0)) {
    throw new CliError(
      'usage',
      '--remove needs a name and no values',
      'for example `settings preset Contract --remove`',
    )
  }
  await withAdministration(flags, io, async (administration) => {
    if (name === undefined || (pairs.length === 0 && !flags.remove)) {
      const { presets } = await administration.readPresets()
      const shown = name === undefined ? presets : [findPreset(presets, name) ?? unknownPreset(presets)]
      return io.writeResult(flags, shown, formatPresets(shown, flags, io))
    }
    const { old, after } = await repeatIfChanged(async () => {
      const { presets, version } = await administration.readPresets()
      const old = findPreset(presets, name)
      if (flags.remove && !old) unknownPreset(presets)
      const next: Preset = Object.assign({ name, options: [] }, old, changes)
      const updated = flags.remove ? presets.filter((each) => each !== old) : replace(presets, old, next)
      return { old, after: (await administration.updatePresets({ presets: updated, version })).presets }
    })
    io.note(`preset ${old?.name ?? name} ${flags.remove ? 'removed' : old ? 'changed' : 'added'}`)
    if (flags.json) await io.writeJson(after)
  })
}

const findPreset = (presets: Preset[], name: string): Preset | undefined =>
  presets.find((each) => presetKey(each.name) === presetKey(name))

const replace = (presets: Preset[], old: Preset | undefined, next: Preset): Preset[] =>
  old ? presets.map((each) => (each === old ? next : each)) : [...presets, next]

function formatPresets(presets: Preset[], flags: ListFlags, io: Io): string {
  const rows = presets.map(({ name, ttl, maxViews, options }) => ({
    name,
    ttl: ttl === undefined ? '' : formatPolicyValue('defaultTtl', ttl),
    views: maxViews ?? '',
    options: options.join(','),
  }))
  return formatList(rows, ['name', 'ttl', 'views', 'options'], flags, io)
}

/** An empty value leaves it to the defaults of the caller. */
function parseChange(pair: string): Changes {
  const [, key, text = ''] = /^(ttl|maxViews|options)=(.*)$/is.exec(pair) ?? []
  if (key === undefined) {
    throw new CliError('usage', 'a value must be ttl=..., maxViews=... or options=...', 'for example ttl=1d')
  }
  if (key.toLowerCase() === 'options') return { options: text === '' ? [] : text.split(',').map(parseOption) }
  const isTtl = key.toLowerCase() === 'ttl'
  const value = text === '' ? undefined : parsePolicyValue(isTtl ? 'defaultTtl' : 'maxViews', text)
  if (value === null) {
    throw new CliError('usage', isTtl ? 'ttl must be a duration such as 1d' : 'maxViews must be a whole number')
  }
  return { [isTtl ? 'ttl' : 'maxViews']: value }
}

function parseOption(text: string): PresetOption {
  const option = PRESET_OPTIONS.find((each) => presetKey(each) === presetKey(text))
  if (option) return option
  throw new CliError('usage', 'unknown option of a preset', `one of: ${PRESET_OPTIONS.join(', ')}`)
}

function unknownPreset(presets: Preset[]): never {
  const names = presets.map(({ name }) => name).join('; ')
  throw new CliError('usage', 'unknown preset', names === '' ? 'there are none' : `one of: ${names}`)
}
