/** Presets: named options for new secrets that administrators define. Plain data, because the page loads no schemas. */

export interface Preset {
  name: string
  /** Lifetime in seconds. Absent: the default of the form. */
  ttl?: number | undefined
  /** Absent: the default of the form. */
  maxViews?: number | undefined
  options: PresetOption[]
}

/**
 * `preventBurn`, `receipt` and `notify` are set. For `password` and `recipients`, clients generate a password and ask
 * for the addresses.
 */
export const PRESET_OPTIONS = ['password', 'recipients', 'preventBurn', 'receipt', 'notify'] as const
export type PresetOption = (typeof PRESET_OPTIONS)[number]

/** Number of presets. */
export const PRESETS_MAX = 12
/** Characters of a name. */
export const PRESET_NAME_MAX = 40

/** Key for comparing names, because two names must not differ in case only. */
export const presetKey = (name: string): string => name.trim().toLowerCase()
