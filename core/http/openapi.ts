/** The OpenAPI 3.1 document, made from the calls. */
import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../errors.js'
import { ApiError } from '../shared/api.js'
import type { Call } from './call.js'
import { exampleOf } from './examples.js'

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
    info: { title: 'Mayfly', version, description: ABOUT, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: `${publicUrl}/api/v1` }],
    tags: [...new Set(Object.values(TAGS)), OTHERS].map((name) => ({ name })),
    // Nobody has to sign in for what visitors may do.
    security: [{}, ...Object.keys(SCHEMES).map((name) => ({ [name]: [] }))],
    paths,
    components: { schemas: { Error: schema(ApiError, 'output') }, securitySchemes: SCHEMES },
  }
}

const ABOUT = 'Secrets that open a limited number of times. Times are epoch milliseconds, lifetimes are seconds.'

/** By the first part of the path. */
const TAGS: Record<string, string> = {
  secret: 'Secrets',
  files: 'Files',
  download: 'Files',
  account: 'Account',
  authentication: 'Authentication',
  admin: 'Administration',
}
const OTHERS = 'Instance'

const SCHEMES = {
  token: { type: 'http', scheme: 'basic', description: 'an API token as the user name; the password may be empty' },
  bearer: { type: 'http', scheme: 'bearer', description: 'the same API token' },
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'what a browser has that is signed in' },
}

function operation(call: Call) {
  return {
    operationId: `${call.method.toLowerCase()}${call.path.replace(/[/:]+(\w)/g, (_, letter) => letter.toUpperCase())}`,
    summary: call.summary,
    tags: [TAGS[call.path.split('/')[1] ?? ''] ?? OTHERS],
    parameters: [
      ...parameters('path', (call.params as z.ZodObject | undefined)?.shape),
      ...parameters('query', (call.query as z.ZodObject | undefined)?.shape),
      ...parameters('header', call.headers),
    ],
    ...(call.body ? { requestBody: { required: true, content: withExample(json(schema(call.body, 'input'))) } } : {}),
    ...(call.takes ? { requestBody: { required: true, content: OCTETS } } : {}),
    ...(call.needs ? { security: security(call) } : {}),
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
  if (answers === 'redirect') return { description: 'Where to go next', headers: LOCATION }
  if (answers) return { description: 'Done', content: OCTETS }
  return answer ? { description: 'Done', content: json(schema(answer, 'output')) } : { description: 'Done' }
}

/** What follows from who may call. */
function refusals({ method, needs, visitors, ownPages }: Call): ErrorCode[] {
  return [
    ...(method !== 'GET' || ownPages ? (['request.cross_site'] as const) : []),
    ...(['auth.invalid_token'] as const),
    ...(needs ? (['auth.users_disabled'] as const) : []),
    ...(needs && !visitors ? (['auth.required'] as const) : []),
    ...(needs && needs !== 'user' && needs !== 'session' ? (['auth.scope'] as const) : []),
    ...(needs === 'admin' ? (['auth.admin_only'] as const) : []),
  ]
}

/** How a call is told who makes it: `{}` stands for not at all. */
function security({ needs, visitors }: Call): Record<string, string[]>[] {
  const byToken = needs === 'person' || needs === 'session' ? [] : [{ token: [] }, { bearer: [] }]
  return [...(visitors ? [{}] : []), { session: [] }, ...byToken]
}

/** Grouped by status; the codes are in the description, since programs look at them. */
function failures(call: Call): Record<string, unknown> {
  const { errors = [], body, takes, limit } = call
  const limited = limit ? (['limit.reached'] as const) : []
  const codes = [...new Set([...errors, ...refusals(call), ...COMMON, ...limited, ...(body || takes ? OF_BODIES : [])])]
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
const LOCATION = { Location: { schema: { type: 'string' } } }
const json = (of: Record<string, unknown>) => ({ 'application/json': { schema: of } })

function withExample(content: ReturnType<typeof json>) {
  const { schema } = content['application/json']
  return { 'application/json': { schema, example: exampleOf(schema) } }
}

function schema(type: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(type, { io, target: 'draft-2020-12', unrepresentable: 'any' })
  return rest
}
