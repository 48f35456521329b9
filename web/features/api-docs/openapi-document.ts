/** The parts of the OpenAPI document that the page uses. */
import { checkJson, InvalidResponseError } from '#shared/check-json'
import { openApiDocument } from './openapi-schema.js'

export interface Schema {
  /** A list stands for any of them. */
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  description?: string
  default?: unknown
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  properties?: Record<string, Schema>
  required?: string[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}

type Content = Record<string, { schema: Schema; example?: unknown }>

export interface Operation {
  operationId: string
  method: string
  path: string
  summary: string
  tags: string[]
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

export interface ApiDocument {
  /** Base URL of the API, without a trailing slash. */
  server: string
  groups: { name: string; operations: Operation[] }[]
}

/**
 * As the server sends it, without its address: a changed one would get the API token that a user passes to the copied
 * command.
 */
export interface OpenApiDocument {
  tags: { name: string }[]
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>
}

export const JSON_TYPE = 'application/json'

/** Names and placeholders, separated by slashes. */
const PATH = /^(\/[a-z0-9_{}.-]+)+$/i
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head']

/**
 * Groups the operations of a response by their first tag. `server`: base URL of the API, without a trailing slash.
 * Throws InvalidResponseError.
 */
export function readApiDocument(response: unknown, server: string): ApiDocument {
  const { tags, paths } = checkJson<OpenApiDocument>(openApiDocument, response)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      if (!PATH.test(path) || !METHODS.includes(method)) throw new InvalidResponseError('paths')
      return { ...operation, method: method.toUpperCase(), path }
    }),
  )
  const groups = tags.map(({ name }) => ({ name, operations: operations.filter(({ tags: [tag] }) => tag === name) }))
  return { server, groups: groups.filter(({ operations }) => operations.length > 0) }
}

/** A short name of a type: `string`, `integer | null`, `"user" | "admin"`, `object[]`. */
export function typeName(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeName))].join(' | ')
  if (schema.type === 'array') return `${typeName(schema.items ?? {})}[]`
  return [schema.type ?? 'any'].flat().join(' | ')
}

/** A longer one is not readable in a table. */
const PATTERN_MAX = 40

/**
 * The limits of a value, in English like the descriptions of the document: `1 to 9999, default: 1`. Empty when anything
 * may be sent.
 */
export function describeLimits(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, pattern = '', default: preset } = schema
  const limits = [
    formatRange(minimum, maximum),
    formatRange(minLength, maxLength, ' characters'),
    pattern !== '' && pattern.length <= PATTERN_MAX && `pattern: ${pattern}`,
    preset !== undefined && preset !== '' && `default: ${JSON.stringify(preset)}`,
  ]
  return limits.filter(Boolean).join(', ')
}

function formatRange(min: number | undefined, max: number | undefined, unit = ''): string {
  // JSON Schema gives every integer without limits the limits of JavaScript.
  const hasMax = max !== undefined && max < Number.MAX_SAFE_INTEGER
  const hasMin = min !== undefined && min > -Number.MAX_SAFE_INTEGER
  if (hasMin && hasMax) return `${min} to ${max}${unit}`
  if (hasMax) return `up to ${max}${unit}`
  return hasMin ? `at least ${min}${unit}` : ''
}
