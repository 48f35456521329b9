/** `--preset`: the options of a preset, where the command line gives none. */
import type { PublicSettings } from '#shared/api'
import { presetKey } from '#shared/presets'
import { parseRecipients } from '#shared/recipient-list'
import { CliError } from '../lib/cli-error.js'
import type { NewPasswordFlags } from './secret-password.js'

/** The flags that a preset can set, or that decide about it. */
export interface PresetFlags extends NewPasswordFlags {
  preset?: string
  ttl?: string
  views?: string
  keep?: true
  notify?: true
  receipt?: true
  to?: string[]
}

/**
 * Returns the flags with the options of the named preset. Throws CliError `usage` for a preset that the server does not
 * offer to this caller, and without --to for a preset with named recipients.
 */
export function applyPreset<Flags extends PresetFlags>(
  flags: Flags,
  { presets }: Pick<PublicSettings, 'presets'>,
): Flags {
  const { preset: name, ttl, views, keep, to, password, passwordFile, passwordFd, generatePassword } = flags
  if (name === undefined) return flags
  const preset = presets.find((each) => presetKey(each.name) === presetKey(name))
  if (!preset) {
    const names = presets.map((each) => each.name).join('; ')
    throw new CliError('usage', 'unknown preset', names ? `one of: ${names}` : 'this server offers you none')
  }
  const has = (option: string) => preset.options.includes(option)
  if (has('recipients') && !to) throw new CliError('usage', 'this preset is for named recipients', 'use --to')
  // Each recipient has one view.
  const readers = parseRecipients((to ?? []).join(',')).length
  const hasPassword = password || passwordFile !== undefined || passwordFd !== undefined || generatePassword
  const added: Partial<PresetFlags> = {
    ...(ttl === undefined && preset.ttl !== undefined && { ttl: `${preset.ttl}s` }),
    ...(views === undefined &&
      !keep &&
      preset.maxViews !== undefined && { views: String(Math.max(preset.maxViews, readers)) }),
    ...(views === undefined && has('preventBurn') && { keep: true }),
    ...(has('notify') && { notify: true }),
    ...(has('receipt') && { receipt: true }),
    ...(has('password') && !hasPassword && { generatePassword: true }),
  }
  return Object.assign({}, flags, added)
}
