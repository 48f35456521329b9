/** Presets: named options for new secrets that administrators define. Plain data, because the page loads no schemas. */

export interface Preset {
  name: string
  /** Lifetime in seconds. Absent: what the form starts with. */
  ttl?: number | undefined
  /** Absent: what the form starts with. */
  maxViews?: number | undefined
  options: PresetOption[]
}

/**
 * `preventBurn`, `receipt` and `notify` are set. `password` and `recipients` are wanted: clients generate a password, and
 * ask for the addresses.
 */
export const PRESET_OPTIONS = ['password', 'recipients', 'preventBurn', 'receipt', 'notify'] as const
export type PresetOption = (typeof PRESET_OPTIONS)[number]

/** Number of presets. */
export const PRESETS_MAX = 12
/** Characters of a name. */
export const PRESET_NAME_MAX = 40

/** For comparing names, which are different in more than their case. */
export const presetKey = (name: string): string => name.trim().toLowerCase()
