/** Texts of the fields of a preset. */
import { parsePolicyValue } from '#shared/parse-policy-value'
import { formatPolicyValue } from '#shared/policies'
import { type Preset, type PresetOption, presetKey } from '#shared/presets'

export interface PresetInputs {
  name: string
  ttl: string
  maxViews: string
  options: PresetOption[]
}

/** Empty fields for a new preset. */
export const toInputs = (preset: Preset = { name: '', options: [] }): PresetInputs => ({
  name: preset.name,
  ttl: preset.ttl === undefined ? '' : formatPolicyValue('defaultTtl', preset.ttl),
  maxViews: String(preset.maxViews ?? ''),
  options: preset.options,
})

/** The inputs with the new values of all fields that were not changed in them. */
export function moveInputs(inputs: PresetInputs, before: Preset | undefined, after: Preset | undefined): PresetInputs {
  const old: Record<string, unknown> = { ...toInputs(before) }
  const changed = Object.entries(inputs).filter(([name, value]) => String(value) !== String(old[name]))
  return Object.assign(toInputs(after), Object.fromEntries(changed))
}

/** Only for valid texts. */
export function toPreset({ name, ttl, maxViews, options }: PresetInputs): Preset {
  const preset: Preset = { name: name.trim(), options }
  if (ttl.trim() !== '') preset.ttl = parsePolicyValue('defaultTtl', ttl) as number
  if (maxViews.trim() !== '' && !options.includes('preventBurn')) {
    preset.maxViews = parsePolicyValue('maxViews', maxViews) as number
  }
  return preset
}

/** `at`: the index of the preset, which may keep its name. */
export const isNameFree = (name: string, presets: Preset[], at: number): boolean =>
  name.trim() !== '' && presets.every((each, index) => index === at || presetKey(each.name) !== presetKey(name))
