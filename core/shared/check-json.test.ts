import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import * as api from './api/index.js'
import { checkJson, InvalidResponseError, type JsonSchema } from './check-json.js'
import * as account from './response-schemas/account-responses.js'
import * as admin from './response-schemas/admin-responses.js'
import * as common from './response-schemas/common-responses.js'
import * as files from './response-schemas/files-responses.js'
import * as instance from './response-schemas/instance-responses.js'
import * as policies from './response-schemas/policies-responses.js'
import * as receipts from './response-schemas/receipts-responses.js'
import * as requests from './response-schemas/requests-responses.js'
import * as secrets from './response-schemas/secrets-responses.js'
import * as webhooks from './response-schemas/webhooks-responses.js'

const RUNS = 40

/** Values that match a schema. */
function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, anyOf, pattern, minimum = 0, maximum = 2 ** 40, minItems = 0, maxItems = 3, maxLength = 50 } = schema
  if (anyOf) return fc.oneof(...anyOf.map(arbitraryOf))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => arbitraryOf({ ...schema, type: each })))
  if (type === 'string')
    return pattern ? fc.stringMatching(new RegExp(pattern)) : fc.string({ maxLength: Math.min(maxLength, 50) })
  if (type === 'integer' || type === 'number') return fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 40) })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array')
    return fc.array(arbitraryOf(schema.items ?? {}), { minLength: minItems, maxLength: Math.min(maxItems, 3) })
  if (schema.additionalProperties) return fc.dictionary(fc.string(), arbitraryOf(schema.additionalProperties))
  const fields = Object.entries(schema.properties ?? {}).map(([name, each]) => [name, arbitraryOf(each)])
  const { optional = [] } = schema
  const requiredKeys = Object.keys(schema.properties ?? {}).filter((name) => !optional.includes(name))
  return fc.record(Object.fromEntries(fields), { requiredKeys: requiredKeys as never[] })
}

/** Values that a hostile server sends in place of a field. */
const hostile = fc.oneof(
  fc.constantFrom(undefined, null, true, 0, -1, 1.5, 2 ** 60, '', 'x', [], {}, [null], { length: 1 }, 'x'.repeat(3000)),
  fc.jsonValue(),
)

/** Replaces one value inside `value`. `steps` chooses the place. */
function replace(value: unknown, steps: number[], by: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined || typeof value !== 'object' || value === null) return by
  const keys = Object.keys(value)
  const key = keys[step % Math.max(keys.length, 1)]
  if (key === undefined) return by
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = replace(copy[key], rest, by)
  return copy
}

const schemas = {
  ...account,
  ...admin,
  ...common,
  ...files,
  ...instance,
  ...policies,
  ...receipts,
  ...requests,
  ...secrets,
  ...webhooks,
}
const named = Object.entries(schemas) as [string, JsonSchema][]

test.each(named)('%s: a response is refused exactly when the schema of the server refuses it', (name, schema) => {
  const oracle = new Map<string, unknown>(Object.entries(api)).get(name) as z.ZodType
  fc.assert(
    fc.property(arbitraryOf(schema), fc.array(fc.nat(20), { maxLength: 4 }), hostile, (valid, steps, by) => {
      expect(() => checkJson(schema, valid)).not.toThrow()
      const changed = JSON.parse(JSON.stringify({ value: replace(valid, steps, by) })).value
      const isValid = oracle.safeParse(changed).success
      if (isValid) expect(() => checkJson(schema, changed)).not.toThrow()
      else expect(() => checkJson(schema, changed)).toThrow(InvalidResponseError)
    }),
    { numRuns: RUNS },
  )
})

test('the error names the field', () => {
  const viewed = {
    id: 'A'.repeat(22),
    kind: 'sealed',
    text: '',
    title: null,
    maxViews: 0,
    preventBurn: false,
    isPublic: false,
    expiresAt: 1,
    files: [{ id: 'A'.repeat(22), size: -1, parts: 1, key: 'A'.repeat(43) }],
  }
  expect(() => checkJson(schemas.ViewedSecret, viewed)).toThrow(
    'the server sent an invalid response (field files.0.size)',
  )
  expect(() => checkJson(schemas.ViewedSecret, 'text')).toThrow('the server sent an invalid response')
})

test.each<[string, JsonSchema, unknown]>([
  ['a number in quotes', { type: 'number' }, '1'],
  ['a list instead of an object', { type: 'object' }, []],
  ['a list with too few items', { type: 'array', minItems: 1 }, []],
  ['a list with too many items', { type: 'array', maxItems: 1 }, [1, 2]],
])('%s is refused', (_, schema, value) => {
  expect(() => checkJson(schema, value)).toThrow(InvalidResponseError)
})

test('unknown fields and unsafe characters are removed, except from the text of a secret', () => {
  const unsafe = 'a\u001b]0;x\u0007\u009b1m\u202eb\u2028\r\nc\td'
  const viewed = {
    id: 'A'.repeat(22),
    kind: 'public',
    text: unsafe,
    title: unsafe,
    maxViews: null,
    preventBurn: false,
    isPublic: true,
    expiresAt: 1,
    files: [],
  }
  expect(checkJson(schemas.ViewedSecret, { ...viewed, extra: 1, __proto__: { kind: 'raw' } })).toEqual({
    ...viewed,
    title: 'a]0;x1mb\nc\td',
  })
})

test('unsafe characters are removed from the names of a record', () => {
  const record: JsonSchema = { type: 'object', additionalProperties: { type: 'integer' } }
  expect(checkJson(record, { 'é\u202e\u0007': 1 })).toEqual({ é: 1 })
})

test.each(['toString', 'constructor', '__proto__'])(
  'a value named %s is checked like values with other names',
  (name) => {
    const record: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } }
    const named = (value: unknown) => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`)
    expect(() => checkJson(record, named({ ä: 1 }))).toThrow(InvalidResponseError)
    expect(Object.entries(checkJson(record, named('ä')) as object)).toEqual([[name, 'ä']])
  },
)
