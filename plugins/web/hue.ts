/** The option for the hue of an instance. */
import { wholeNumber, z } from '#core'
import { lookUp } from '#shared/look-up'
import { DEFAULT_HUE } from '#shared/page/hue-colors'

/**
 * OKLCH hues in degrees. They stay away from the red of errors and deletion, so that buttons do not look dangerous by
 * accident.
 */
export const HUE_PRESETS: Record<string, number> = { violet: DEFAULT_HUE, blue: 250, teal: 195, green: 160, pink: 340 }

const names = Object.keys(HUE_PRESETS)
const degrees = wholeNumber(0, 360)

/** Accepts a preset or degrees, as a number or as digits. Its output is in degrees. */
export const hueOption = z
  .unknown()
  .transform((value, ctx) => {
    const preset = typeof value === 'string' ? lookUp(HUE_PRESETS, value) : undefined
    const hue = degrees.safeParse(preset ?? value)
    if (hue.success) return hue.data
    ctx.addIssue({ code: 'custom', message: `must be ${names.join(', ')} or a whole number from 0 to 360` })
    return z.NEVER
  })
  .default(DEFAULT_HUE)
  .describe(`color of buttons, links and grays: ${names.join(', ')} or an OKLCH hue in degrees`)
