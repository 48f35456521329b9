/** Lists in requests. */
import { z } from 'zod'

/**
 * A list of `min` to `max` elements. The length is checked first: `.max()` of zod runs after all elements were
 * validated.
 */
export const limitedList = <Element extends z.ZodType>(element: Element, { min, max }: { min?: number; max: number }) =>
  z.pipe(
    z.transform((value: z.input<Element>[], ctx): z.input<Element>[] => {
      if (!Array.isArray(value) || value.length <= max) return value
      ctx.issues.push({ code: 'too_big', origin: 'array', maximum: max, inclusive: true, input: value })
      return z.NEVER
    }),
    min === undefined ? z.array(element).max(max) : z.array(element).min(min).max(max),
  )
