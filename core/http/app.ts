/** The HTTP pipeline: all middleware in the order in which a request passes it. */

import Router from '@koa/router'
import Koa, { type Middleware } from 'koa'
import type { App } from '../app.js'
import type { ResponseTracker } from '../lib/response-tracker.js'
import type { AppSettings } from '../settings/startup-config.js'
import { basePath } from '../shared/site.js'
import { apiResponses, apiRoutes, isApi, PROBE_PATHS, PROBES } from './api-router.js'
import { processRateLimit } from './guards/rate-limit.js'
import { siteOrigin } from './lib/site-origin.js'
import type { AppState } from './lib/state.js'
import { clientIp } from './middleware/client-ip.js'
import { cors } from './middleware/cors.js'
import { drainRequest } from './middleware/drain-request.js'
import { errorHandler } from './middleware/error-handler.js'
import { hostCheck } from './middleware/host-check.js'
import { methodCheck } from './middleware/method-check.js'
import { requestLog } from './middleware/request-log.js'
import { rewritePath } from './middleware/rewrite-path.js'
import { securityHeaders } from './middleware/security-headers.js'
import { routes } from './routes/index.js'
import { type PluginRoutes, toPluginRoutes } from './routes/plugin-routes.js'
import type { Mount } from './routes/route-handler.js'
import type { Handler } from './server.js'

interface Parts {
  app: App
  settings: AppSettings
  /** Of plugins, in order. */
  pages: Middleware[]
  pluginRoutes: PluginRoutes[]
  responses: Pick<ResponseTracker, 'track'>
  version: string
}

/**
 * Creates the handler of all requests: the API below /api/v1, and /api as an alias; pages of plugins elsewhere. Throws
 * PluginError for an invalid route of a plugin.
 */
export function createHttpHandler({ app, settings, pages, pluginRoutes, responses, version }: Parts): Handler {
  const { publicUrl } = settings
  const { log } = app
  const mount: Mount = { app, config: { ...settings, version }, origin: siteOrigin(settings) }
  const own = routes(mount.config)
  const table = [...own, ...toPluginRoutes(pluginRoutes, own)]

  const koa = new Koa<AppState>()
  koa.use(drainRequest)
  koa.use(rewritePath(basePath(publicUrl)))
  koa.use(requestLog(log, app.emit))
  koa.use(securityHeaders(publicUrl))
  koa.use(errorHandler(log))
  koa.use(methodCheck)
  koa.use(clientIp({ ...settings, probes: PROBE_PATHS, log }))
  koa.use(hostCheck({ ...settings, exempt: PROBES, audit: app.audit, log }))
  koa.use(apiResponses(cors(settings.corsOrigins), processRateLimit(app.limits.own, 'cheap')))
  koa.use(apiRoutes(table, mount))
  // Answers OPTIONS, 405 and 501 for the router that matched.
  koa.use(new Router<AppState>().allowedMethods())
  const limitPage = processRateLimit(app.limits.own, 'page')
  if (pages.length > 0) koa.use(outsideApi((ctx, next) => limitPage(ctx).then(next)))
  for (const page of pages) koa.use(outsideApi(page))
  // Koa's default listener prints whole errors. `errorHandler` has logged them already, without their messages.
  koa.on('error', () => {})
  const handle = koa.callback()
  return (request, response) => {
    responses.track(response)
    void handle(request, response)
  }
}

function outsideApi(middleware: Middleware<AppState>): Middleware<AppState> {
  return (ctx, next) => (isApi(ctx.path) ? next() : middleware(ctx, next))
}
