/** The handler of a route: all steps between the router and the response, in order. */

import type { RouterContext, RouterMiddleware } from '@koa/router'
import { z } from 'zod'
import type { App } from '../../app.js'
import type { DocumentStream } from '../../lib/document-stream.js'
import { AppError, fieldError } from '../../lib/errors.js'
import { lazy } from '../../lib/lazy.js'
import type { SizedStream } from '../../lib/sized-stream.js'
import { describeIssue } from '../../shared/describe-issue.js'
import { assertAccess } from '../guards/assert-access.js'
import { authenticate, ignoreCredentials } from '../guards/authenticate.js'
import { routeRateLimit } from '../guards/rate-limit.js'
import { openRequestStream, receive, sendDocument, sendStream } from '../lib/byte-streams.js'
import { jsonBodyParser } from '../lib/json-body.js'
import { PreparedJson } from '../lib/prepared-json.js'
import { pickFieldsOf } from '../lib/response-fields.js'
import type { SiteOrigin } from '../lib/site-origin.js'
import type { AppContext, AppState } from '../lib/state.js'
import { describeUserAgent } from '../lib/user-agent.js'
import { type Input, type Route, type RouteConfig, type Schema, statusOf } from './route.js'

/** Default for `bodyLimit` of a route. */
export const BODY_LIMIT = 64 * 1024

/** Arguments for mounting a route. */
export interface Mount {
  app: App
  config: RouteConfig
  origin: SiteOrigin
}

export function routeHandler(route: Route, { app, config, origin }: Mount): RouterMiddleware<AppState> {
  const rateLimit = routeRateLimit(route, app)
  const parseBody = route.body && jsonBodyParser(route.bodyLimit?.(config) ?? BODY_LIMIT)
  const send = responseSender(route)
  return async (ctx) => {
    if (config.role === 'open') ignoreCredentials(ctx, origin)
    else await authenticate(ctx, app, origin)
    try {
      assertAccess(ctx, route, { origin, now: app.now() })
    } catch (error) {
      await rateLimit.consumeDenied(ctx)
      throw error
    }
    await rateLimit.consume(ctx)
    try {
      if (parseBody) await parseBody(ctx)
      send(ctx, await runRoute(route, ctx, app, config))
    } catch (error) {
      await rateLimit.recordFailure(ctx, error)
      throw error
    }
  }
}

/** Validates the request and runs the handler. Throws AppError `request.invalid` with the field. */
async function runRoute(route: Route, ctx: RouterContext<AppState>, app: App, config: RouteConfig): Promise<unknown> {
  const input: Input = {
    params: parseParams(route, ctx.params),
    query: parse(querySchema(route), { ...ctx.query }),
    body: parse(route.body, ctx.state.body),
    // After validation: a rejected request must not leave an open stream.
    stream: route.requestType === 'bytes' ? openRequestStream(ctx) : undefined,
    caller: ctx.state.caller,
    cookies: ctx.state.cookies,
    get userAgent() {
      return describeUserAgent(ctx.get('user-agent'))
    },
    header: (name) => parseHeader(route, name, ctx.get(name)),
  }
  const isHead = ctx.method === 'HEAD'
  const handle = () => (isHead && route.head ? route.head(input, app) : route.handle(input, app, config))
  return input.stream ? receive(ctx, input.stream, handle) : handle()
}

const NO_QUERY = z.strictObject({})

/**
 * A route that changes something rejects any query, because an ignored parameter, such as an id to delete, could have
 * an unintended effect.
 */
const querySchema = ({ query, method }: Route): Schema => query ?? (method === 'GET' ? undefined : NO_QUERY)

/** Parameters that cannot name a resource get the same error as a missing resource. */
function parseParams({ params, errors = [] }: Route, values: unknown): Record<string, unknown> | undefined {
  const parsed = params?.safeParse(values)
  if (!parsed || parsed.success) return parsed?.data
  throw new AppError(errors.find((code) => code.endsWith('.not_found')) ?? 'request.not_found')
}

function parse(schema: Schema, value: unknown): unknown {
  const parsed = schema?.safeParse(value ?? {})
  if (!parsed || parsed.success) return parsed?.data
  throw invalid(parsed.error.issues)
}

function parseHeader({ headers }: Route, name: string, value: string): string | undefined {
  if (value === '') return undefined
  const parsed = headers?.[name]?.safeParse(value)
  if (!parsed?.success) throw fieldError(name, 'is not valid')
  return String(parsed.data)
}

/** Of a key in an error message. Known fields are shorter. */
const KEY_MAX = 64

function invalid([issue]: z.core.$ZodIssue[]): AppError {
  const isUnknown = issue?.code === 'unrecognized_keys'
  const path = [...(issue?.path ?? []), ...(isUnknown ? issue.keys.slice(0, 1) : [])]
  const field = path.map((key) => String(key).slice(0, KEY_MAX).toWellFormed()).join('.')
  if (field === '') return new AppError('request.invalid', { message: 'The body must be a JSON object.' })
  return fieldError(field, isUnknown ? 'is not a known field' : describeIssue(issue))
}

function responseSender(route: Route): (ctx: AppContext, result: unknown) => void {
  const { response, responseType } = route
  const status = statusOf(route)
  const pickFields = lazy(() => response && pickFieldsOf(response))
  return (ctx, result) => {
    ctx.status = status
    if (responseType === 'bytes') return sendStream(ctx, result as SizedStream)
    if (responseType === 'document') return sendDocument(ctx, result as DocumentStream)
    if (responseType === 'redirect') return ctx.set('Location', result as string)
    if (!response) return
    ctx.type = 'json'
    if (ctx.method !== 'HEAD') ctx.body = result instanceof PreparedJson ? result.text : pickFields()?.(result)
  }
}
