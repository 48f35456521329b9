/** Schemas of presets: named options for new secrets that administrators define. */
import { z } from 'zod'
import { PRESET_NAME_MAX, PRESET_OPTIONS, PRESETS_MAX, presetKey } from '../presets.js'
import { count, documentVersion, lifetime, readVersion, shortText, title, views } from './common.js'
import { limitedList } from './limited-list.js'

const options = limitedList(z.enum(PRESET_OPTIONS), { max: PRESET_OPTIONS.length }).describe(
  'preventBurn, receipt and notify are set; clients ask the user for password and recipients',
)

const Preset = z
  .strictObject({
    name: title.max(PRESET_NAME_MAX).refine((name) => name.trim() === name, 'must not begin or end with a space'),
    ttl: lifetime.optional().describe('seconds; absent: the default of the caller'),
    maxViews: views.optional().describe('absent: the default of the caller'),
    options: options.default([]),
  })
  .refine(({ maxViews, options }) => maxViews === undefined || !options.includes('preventBurn'), {
    path: ['maxViews'],
    message: 'must be absent with preventBurn',
  })

export const UpdatePresets = z
  .strictObject({ presets: limitedList(Preset, { max: PRESETS_MAX }), version: readVersion })
  .superRefine(({ presets }, ctx) => {
    const keys = presets.map(({ name }) => presetKey(name))
    const at = keys.findIndex((key, index) => keys.indexOf(key) !== index)
    if (at >= 0)
      ctx.addIssue({ code: 'custom', path: ['presets', at, 'name'], message: 'must differ from other names' })
  })

export type UpdatePresets = z.output<typeof UpdatePresets>

/** A preset for its users. A newer server may have other options. */
export const OfferedPreset = z.object({
  name: shortText,
  ttl: count.optional().describe('seconds'),
  maxViews: count.optional(),
  options: z
    .array(shortText)
    .describe('preventBurn, receipt, notify: set; password, recipients: clients ask the user for them'),
})

const ListedPreset = OfferedPreset.extend({ options: z.array(z.enum(PRESET_OPTIONS)) })

export const Presets = z.object({ presets: z.array(ListedPreset), version: documentVersion })

export type Presets = z.infer<typeof Presets>
