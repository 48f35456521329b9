/** The OpenAPI 3.1 document, generated from the routes. */
import { z } from 'zod'
import { isAdminScope } from '../../contracts/auth-context.js'
import { ERRORS, type ErrorCode } from '../../lib/errors.js'
import { ApiError, RequestAuthorization, UploadAuthorization } from '../../shared/api/index.js'
import { lookUp } from '../../shared/look-up.js'
import { type Route, statusOf } from '../routes/route.js'
import { exampleOf } from './examples.js'

/** Errors of every route. `limit.reached` also follows wrong API tokens, which every route counts. */
const COMMON_ERRORS: ErrorCode[] = [
  'request.invalid',
  'request.wrong_host',
  'limit.reached',
  'server.error',
  'storage.unavailable',
]
/** Errors of routes with a request body. */
const BODY_ERRORS: ErrorCode[] = ['request.unsupported_type', 'request.too_large', 'request.timeout']

/** `publicUrl`: without a trailing slash. */
export function openApiDocument(routes: Route[], { publicUrl, version }: { publicUrl: string; version: string }) {
  const schemes = securitySchemes(publicUrl)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Mayfly', version, description: ABOUT, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: `${publicUrl}/api/v1` }],
    tags: [...new Set([...Object.values(TAGS), OTHER_TAG, ...routes.flatMap(pluginTag)])].map((name) => ({ name })),
    // The default: authentication is optional.
    security: [{}, ...CALLER_SCHEMES.map((name) => ({ [name]: [] }))],
    paths,
    components: { schemas: { Error: schema(ApiError, 'output') }, securitySchemes: schemes },
  }
}

const ABOUT = 'API for one-time secrets. Times are epoch milliseconds, lifetimes are seconds.'

/** By the first segment of the path. */
const TAGS: Record<string, string> = {
  secret: 'Secrets',
  files: 'Files',
  download: 'Files',
  request: 'Secret requests',
  account: 'Account',
  authentication: 'Authentication',
  admin: 'Administration',
}
const OTHER_TAG = 'Instance'
/** Routes of plugins have a section for each plugin. */
const pluginTag = ({ plugin }: Route): string[] => (plugin === undefined ? [] : [`Plugin ${plugin}`])

/** How a caller authenticates. The other schemes belong to one upload or one request for a secret. */
const CALLER_SCHEMES = ['token', 'bearer', 'session']

function securitySchemes(publicUrl: string) {
  const cookie = publicUrl.startsWith('https:') ? '__Host-session' : 'session'
  return {
    token: { type: 'http', scheme: 'basic', description: 'an API token as the user name; the password may be empty' },
    bearer: { type: 'http', scheme: 'bearer', description: 'the same API token' },
    session: { type: 'apiKey', in: 'cookie', name: cookie, description: 'session of a browser' },
    upload: authorizationHeader('`Upload` and the token of the file'),
    request: authorizationHeader('`Request`, and id and submit proof of a request for a secret'),
  }
}

/** OpenAPI lacks a type for a scheme of `Authorization` that is not registered. */
const authorizationHeader = (description: string) => ({
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description,
})

function operation(route: Route) {
  const { method, path, summary, params, query, headers, body, requestType, requires } = route
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[/:]+(\w)/g, (_, letter) => letter.toUpperCase())}`,
    summary,
    tags: [pluginTag(route)[0] ?? lookUp(TAGS, path.split('/')[1] ?? '') ?? OTHER_TAG],
    parameters: [
      ...parameters('path', params?.shape),
      ...parameters('query', query instanceof z.ZodObject ? query.shape : undefined),
      ...parameters('header', headers),
    ],
    ...(body ? { requestBody: jsonRequest(body) } : {}),
    ...(requestType ? { requestBody: { required: true, content: BYTES } } : {}),
    ...(requires || headers?.authorization ? { security: security(route) } : {}),
    responses: { [statusOf(route)]: success(route), ...failures(route) },
  }
}

/** Required unless every field is optional. */
function jsonRequest(body: z.ZodType) {
  return { required: !body.safeParse({}).success, content: withExample(json(schema(body, 'input'))) }
}

function parameters(place: 'path' | 'query' | 'header', shape: Record<string, z.ZodType> = {}) {
  return Object.entries(shape).map(([name, type]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: schema(type, 'input'),
  }))
}

function success({ response, responseType, mediaTypes = [] }: Route) {
  if (responseType === 'redirect') return { description: 'Redirect', headers: LOCATION }
  if (responseType === 'bytes') return { description: 'Done', content: BYTES }
  if (responseType === 'document') {
    return { description: 'Done', content: Object.fromEntries(mediaTypes.map((type) => [type, TEXT])) }
  }
  return response ? { description: 'Done', content: json(schema(response, 'output')) } : { description: 'Done' }
}

/** Errors that follow from the access rules. */
function accessErrors({ method, requires, allowAnonymous, sameOrigin, whileRestricted, proof }: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['auth.invalid_token']
  if (method !== 'GET' || sameOrigin) codes.unshift('request.cross_site')
  if (requires) codes.push('auth.users_disabled', 'auth.suspended')
  if (requires && !allowAnonymous) codes.push('auth.required')
  if (requires && requires !== 'user' && requires !== 'session') codes.push('auth.scope')
  if (requires && !whileRestricted) codes.push('auth.second_factor_required', 'auth.factor_enrolment_required')
  if (proof) codes.push('auth.proof_required')
  if (requires && isAdminScope(requires)) codes.push('auth.admin_only', 'auth.password_change')
  return codes
}

/** Accepted credentials; `{}` stands for none. */
function security({ requires, allowAnonymous, headers }: Route): Record<string, string[]>[] {
  // As schemes, because OpenAPI ignores a parameter of the name `authorization`.
  if (headers?.authorization === UploadAuthorization) return [{ upload: [] }]
  const tokens = requires === 'interactive' || requires === 'session' ? [] : [{ token: [] }, { bearer: [] }]
  const request = headers?.authorization === RequestAuthorization ? [{ request: [] }] : []
  return [...(allowAnonymous ? [{}] : []), { session: [] }, ...tokens, ...request]
}

/** Grouped by status. The description lists the codes, which programs should check. */
function failures(route: Route): Record<string, unknown> {
  const { errors = [], body, requestType } = route
  const codes = new Set<ErrorCode>([...errors, ...accessErrors(route), ...COMMON_ERRORS])
  if (body || requestType) for (const code of BODY_ERRORS) codes.add(code)
  const statuses = new Set([...codes].map((code) => ERRORS[code][0]))
  return Object.fromEntries([...statuses].map((status) => [status, failure(status, [...codes])]))
}

function failure(status: number, codes: ErrorCode[]) {
  const ofStatus = codes.filter((code) => ERRORS[code][0] === status).map((code) => `\`${code}\``)
  return { description: ofStatus.join(', '), content: json({ $ref: '#/components/schemas/Error' }) }
}

const BYTES = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
const TEXT = { schema: { type: 'string' } }
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
