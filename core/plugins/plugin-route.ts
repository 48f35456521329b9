/**
 * Routes of plugins. They get the same validation, access rules, rate limits and API reference as the built-in ones.
 */
import type { z } from 'zod'
import type { AuthContext } from '../contracts/auth-context.js'
import type { Scope } from '../contracts/tokens.js'
import type { ErrorCode } from '../lib/errors.js'
import type { PluginApp } from './plugin-app.js'

type Schema = z.ZodType | undefined
type ParamsSchema = z.ZodObject | undefined
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined

/** The validated request. */
export interface PluginRequest<
  Params extends ParamsSchema = ParamsSchema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
> {
  params: Parsed<Params>
  query: Parsed<Query>
  body: Parsed<Body>
  caller: AuthContext
  /** Program and operating system, such as `Firefox on Windows`; empty if unknown. */
  userAgent: string
  /** A request header that the route lists in `headers`. Undefined if absent. */
  header(name: string): string | undefined
}

/**
 * Who may use a route. `user`: any account, with any scopes of its token. `interactive`: an account without an API
 * token. `session`: an account with a session. A scope: callers that have it; `admin`: administrators.
 */
export type PluginAccess = 'anyone' | 'user' | 'interactive' | 'session' | Scope

export interface PluginRoute<
  Params extends ParamsSchema = ParamsSchema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Relative to /api/v1, with parameters as `:name`. The first segment must not belong to Mayfly. */
  path: string
  /** One line for the API reference. */
  summary: string
  access: PluginAccess
  /**
   * `open`: also processes with the role `open` have the route, where every caller is anonymous. Default: only
   * processes with the role `all`.
   */
  role?: 'open'
  /** Requests per minute of one client address. Default: 60. */
  perMinute?: number
  params?: Params
  query?: Query
  /** By lower-case name. */
  headers?: Record<string, z.ZodType>
  /** JSON. Unknown fields of a `z.strictObject` are an error. */
  body?: Body
  /** Maximum size of the JSON body in bytes. Default: 64 KiB. */
  bodyLimit?: number
  /** Fields that it does not list are removed from the response. Default: no content. */
  response?: Response
  /** Default: 200 with `response`, 204 without. */
  status?: 200 | 201 | 204
  /** Error codes that `handle` throws as AppErrors. */
  errors?: ErrorCode[]
  handle(
    request: PluginRequest<Params, Query, Body>,
    app: PluginApp,
  ): Promise<Response extends z.ZodType ? z.input<Response> : void>
}

/** Checks `handle` against the schemas. */
export function route<
  Params extends ParamsSchema = undefined,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
  Response extends Schema = undefined,
>(definition: PluginRoute<Params, Query, Body, Response>): PluginRoute {
  return definition as PluginRoute
}
