/**
 * Routes: schemas and handler in one object, so that every route has a schema. Validation and OpenAPI follow from it.
 */

import type { z } from 'zod'
import type { App } from '../../app.js'
import type { AuthContext } from '../../contracts/auth-context.js'
import type { DocumentStream } from '../../lib/document-stream.js'
import type { ErrorCode } from '../../lib/errors.js'
import type { SizedStream } from '../../lib/sized-stream.js'
import type { CustomRule, RuleName } from '../../rate-limits/rate-limit-policies.js'
import type { StartupConfig } from '../../settings/startup-config.js'
import type { AccessRules } from '../guards/assert-access.js'
import type { IncomingStream } from '../lib/byte-streams.js'
import type { SessionCookies } from '../lib/cookies.js'
import type { PreparedJson } from '../lib/prepared-json.js'

export type Schema = z.ZodType | undefined
type ParamsSchema = z.ZodObject | undefined
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined
type RequestType = 'bytes' | undefined
type ResponseType = 'bytes' | 'document' | 'redirect' | undefined

/** Start-up settings that routes use. */
export type RouteConfig = Pick<
  StartupConfig,
  | 'publicUrl'
  | 'maxTextBytes'
  | 'maxFileBytes'
  | 'maxFiles'
  | 'ttlMaxAnonymous'
  | 'ttlMaxUser'
  | 'passwordMin'
  | 'passwordMax'
  | 'readGraceSeconds'
  | 'downloadGraceSeconds'
  | 'statsFor'
  | 'role'
> & { version: string }

/** The validated request. */
export interface Input<
  Params extends ParamsSchema = ParamsSchema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Type extends RequestType = RequestType,
> {
  params: Parsed<Params>
  query: Parsed<Query>
  body: Parsed<Body>
  /** The request body of a route with `requestType: 'bytes'`. */
  stream: Type extends 'bytes' ? IncomingStream : undefined
  caller: AuthContext
  cookies: SessionCookies
  /** Program and operating system, such as `Firefox on Windows`; empty if unknown. */
  userAgent: string
  /** A request header, validated by its schema in `headers`. Undefined if absent. */
  header: (name: string) => string | undefined
}

export interface RouteDefinition<
  Params extends ParamsSchema = ParamsSchema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
  Req extends RequestType = RequestType,
  Res extends ResponseType = ResponseType,
> {
  /** One line for the API reference. */
  summary: string
  params?: Params
  query?: Query
  /** By lower-case name. */
  headers?: Record<string, z.ZodType>
  body?: Body
  /** Maximum size of the JSON body in bytes. 64 KiB if absent. */
  bodyLimit?(config: RouteConfig): number
  /** `bytes`: the handler reads the request body as a stream. */
  requestType?: Req
  /**
   * `bytes`: the handler returns a stream. `document`: it returns a file of one of `mediaTypes`. `redirect`: it returns
   * a URL. If absent, JSON as in `response`, or nothing.
   */
  responseType?: Res
  mediaTypes?: string[]
  /** Status of a successful response. Default: 200, or 204 without content. */
  status?: 200 | 201 | 204 | 303
  response?: Response
  /** Error codes that not every route can return (`request.*`, `server.*`). */
  errors?: ErrorCode[]
  handle(
    input: Input<Params, Query, Body, Req>,
    app: App,
    config: RouteConfig,
  ): Promise<
    Res extends 'bytes'
      ? SizedStream
      : Res extends 'document'
        ? DocumentStream
        : Res extends 'redirect'
          ? string
          : Response extends z.ZodType
            ? z.input<Response> | PreparedJson
            : void
  >
  /** Runs instead of `handle` for a HEAD request. If absent, `handle` runs and its result is discarded. */
  head?(input: Input<Params, Query, Body, Req>, app: App): Promise<void>
}

/**
 * A row of the table at the end of each file in this folder. `rateLimit`: null for none. `access`: `{}` lets everyone
 * use the route. A row with a fixed path comes before one with a parameter in its place. `open`: also processes with
 * the role `open` have the route, for callers whose credentials are ignored. Without it, only processes with the role
 * `all`.
 */
export type RouteRow = [
  method: Route['method'],
  path: string,
  rateLimit: RuleName | null,
  access: AccessRules | ((config: RouteConfig) => AccessRules),
  route: RouteDefinition,
  open?: 'open',
]

/** A definition with its row. */
export interface Route extends RouteDefinition, AccessRules {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Relative to `/api/v1`, with parameters as `:name`. */
  path: string
  /** Rate-limit rule, see core/rate-limits/rate-limit-policies.ts. */
  limit?: RuleName
  /** The rate limit of a plugin's route. */
  customLimit?: CustomRule
  /** Also processes with the role `open` have the route. */
  isOpen?: true
  /** Name of the plugin that the route belongs to. */
  plugin?: string
}

/** Status of a successful response. */
export const statusOf = ({ status, response, responseType }: Route) => status ?? (response || responseType ? 200 : 204)

/** Checks `handle` against the schemas. */
export function defineRoute<
  Params extends ParamsSchema,
  Query extends Schema,
  Body extends Schema,
  Response extends Schema,
  Req extends RequestType = undefined,
  Res extends ResponseType = undefined,
>(definition: RouteDefinition<Params, Query, Body, Response, Req, Res>): RouteDefinition {
  return definition
}
