/** Examples of bodies for the reference, made from their schemas, so that none can be out of date. */

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[]; anyOf?: Schema[] }

/** What a field of this name is shown with. Everything else gets the least that its schema takes. */
const TYPICAL: Record<string, unknown> = {
  text: 'hunter2',
  ttl: 3600,
  name: 'backup job',
  username: 'alice',
  email: 'alice@example.org',
  password: 'amber river seven lanterns',
  currentPassword: 'amber river seven lanterns',
  secretId: 'A'.repeat(22),
  code: 'the code that the server printed',
}
/** 16 and 32 bytes as base64url: the last character carries only some of their bits. */
const OCTETS = [22, 43]

/** The fields that a call must have. Undefined when the schema is none that this knows. */
export function exampleOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  if (schema.anyOf) return exampleOf(schema.anyOf[0] as Schema)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, TYPICAL[name] ?? exampleOf(schema.properties?.[name] ?? {})]),
      )
    case 'array':
      return []
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema.minimum ?? 1))
    case 'string':
      return text(schema)
    default:
      return undefined
  }
}

function text({ pattern, minLength = 1 }: Schema): string {
  const known = OCTETS.map((length) => 'A'.repeat(length)).find((value) =>
    new RegExp(String(pattern ?? '$^')).test(value),
  )
  return known ?? 'x'.repeat(Number(minLength))
}
