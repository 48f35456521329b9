/** The HTTP pipeline: all middleware in the order in which a request passes it. */
import Router, { type RouterMiddleware } from '@koa/router'
import Koa, { type Middleware } from 'koa'
import type { Emit } from '../contracts/events.js'
import { AppError } from '../lib/errors.js'
import type { Log } from '../lib/log.js'
import type { Hooks } from '../plugins/plugin.js'
import type { ServiceSettings, Services } from '../services/create-services.js'
import { basePath } from '../shared/site.js'
import { type SiteOrigin, siteOrigin } from './lib/site-origin.js'
import type { AppMiddleware, AppState } from './lib/state.js'
import { authenticate } from './middleware/authenticate.js'
import { clientIp } from './middleware/client-ip.js'
import { cors } from './middleware/cors.js'
import { drainRequest } from './middleware/drain-request.js'
import { errorHandler } from './middleware/error-handler.js'
import { hostCheck } from './middleware/host-check.js'
import { jsonBody } from './middleware/json-body.js'
import { methodCheck } from './middleware/method-check.js'
import { pageRateLimit, rateLimit } from './middleware/rate-limit.js'
import { requestLog } from './middleware/request-log.js'
import { requireAuth } from './middleware/require-auth.js'
import { rewritePath } from './middleware/rewrite-path.js'
import { API_HEADERS, securityHeaders } from './middleware/security-headers.js'
import { openApiDocument } from './openapi/document.js'
import { serveDocument } from './openapi/serve-document.js'
import { routes } from './routes/index.js'
import { handleRoute, type Route, type RouteConfig } from './routes/route.js'
import type { Handler } from './server.js'

/** Default for `bodyLimit` of a route. */
const BODY_LIMIT = 64 * 1024
/** Routes that also exist at the root, where orchestrators look for them, and answer under any host name. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

interface Deps {
  services: Services
  settings: ServiceSettings & {
    trustedProxies: string[]
    allowedHosts: string[]
    corsOrigins: string[]
    anyAddress?: boolean
  }
  hooks: Hooks[]
  emit: Emit
  log: Log
  version: string
}

/** What mounting a route takes. */
interface Mount {
  services: Services
  config: RouteConfig
  origin: SiteOrigin
}

/** Creates the handler of all requests: the API below /api/v1, and /api as an alias; pages of plugins elsewhere. */
export function createHttpHandler({ services, settings, hooks, emit, log, version }: Deps): Handler {
  const { publicUrl } = settings
  const mount: Mount = { services, config: { ...settings, version }, origin: siteOrigin(settings) }
  const table = routes(mount.config)
  const pages = hooks.flatMap((each) => each.pages ?? [])

  const app = new Koa<AppState>()
  app.use(drainRequest)
  app.use(rewritePath(basePath(publicUrl)))
  app.use(requestLog(log, emit))
  app.use(securityHeaders(publicUrl))
  app.use(errorHandler(log))
  app.use(methodCheck)
  app.use(clientIp(settings.trustedProxies, log))
  app.use(hostCheck({ ...settings, exempt: PROBES, audit: services.audit.note, log }))
  app.use(apiResponses(cors(settings.corsOrigins)))
  for (const router of [apiRouter(table, hooks, mount), probeRouter(table, mount)]) {
    app.use(router.routes()).use(router.allowedMethods())
  }
  if (pages.length > 0) app.use(outsideApi(pageRateLimit(services.ownLimits)))
  for (const page of pages) app.use(outsideApi(page))
  // Koa's default listener prints whole errors. `errorHandler` has logged them already, without their messages.
  app.on('error', () => {})
  return app.callback()
}

function apiRouter(table: Route[], hooks: Hooks[], mount: Mount): Router<AppState> {
  const { services, config, origin } = mount
  // Case-sensitive, because `isApi` and `rewritePath` are.
  const router = new Router<AppState>({ prefix: '/api/v1', sensitive: true })
  // Runs only if a route matches: an unknown path says nothing about the credentials.
  router.use(authenticate(services, origin))
  for (const route of table) addRoute(router, route, mount)
  router.get(
    '/openapi.json',
    serveDocument(() => openApiDocument(table, config)),
  )
  for (const hook of hooks) hook.routes?.(router, services)
  return router
}

function probeRouter(table: Route[], mount: Mount): Router<AppState> {
  const router = new Router<AppState>({ sensitive: true })
  for (const route of table.filter(({ path }) => PROBES.has(path))) addRoute(router, route, mount)
  return router
}

function addRoute(router: Router<AppState>, route: Route, { services, config, origin }: Mount): void {
  const middleware: RouterMiddleware<AppState>[] = [requireAuth(route, origin), rateLimit(route, services.limits)]
  if (route.body) middleware.push(jsonBody(route.bodyLimit?.(config) ?? BODY_LIMIT))
  middleware.push((ctx) => handleRoute(route, ctx, services, config))
  router.register(route.path, [route.method], middleware)
}

const isApi = (path: string): boolean => /^\/api(\/|$)/.test(path) || PROBES.has(path)

/** Sets the headers of API responses, and returns a JSON error where no router has answered. */
function apiResponses(crossOrigin: AppMiddleware): AppMiddleware {
  return async (ctx, next) => {
    if (!isApi(ctx.path)) return next()
    ctx.set(API_HEADERS)
    await crossOrigin(ctx, next)
    if (ctx.status === 405 || ctx.status === 501) throw new AppError('request.method_not_allowed')
    if (ctx.status === 404) throw new AppError('request.not_found')
  }
}

function outsideApi(middleware: Middleware<AppState>): Middleware<AppState> {
  return (ctx, next) => (isApi(ctx.path) ? next() : middleware(ctx, next))
}
