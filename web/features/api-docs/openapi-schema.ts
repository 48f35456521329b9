/** What the API page uses of the OpenAPI document. The document is a response like any other: it is checked first. */
import type { JsonSchema } from '#shared/response-schemas/check-response'

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

const content = recordOf({ type: 'object', properties: { schema, example: any }, required: ['schema'] })

const parameter: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]*$' },
    in: { enum: ['path', 'query', 'header'] },
    required: { type: 'boolean' },
    schema,
  },
  required: ['name', 'in', 'schema'],
}

const operation: JsonSchema = {
  type: 'object',
  properties: {
    operationId: text,
    summary: text,
    tags: { type: 'array', items: text },
    parameters: { type: 'array', items: parameter },
    requestBody: { type: 'object', properties: { content }, required: ['content'] },
    responses: recordOf({ type: 'object', properties: { description: text, content }, required: ['description'] }),
  },
  required: ['operationId', 'summary', 'tags', 'parameters', 'responses'],
}

export const openApiDocument: JsonSchema = {
  type: 'object',
  properties: {
    tags: { type: 'array', items: { type: 'object', properties: { name: text }, required: ['name'] } },
    paths: recordOf(recordOf(operation)),
  },
  required: ['tags', 'paths'],
}
