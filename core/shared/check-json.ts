/**
 * Checks JSON against a schema: a client trusts nothing that a server or a proxy sends, and the command line nothing
 * that its files contain. It starts faster than zod.
 */

type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object'

/** The part of JSON Schema that the schemas in `response-schemas` use, with `optional` in place of `required`. */
export interface JsonSchema {
  /** A list of simple types stands for any of them. */
  type?: JsonType | JsonType[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  /** Of a string whose characters must not be removed, such as the text of a secret. */
  contentMediaType?: string
  pattern?: string
  /** Lengths in UTF-16 code units, as in zod. */
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  properties?: Record<string, JsonSchema>
  /** Properties that may be absent: a shorter list than the required properties. */
  optional?: string[]
  /** Of a record: the schema of its values. */
  additionalProperties?: JsonSchema
}

/** The schema of values of type `T`. */
export type JsonSchemaOf<T> = JsonSchema & { readonly value?: T }

/** A response that does not match its schema. Its contents must not be used. */
export class InvalidResponseError extends Error {
  override name = 'InvalidResponseError'
  /** `field`: path of the invalid field, such as `files.0.size`; empty for the response itself. */
  constructor(readonly field: string) {
    super(`the server sent an invalid response${field && ` (field ${field})`}`)
  }
}

/** Control characters except line feed and tab, line separators and bidirectional controls. */
const UNSAFE = /(?![\n\t])\p{Cc}|[\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * Returns a copy of parsed JSON with the fields of its schema only, and without control characters and
 * bidirectional controls in texts that are not content. Throws InvalidResponseError.
 */
export function checkJson<T>(schema: JsonSchemaOf<T>, value: unknown): T {
  return copy(schema, value, []) as T
}

function copy(schema: JsonSchema, value: unknown, path: (string | number)[]): unknown {
  const { type, anyOf } = schema
  if (anyOf) return copy(anyOf.find((each) => matches(each, value)) ?? fail(path), value, path)
  const isListed = 'const' in schema ? value === schema.const : schema.enum?.includes(value)
  if (isListed !== undefined) return isListed ? value : fail(path)
  if (Array.isArray(type)) return copy({ anyOf: type.map((each) => ({ ...schema, type: each })) }, value, path)
  if (!hasType(schema, value)) return fail(path)
  if (type === 'string') return schema.contentMediaType ? value : clean(value as string)
  if (type === 'array') {
    return (value as unknown[]).map((item, index) => copy(schema.items ?? {}, item, [...path, index]))
  }
  return type === 'object' ? copyObject(schema, value as Record<string, unknown>, path) : value
}

function copyObject(schema: JsonSchema, value: Record<string, unknown>, path: (string | number)[]) {
  const { properties = {}, optional = [], additionalProperties } = schema
  const names = additionalProperties ? Object.keys(value) : Object.keys(properties)
  const entries = names.flatMap((name) => {
    if (!Object.hasOwn(value, name)) return optional.includes(name) ? [] : fail([...path, name])
    const schemaOf = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    return [[clean(name), copy(schemaOf ?? {}, value[name], [...path, name])]]
  })
  return Object.fromEntries(entries)
}

const clean = (text: string) => text.replace(UNSAFE, '')

function hasType(schema: JsonSchema, value: unknown): boolean {
  switch (schema.type) {
    case 'string':
      return (
        typeof value === 'string' &&
        isBetween(value.length, schema.minLength, schema.maxLength) &&
        (!schema.pattern || new RegExp(schema.pattern, 'u').test(value))
      )
    case 'integer':
      return Number.isSafeInteger(value) && isBetween(value as number, schema.minimum, schema.maximum)
    case 'number':
      return Number.isFinite(value) && isBetween(value as number, schema.minimum, schema.maximum)
    case 'array':
      return Array.isArray(value) && isBetween(value.length, schema.minItems, schema.maxItems)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'null':
      return value === null
    case 'boolean':
      return typeof value === 'boolean'
    default:
      return true
  }
}

const isBetween = (value: number, minimum = -Infinity, maximum = Infinity) => value >= minimum && value <= maximum

/**
 * Whether a value has the type of one alternative of `anyOf`. The alternatives of the API differ in their types, or in
 * the first required field of objects.
 */
const matches = (schema: JsonSchema, value: unknown) => {
  if ('const' in schema) return value === schema.const
  return schema.enum ? schema.enum.includes(value) : hasType(schema, value) && hasFirstField(schema, value as object)
}

function hasFirstField({ properties = {}, optional = [] }: JsonSchema, value: object): boolean {
  const first = Object.keys(properties).find((name) => !optional.includes(name))
  return first === undefined || Object.hasOwn(value, first)
}

function fail(path: (string | number)[]): never {
  throw new InvalidResponseError(path.join('.'))
}
