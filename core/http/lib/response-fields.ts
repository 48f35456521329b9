/** Reduces a response to the fields of its schema. */
import type { z } from 'zod'

type Pick = (value: unknown) => unknown

/**
 * Returns a function that copies only the fields that the schema lists, so that a response never contains a field that
 * is not in the API reference. It does not check the types, which the compiler and the tests have done: `parse` takes
 * five times as long.
 */
export function pickFieldsOf(schema: z.ZodType): Pick {
  const { def } = schema as z.ZodType & { def: Definition }
  switch (def.type) {
    case 'object':
      return pickFromObject(def.shape)
    case 'array': {
      const pick = pickFieldsOf(def.element)
      return (values) => (values as unknown[]).map(pick)
    }
    case 'nullable':
    case 'optional': {
      const pick = pickFieldsOf(def.innerType)
      return (value) => (value === null || value === undefined ? value : pick(value))
    }
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'null':
      return (value) => value
    default:
      return (value) => schema.parse(value)
  }
}

/** The definitions that responses use; zod has more. */
type Definition =
  | { type: 'object'; shape: Record<string, z.ZodType> }
  | { type: 'array'; element: z.ZodType }
  | { type: 'nullable' | 'optional'; innerType: z.ZodType }
  | { type: 'string' | 'number' | 'boolean' | 'enum' | 'literal' | 'null' }
  | { type: 'other' }

function pickFromObject(shape: Record<string, z.ZodType>): Pick {
  const fields = Object.entries(shape).map(([name, schema]) => [name, pickFieldsOf(schema)] as const)
  return (value) => {
    const source = value as Record<string, unknown>
    const picked: Record<string, unknown> = {}
    for (const [name, pick] of fields) {
      const field = source[name]
      if (field !== undefined) picked[name] = pick(field)
    }
    return picked
  }
}
