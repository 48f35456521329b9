/** The handler of a route: all steps between the router and the response, in order. */

import type { RouterMiddleware } from '@koa/router'
import type { App } from '../../app.js'
import type { DocumentStream } from '../../lib/document-stream.js'
import { lazy } from '../../lib/lazy.js'
import type { SizedStream } from '../../lib/sized-stream.js'
import { assertAccess } from '../guards/assert-access.js'
import { authenticate, ignoreCredentials } from '../guards/authenticate.js'
import { routeRateLimit } from '../guards/rate-limit.js'
import { sendDocument, sendStream } from '../lib/byte-streams.js'
import { jsonBodyParser } from '../lib/json-body.js'
import { PreparedJson } from '../lib/prepared-json.js'
import { pickFieldsOf } from '../lib/response-fields.js'
import type { SiteOrigin } from '../lib/site-origin.js'
import type { AppContext, AppState } from '../lib/state.js'
import { type Route, type RouteConfig, runRoute } from './route.js'

/** Default for `bodyLimit` of a route. */
export const BODY_LIMIT = 64 * 1024

/** What mounting a route takes. */
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

function responseSender({ status, response, responseType }: Route): (ctx: AppContext, result: unknown) => void {
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
