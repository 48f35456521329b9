/** The part of the OpenAPI document that the API page uses. It is a response like any other: it is checked first. */
import type { JsonSchema } from '#shared/check-json'

const text: JsonSchema = { type: 'string', maxLength: 2000 }
const number: JsonSchema = { type: 'number' }
/** Shown as JSON only. */
const any: JsonSchema = {}

const recordOf = (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values })

/** Of a field. It contains itself. */
const schema: JsonSchema = { type: 'object' }
schema.properties = {
  type: { anyOf: [text, { type: 'array', items: text }] },
  format: text,
  enum: { type: 'array', items: any },
  const: any,
  anyOf: { type: 'array', items: schema },
  items: schema,
  description: text,
  default: any,
  pattern: text,
  minimum: number,
  maximum: number,
  minLength: number,
  maxLength: number,
  properties: recordOf(schema),
  required: { type: 'array', items: text },
}
schema.optional = Object.keys(schema.properties)

const content = recordOf({ type: 'object', properties: { schema, example: any }, optional: ['example'] })

const parameter: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]*$' },
    in: { enum: ['path', 'query', 'header'] },
    required: { type: 'boolean' },
    schema,
  },
  optional: ['required'],
}

const operation: JsonSchema = {
  type: 'object',
  properties: {
    operationId: text,
    summary: text,
    tags: { type: 'array', items: text },
    parameters: { type: 'array', items: parameter },
    requestBody: { type: 'object', properties: { content } },
    responses: recordOf({ type: 'object', properties: { description: text, content }, optional: ['content'] }),
  },
  optional: ['requestBody'],
}

export const openApiDocument: JsonSchema = {
  type: 'object',
  properties: {
    tags: { type: 'array', items: { type: 'object', properties: { name: text } } },
    paths: recordOf(recordOf(operation)),
  },
}
