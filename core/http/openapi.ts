/** The OpenAPI 3.1 document, made from the calls. */
import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../errors.js'
import { ApiError } from '../shared/api.js'
import type { Call } from './call.js'

/** Failures that any call may answer. */
const COMMON: ErrorCode[] = ['request.invalid', 'server.error', 'storage.unavailable']
const OF_BODIES: ErrorCode[] = ['request.unsupported_type', 'request.too_large', 'request.timeout']

/** `publicUrl` without a trailing slash. The calls are listed with the base `/api/v1`. */
export function openApi(calls: Call[], { publicUrl, version }: { publicUrl: string; version: string }) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Mayfly', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: `${publicUrl}/api/v1` }],
    paths,
    components: { schemas: { Error: schema(ApiError, 'output') } },
  }
}

function operation(call: Call) {
  return {
    operationId: `${call.method.toLowerCase()}${call.path.replace(/[/:]+(\w)/g, (_, letter) => letter.toUpperCase())}`,
    summary: call.summary,
    parameters: [
      ...parameters('path', (call.params as z.ZodObject | undefined)?.shape),
      ...parameters('query', (call.query as z.ZodObject | undefined)?.shape),
      ...parameters('header', call.headers),
    ],
    ...(call.body ? { requestBody: { required: true, content: json(schema(call.body, 'input')) } } : {}),
    ...(call.takes ? { requestBody: { required: true, content: OCTETS } } : {}),
    responses: { [call.status]: success(call), ...failures(call) },
  }
}

function parameters(place: 'path' | 'query' | 'header', shape: Record<string, z.ZodType> = {}) {
  return Object.entries(shape).map(([name, type]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: schema(type, 'input'),
  }))
}

function success({ answer, answers }: Call) {
  if (answers) return { description: 'Done', content: OCTETS }
  return answer ? { description: 'Done', content: json(schema(answer, 'output')) } : { description: 'Done' }
}

/** Grouped by status; the codes are in the description, since programs look at them. */
function failures({ errors = [], body, takes }: Call): Record<string, unknown> {
  const codes = [...errors, ...COMMON, ...(body || takes ? OF_BODIES : [])]
  const statuses = new Set(codes.map((code) => ERRORS[code][0]))
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      {
        description: codes
          .filter((code) => ERRORS[code][0] === status)
          .map((code) => `\`${code}\``)
          .join(', '),
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    ]),
  )
}

const OCTETS = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
const json = (of: unknown) => ({ 'application/json': { schema: of } })

function schema(type: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(type, { io, target: 'draft-2020-12', unrepresentable: 'any' })
  return rest
}
