/** Example request bodies for the API reference, generated from the schemas. */
import { bech32 } from '@scure/base'
import { lookUp } from '../../shared/look-up.js'

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>
  required?: string[]
  examples?: unknown[]
  anyOf?: Schema[]
}

/** A hybrid recipient with a key of zeros. */
const RECIPIENT = bech32.encode('age1pq', bech32.toWords(new Uint8Array(1216)), false)

/** Values by field name. Other fields get the smallest value that their schema accepts. */
const EXAMPLES: Record<string, unknown> = {
  text: 'hunter2',
  ttl: 3600,
  name: 'backup job',
  username: 'alice',
  email: 'alice@example.org',
  password: 'amber river seven lanterns',
  currentPassword: 'amber river seven lanterns',
  secretId: 'A'.repeat(22),
  recipient: RECIPIENT,
  code: 'the code that the server printed',
  scopes: ['secrets:create'],
  url: 'https://hooks.example.org/mayfly',
}
/** Lengths of 16 and 32 bytes as base64url. `A` fits their last character, which encodes only some of its bits. */
const BASE64URL_LENGTHS = [22, 43]

/** `examples`: of the schema of this field. They come first, because the name may have another meaning elsewhere. */
const exampleOfField = (name: string, schema: Schema): unknown =>
  schema.examples?.[0] ?? lookUp(EXAMPLES, name) ?? exampleOf(schema)

/** The example of `schema`, or its required fields. Undefined for an unsupported schema. */
export function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  if (schema.anyOf) return exampleOf(schema.anyOf[0] as Schema)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, exampleOfField(name, schema.properties?.[name] ?? {})]),
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
  const base64url = BASE64URL_LENGTHS.map((length) => 'A'.repeat(length)).find((value) =>
    new RegExp(String(pattern ?? '$^')).test(value),
  )
  return base64url ?? 'x'.repeat(Number(minLength))
}
