/**
 * JSON bodies that may cost a server much or that it may misunderstand, for each route of an OpenAPI document: nested,
 * wide and long ones, strange numbers and characters, up to the limit of the route and one byte over it.
 */

interface Schema {
  type?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}

interface Operation {
  parameters: { name: string; schema: { pattern?: string } }[]
  requestBody?: { content: { 'application/json'?: { schema: Schema; example: Record<string, unknown> } } }
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
}

/** A route with a JSON body. */
export interface BodyRoute {
  method: string
  /** Relative to `/api/v1`, with a value for each parameter. */
  path: string
  fields: Record<string, Schema>
  /** A valid body. */
  example: Record<string, unknown>
}

export interface HostileBody {
  name: string
  bytes: Buffer
  /** The only invalid field. Absent if the body is not valid JSON, is over a limit, or may be valid. */
  field?: string
}

/** Of secrets and files, and of webhooks. */
const IDS = ['A'.repeat(22), 'a'.repeat(32)]

/** Routes with a JSON body. A parameter has a value that is valid and belongs to nothing. */
export function listBodyRoutes({ paths }: OpenApi): BodyRoute[] {
  return Object.entries(paths).flatMap(([pattern, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody, parameters }]) => {
      const content = requestBody?.content['application/json']
      if (!content) return []
      const path = pattern.replace(/\{(\w+)\}/g, (_, name) => {
        const parameter = parameters.find((each) => each.name === name)
        return IDS.find((id) => new RegExp(parameter?.schema.pattern ?? '').test(id)) ?? ''
      })
      return [{ method: method.toUpperCase(), path, fields: content.schema.properties ?? {}, example: content.example }]
    }),
  )
}

/** `maxBytes`: the limit of the route. */
export function* hostileBodies(route: BodyRoute, maxBytes: number): Generator<HostileBody> {
  for (const [name, text] of listTexts(maxBytes)) yield { name, bytes: Buffer.from(text) }
  yield* bodiesOfBytes(maxBytes)
  let hasAny = false
  for (const [field, schema] of Object.entries(route.fields)) {
    const takesText = typesOf(schema).includes('string')
    // Fields that accept no string refuse each one alike: one of them stands for all.
    yield* bodiesOfField(route, field, schema, maxBytes, takesText || !hasAny)
    hasAny ||= !takesText
  }
}

/** `start`, a unit repeated, and `end`, together with up to `maxBytes`. */
export function fill(start: string, unit: string, end: string, maxBytes: number): string {
  const count = Math.floor((maxBytes - Buffer.byteLength(start + end)) / Buffer.byteLength(unit))
  return start + unit.repeat(Math.max(1, count)) + end
}

const NESTED = ['[', '{"a":', '[[', '[1,', '{"__proto__":']
const SIBLINGS = ['{},', '[],', '{"a":1},', '"",', '{} ', '"" ', 'null,', '1e999,', '"a":1,', '"__proto__":{},']
const ALONE = [' ', '\n', '1', '-', '"', '\\', '\u2603', '{', ']', ',', '\0']

/** Without regard to the fields of a route. */
function* listTexts(maxBytes: number): Generator<[name: string, text: string]> {
  for (const unit of [...NESTED, ...SIBLINGS, ...ALONE]) yield [`${unit} repeated`, fill('', unit, '', maxBytes)]
  for (const unit of SIBLINGS) yield [`${unit} in a list`, fill('{"files":[', unit, '0]}', maxBytes)]
  const half = Math.floor(maxBytes / 2) - 20
  yield ['closed lists', `{"files":${'['.repeat(half)}${']'.repeat(half)}}`]
  yield ['nesting of 10,000 levels', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`]
  const keys = Array.from({ length: Math.floor(maxBytes / 16) }, (_, index) => `"key-${index}":1`)
  yield ['many keys', `{${keys}}`]
  yield ['as many keys as are parsed', `{${keys.slice(0, 1000)}}`]
  yield ['a long key', fill('{"', 'k', '":1}', maxBytes)]
  yield ['a long key of escapes', fill('{"', '\\u2603', '":1}', maxBytes)]
  yield ['a list', `[${'1,'.repeat(1000)}1]`]
  for (const each of ['null', 'true', '"text \u2603"', '12', '{', '{}{}', '']) yield [`the value ${each}`, each]
  for (const key of ['__proto__', 'constructor', '\\u005f_proto__']) {
    yield [`the key ${key}`, `{"${key}":{"isAdmin":true,"role":"admin"}}`]
  }
}

function* bodiesOfBytes(maxBytes: number): Generator<HostileBody> {
  const invalid = (name: string, ...bytes: number[]) => ({
    name,
    bytes: Buffer.concat([Buffer.from('{"text":"'), Buffer.alloc(maxBytes - 20, 'a'), Buffer.from(bytes)]),
  })
  yield invalid('invalid UTF-8 at the end', 0xff, 0x22, 0x7d)
  yield invalid('half a character at the end', 0xe2, 0x98)
  yield invalid('a surrogate in UTF-8', 0xed, 0xa0, 0x80, 0x22, 0x7d)
  yield { name: 'one byte over the limit', bytes: Buffer.alloc(maxBytes + 1, 'a') }
  yield { name: 'only invalid UTF-8', bytes: Buffer.alloc(maxBytes, 0xff) }
  yield { name: 'UTF-16', bytes: Buffer.from(fill('{"text":"', 'a', '"}', maxBytes / 2), 'utf16le') }
}

/** Small values of one field, as JSON, by the type of the field. */
const SMALL_VALUES: Record<string, string[]> = {
  string: ['1', 'null', '{}', '[]', '{"length":5}', '{"toString":1}', '"\\ud83d"', '"\\udc00\\ud83d"'],
  integer: ['1e999', '-1e999', '1.5', '"1"', '-1', '9007199254740993', '[1]', 'null'],
  number: ['1e999', '"1"', 'null'],
  boolean: ['1', '"true"', 'null', '[]'],
  array: ['{}', '{"length":1}', '"a"', '1', `[${Array(2000).fill('null')}]`, `[${Array(500).fill('{"a":1}')}]`],
  object: ['[]', '1', '"a"', 'null'],
}

/** Units of long strings. */
const STRINGS = [
  'a',
  'QUJD',
  '0',
  '.',
  '1.',
  ':',
  '/',
  'a@',
  'a.',
  ' ',
  '=',
  '\\n',
  '\\"',
  '\\\\',
  '\\u0000',
  '\\ud83d',
  '\\u2603',
  '\u00e9',
  '\u2603',
  '\u{1f600}',
]
/** The share of a body that may be escapes. */
const ESCAPES_SHARE = 4

function* bodiesOfField(
  { example }: BodyRoute,
  field: string,
  schema: Schema,
  maxBytes: number,
  withStrings: boolean,
): Generator<HostileBody> {
  const { [field]: _, ...others } = example
  const rest = JSON.stringify(others).slice(1, -1)
  const [start, end] = [`{${rest}${rest && ','}"${field}":`, '}']
  const types = typesOf(schema)
  if (types.length === 0) return
  // A string may be valid, and `-1` a number that the field accepts.
  const isInvalid = (value: string) =>
    !/^["-]/.test(value) && types.every((type) => SMALL_VALUES[type]?.includes(value))
  for (const value of new Set(types.flatMap((type) => SMALL_VALUES[type] ?? []))) {
    const bytes = Buffer.from(start + value + end)
    yield { name: `${field}: ${value.slice(0, 40)}`, bytes, ...(isInvalid(value) && { field }) }
  }
  const text = (name: string, value: string) => ({ name: `${field}: ${name}`, bytes: Buffer.from(value) })
  for (const unit of withStrings ? STRINGS : []) {
    yield text(`${unit} repeated`, fill(`${start}"`, unit, `"${end}`, maxBytes))
    // More escapes are refused before they are parsed.
    if (unit.startsWith('\\')) {
      yield text(`${unit} in a part`, fill(`${start}"`, unit, `"${end}`, maxBytes / ESCAPES_SHARE))
    }
  }
  yield text('\u2603 and ASCII', fill(`${start}"${'\u2603'.repeat(maxBytes / 16)}`, 'a', `"${end}`, maxBytes))
  yield text('digits', `${start}${'9'.repeat(Math.min(maxBytes - 2000, 100_000))}${end}`)
  yield text('an exponent', `${start}1e${'9'.repeat(1000)}${end}`)
  yield text('twice', `${start}1,${start.slice(1)}2${end}`)
  yield text('a wide object', `${start}{${Array.from({ length: 1000 }, (_, index) => `"k${index}":1`)}}${end}`)
  yield text('nested', `${start}${'['.repeat(14)}${']'.repeat(14)}${end}`)
}

/** Types of JSON Schema that a field accepts. */
const typesOf = ({ type, anyOf = [] }: Schema): string[] => [...(type ? [type] : []), ...anyOf.flatMap(typesOf)]
